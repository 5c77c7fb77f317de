package panel

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"wisp/protocol/phrase"
)

// Group is keys that belong together.
type Group struct {
	// Name heads them.
	Name string
	// Keys with their help.
	Keys []key.Binding
}

// Keys is the panel of all keys, by groups, for a terminal of so many columns: what a key does stands beside it, or below
// it where that is too narrow.
func Keys(columns int, style phrase.Style, groups []Group) *Panel {
	const column, wide = 22, 72
	var rows []string
	for i, g := range groups {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, style.Paint(phrase.Border, g.Name))
		for _, k := range g.Keys {
			help := k.Help()
			name := "  " + help.Key
			if columns > wide && width(name) < column {
				rows = append(rows, name+strings.Repeat(" ", column-width(name))+style.Paint(phrase.Faint, help.Desc))
				continue
			}
			indent := "    "
			if columns > wide {
				indent = strings.Repeat(" ", column)
			}
			rows = append(rows, name)
			for _, row := range fold(help.Desc, columns-1-len(indent)) {
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
