package engine

import (
	"fmt"
	"strconv"
	"strings"

	"wisp/engine/proc"
	"wisp/engine/thread"
	"wisp/protocol"
)

// The size of a page of a stored output.
const (
	pageLines = 500
	lineBytes = 256 << 10 // of one line; a longer one is cut and says so
)

// show answers a face that pages a stored output.
func (s *Session) show(m protocol.Show) {
	limit := int64(pageLines)
	if m.Limit != nil {
		limit = *m.Limit
	}
	s.readPage(m.Output, m.Offset, limit, func(page protocol.Shown, why string) {
		if why != "" {
			s.fault(protocol.UnknownOutput, m.ID.ID, "%s", why)
			return
		}
		page.Request = m.ID.ID
		s.out.post(page)
	})
}

// readPage reads a page beside the loop, since a page deep in a long output takes a while; the loop calls then.
func (s *Session) readPage(id string, offset, limit int64, then func(page protocol.Shown, why string)) {
	s.later(func() any {
		page, why := s.page(id, offset, limit)
		return listed{func() { then(page, why) }}
	})
}

// page reads a page of an output by its id or the start of it; why says why it can't.
func (s *Session) page(prefix string, offset, limit int64) (shown protocol.Shown, why string) {
	s.commits.mu.Lock()
	id, path, err := s.commits.record.FindOutput(prefix)
	s.commits.mu.Unlock()
	if err != nil {
		return shown, err.Error()
	}
	p, err := proc.Page(path, offset, limit, lineBytes)
	if err != nil {
		return shown, fmt.Sprintf("output %s can't be read: %v", id, err)
	}
	shown = protocol.Shown{Output: id, Offset: offset, Text: p.Text, More: p.More}
	for _, e := range s.commits.entries() {
		if e.Output != nil && e.Output.ID == id {
			shown.Lines, shown.Bytes = e.Output.Lines, e.Output.Bytes
		}
	}
	return shown, ""
}

// slashShow is /show and /last: a page as text, with the way to the next.
func (s *Session) slashShow(arguments, request string) {
	fields := strings.Fields(arguments)
	id, from := "", int64(0)
	if len(fields) > 0 {
		id = fields[0]
	} else if id = newestOutput(s.commits.entries()); id == "" {
		s.note("info", request, "no output is stored yet")
		s.settled()
		return
	}
	if len(fields) > 1 {
		n, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil || n < 1 {
			s.note("error", request, "/show ID LINE needs a line from 1: %q is none", clip(fields[1], 20))
			s.settled()
			return
		}
		from = n - 1
	}
	s.readPage(id, from, pageLines, func(page protocol.Shown, why string) {
		if why != "" {
			s.note("error", request, "/show: %s", why)
		} else {
			s.result(request, pageText(page))
		}
		s.settled()
	})
}

// pageText is a page as /show prints it, with the way to the next.
func pageText(page protocol.Shown) string {
	text := strings.TrimSuffix(page.Text, "\n")
	switch {
	case page.Text == "" && page.Lines > 0:
		return fmt.Sprintf("output %s has %d lines: there is no line %d", page.Output, page.Lines, page.Offset+1)
	case !page.More:
		return text
	}
	next := page.Offset + int64(strings.Count(text, "\n")) + 1
	return text + fmt.Sprintf("\n… %d more lines: /show %s %d", max(page.Lines-next, 1), page.Output, next+1)
}

// newestOutput is the id of the newest stored output; "" where there is none.
func newestOutput(entries []thread.Entry) string {
	for i := len(entries) - 1; i >= 0; i-- {
		if o := entries[i].Output; o != nil && o.ID != "" {
			return o.ID
		}
	}
	return ""
}
