package panel

import (
	"fmt"

	"wisp/protocol/phrase"
)

// foot is the last row: the place, how the search stands, and the keys as far as there is room.
func (p *Panel) foot(first, last, cells int, style phrase.Style) string {
	if p.search.typing {
		return p.typed(cells)
	}
	parts := []string{p.where(first, last)}
	if p.search.query != "" {
		parts = append([]string{p.standing()}, parts...)
		parts = append(parts, "n N next, previous")
	}
	parts = append(parts, "Esc closes")
	if p.Walks {
		parts = append(parts, "← → older, newer")
	}
	if p.search.query == "" {
		parts = append(parts, "/ searches")
	}
	return style.Paint(phrase.Faint, join(parts, cells))
}

// join puts the first parts side by side, as many as have room. The first is there in any case, cut to the room.
func join(parts []string, cells int) string {
	row := clip(parts[0], cells)
	for _, part := range parts[1:] {
		longer := row + " · " + part
		if width(longer) > cells {
			break
		}
		row = longer
	}
	return row
}

func (p *Panel) where(first, last int) string {
	total, more := max(p.count(), p.Total), ""
	if p.Follows && p.Total == 0 {
		more = "+"
	}
	where := fmt.Sprintf("lines %d-%d of %d%s", first, last, total, more)
	switch {
	case len(p.lines) == 0 && !p.Follows:
		where = "empty"
	case len(p.lines) == 0:
		where = "…"
	}
	if p.full {
		where += ", the rest is too much to hold"
	}
	return where
}

// standing is which match is meant of how many: "3/17", or that there is none.
func (p *Panel) standing() string {
	s := &p.search
	more := ""
	if p.Follows {
		more = "+"
	}
	if s.total == 0 {
		return "not found" + more
	}
	nth := 0
	for _, f := range s.found {
		if f.line == s.line {
			nth = f.before + s.nth + 1
		}
	}
	return fmt.Sprintf("%d/%d%s", nth, s.total, more)
}

// typed is the foot while a query is typed: its end, where it is long, and how it stands.
func (p *Panel) typed(cells int) string {
	return clip(p.query(cells)+p.after(), cells)
}

func (p *Panel) query(cells int) string {
	return "/" + tail(p.search.query, max(cells-width(p.after())-2, 1)) // with room for the cursor
}

func (p *Panel) after() string {
	if p.search.query == "" {
		return ""
	}
	return "   " + p.standing()
}

// Cursor is where the real cursor belongs while a query is typed, in the panel as last drawn.
func (p *Panel) Cursor() (x, y int, shown bool) {
	if !p.search.typing || p.height < 2 {
		return 0, 0, false
	}
	return min(width(p.query(p.cells)), p.cells), p.height - 1, true
}

// clip cuts a row to so many cells, and marks it.
func clip(row string, cells int) string {
	if cells < 1 {
		return ""
	}
	if width(row) <= cells {
		return row
	}
	if cells == 1 {
		return "…"
	}
	return lay(line{text: row}, 0, 1, cells-1, nil)[0] + "…"
}

// tail is the end of a text that has room in so many cells.
func tail(text string, cells int) string {
	var parts []token
	line{text: text}.tokens(func(t token) bool {
		parts = append(parts, t)
		return true
	})
	kept := ""
	for i := len(parts) - 1; i >= 0; i-- {
		if cells -= parts[i].room(0, tabCells); cells < 0 {
			break
		}
		kept = parts[i].text + kept
	}
	return kept
}
