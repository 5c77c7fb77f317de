package pty

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"
)

// Page is a piece of what a program printed, in its order.
type Page struct {
	Text   string
	Lost   int  // characters before Text that scrolled out unread
	Remain int  // characters after it
	Came   bool // what the read waited for
}

// Read waits, and returns what comes next of what was printed, at most so many characters (0: 10 000), its secrets masked. An
// unfinished line is part of it; where it is written over later, it comes once more, on a line of its own.
func (s *Session) Read(ctx context.Context, most int, wait Wait) Page {
	s.touch()
	if most <= 0 {
		most = usualCharacters
	}
	most = min(most, MostCharacters)
	return s.page(most, s.await(ctx, s.waitUnread(wait, most), wait.Longest))
}

// page takes what is to be read. What ended lines is masked as one text, however it is read; what may be the beginning of a secret
// waits for the next read.
func (s *Session) page(most int, came bool) Page {
	s.reading.Lock()
	defer s.reading.Unlock()
	p, open := s.takePage(most, came)
	text := s.raw
	if s.mask != nil {
		if p.Lost > 0 { // what it held has no end any more
			s.mask = s.set.config.Mask()
		}
		text = s.mask.Append(s.made[:0], text)
		if p.Remain == 0 && s.Over() {
			text = s.mask.Close(text)
			s.mask = s.set.config.Mask()
		}
		s.made = text
	}
	if open == "" {
		p.Text = string(text)
	} else {
		p.Text = string(text) + open
	}
	if cap(s.raw)+cap(s.made) > mostKept {
		s.raw, s.made = nil, nil
	}
	return p
}

// mostKept is how many bytes of what a page is made in are kept for the next.
const mostKept = 256 << 10

// takePage takes the text of a page into raw, as it was printed, and returns what it has of the unfinished line, masked.
func (s *Session) takePage(most int, came bool) (p Page, open string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p = Page{Lost: s.out.lost, Came: came}
	waiting := s.out.unread
	s.raw = s.out.take(s.raw[:0], most)
	s.out.lost = 0
	if left := most - waiting; s.out.unread == 0 && left > 0 {
		rest, again := s.rest()
		n := 0
		for ; n < len(rest) && left > 0; left-- {
			_, size := utf8.DecodeRune(rest[n:])
			n += size
		}
		open = string(rest[:n])
		if again {
			n-- // its newline
		} else {
			n += len(s.shown)
		}
		if open != "" {
			now := s.cleaner.Open()[:n]
			open = s.maskOpen(open, again, now)
			s.shown = bytes.Clone(now)
		}
	}
	rest, _ := s.rest()
	p.Remain = s.out.unread + utf8.RuneCount(rest)
	s.patient = patience
	select {
	case s.reads <- struct{}{}:
	default:
	}
	return p, open
}

// maskOpen masks what is read of an unfinished line. Where the line as far as it has come now holds a secret that began in what
// was read before, all of it comes again. The lock is held.
func (s *Session) maskOpen(open string, again bool, now []byte) string {
	if s.set.config.Mask == nil {
		return open
	}
	line := s.masked(now)
	if before := s.masked(s.shown); !again && strings.HasPrefix(line, before) {
		return line[len(before):]
	}
	return "\n" + line
}

// masked is a text with its secrets masked.
func (s *Session) masked(text []byte) string {
	if s.set.config.Mask == nil {
		return string(text)
	}
	m := s.set.config.Mask()
	return string(m.Close(m.Append(nil, text)))
}

// rest is what of the unfinished line isn't read yet: again, on a line of its own, where what was read of it was written over.
// The lock is held.
func (s *Session) rest() (rest []byte, again bool) {
	open := s.cleaner.Open()
	if rest, stands := bytes.CutPrefix(open, s.shown); stands {
		return rest, false
	}
	return append([]byte{'\n'}, open...), true
}

// stands says whether the unfinished line as it was read, shown, is the beginning of what became of it, a text that begins with
// that line, and returns what comes after it. It isn't where it was written over, or was the beginning of a secret. The lock is
// held.
func (s *Session) stands(final []byte) (rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(final, s.shown)
	if !ok || s.set.config.Mask == nil {
		return rest, ok
	}
	line, _, _ := bytes.Cut(final, []byte{'\n'})
	after, ok := strings.CutPrefix(s.masked(line), s.masked(s.shown))
	return rest, ok && after == s.masked(line[len(s.shown):])
}

// Tail returns the newest of what was printed, read or not, at most so many bytes: for whoever looks on.
func (s *Session) Tail(most int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := s.cleaner.Open()
	return s.out.newest(max(0, most-len(open))) + string(open)
}
