package panel

import (
	"strings"

	"wisp/protocol/phrase"
)

// group is keys that belong together.
type group struct {
	name string
	keys [][2]string // the key, and what it does
}

// groups are all the keys of tui.md.
func groups() []group {
	return []group{
		{"Sending", [][2]string{
			{"Enter", "sends"},
			{"Alt-Enter, Shift-Enter, \\ Enter", "a new line"},
			{"Up, Down", "history; a draft survives"},
			{"Ctrl-R", "searches the history"},
			{"Tab", "completes /commands, @paths, paths and programs"},
			{"Ctrl-G", "opens the text in $EDITOR"},
		}},
		{"Your own commands", [][2]string{
			{"! first", "a command that you run; the model is told"},
			{"!! first", "the same outside the sandbox"},
			{"Backspace at the start", "back to a message"},
			{"Ctrl-B", "sends a running command to the background"},
		}},
		{"While something runs", [][2]string{
			{"Ctrl-C", "stops it; pressed again, kills it and quits"},
			{"typing", "is held, and applied when it ends"},
			{"Alt-Enter", "steers the turn, where the box stays open"},
		}},
		{"Approvals", [][2]string{
			{"y, s, p, a", "yes: once, this session, this project, always"},
			{"n, Ctrl-C", "no"},
		}},
		{"Looking", [][2]string{
			{"Ctrl-O", "the newest call, whole; ← → older, newer"},
			{"Ctrl-T", "the context of the next request and of any turn"},
			{"?", "these keys, in an empty box"},
			{"Ctrl-L", "draws the screen again"},
		}},
		{"Editing", [][2]string{
			{"Ctrl-A, Ctrl-E, Home, End", "start and end of the line"},
			{"Alt-B, Alt-F, Ctrl-← →", "a word back, a word on"},
			{"Ctrl-W, Alt-D", "cut the word before, the word after"},
			{"Ctrl-U, Ctrl-K", "cut to the start, to the end"},
			{"Ctrl-Y", "puts back what was cut"},
			{"Ctrl-C", "clears the box; Up brings it back"},
		}},
		{"In a panel", [][2]string{
			{"↑ ↓ j k", "a row"},
			{"PgUp PgDn b Space", "a page"},
			{"Ctrl-U, Ctrl-D", "half a page"},
			{"Home End g G", "the start, the end"},
			{"/", "searches; n N next, previous"},
			{"Esc, q", "closes"},
		}},
		{"Leaving", [][2]string{
			{"Ctrl-C", "quits when the box is empty and nothing runs"},
			{"Ctrl-D", "quits when the box is empty"},
			{"Ctrl-Z", "suspends"},
		}},
	}
}

// Keys is the panel of all keys, by groups, for a terminal of so many columns: what a key does stands beside it, or below
// it where that is too narrow.
func Keys(columns int, style phrase.Style) *Panel {
	const column, wide = 22, 72
	var rows []string
	for i, g := range groups() {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, style.Paint(phrase.Border, g.name))
		for _, k := range g.keys {
			name := "  " + k[0]
			if columns > wide && width(name) < column {
				rows = append(rows, name+strings.Repeat(" ", column-width(name))+style.Paint(phrase.Faint, k[1]))
				continue
			}
			indent := "    "
			if columns > wide {
				indent = strings.Repeat(" ", column)
			}
			rows = append(rows, name)
			for _, row := range fold(k[1], columns-1-len(indent)) {
				rows = append(rows, indent+style.Paint(phrase.Faint, row))
			}
		}
	}
	return Styled("Keys", rows)
}

// fold breaks a text between its words into rows of so many cells.
func fold(text string, cells int) []string {
	var rows []string
	for word := range strings.FieldsSeq(text) {
		if n := len(rows); n > 0 && width(rows[n-1]+" "+word) <= cells {
			rows[n-1] += " " + word
			continue
		}
		rows = append(rows, word)
	}
	return rows
}
