package phrase

import (
	"fmt"
	"strings"
	"time"

	"wisp/protocol"
)

// Working is the line that says what is done, for how long, and what Ctrl-C would do: "… 42 s · running ollama pull … ·
// Ctrl-C stops it", and once it is stopping "… stopping … · Ctrl-C again quits". It is at most so many columns
// wide: what is done is cut first. Where nothing is done it is "".
func Working(a protocol.Activity, elapsed time.Duration, columns int) string {
	if a.Doing == nil {
		return ""
	}
	if a.Stopping {
		line := "… " + StoppingCommand
		if *a.Doing == StoppingTurn {
			line = StoppingTurn
		}
		return Clip(line+" · Ctrl-C again quits", columns)
	}
	before, after := "… "+Elapsed(elapsed)+" · ", ""
	if a.Stoppable {
		after = " · Ctrl-C stops it"
	}
	room := columns - width(before) - width(after)
	if room < 12 { // too narrow for all: what is done matters most
		return Clip(before+Row(*a.Doing, columns), columns)
	}
	return before + Row(*a.Doing, room) + after
}

// Beside puts more after a row where there is room for it, cut to what there is.
func Beside(row, more string, columns int) string {
	const least = 16 // less says nothing
	more = Row(more, columns)
	room := columns - width(row) - width(" · ")
	if more == "" || room < least {
		return row
	}
	return row + " · " + Clip(more, room)
}

// Columns sets words side by side, in the order given, row by row, with as many in a row as fit.
func Columns(words []string, columns int) []string {
	widest := 0
	clean := make([]string, len(words))
	for i, w := range words {
		clean[i] = Row(w, columns)
		widest = max(widest, width(clean[i])+2)
	}
	var rows []string
	for each := max(columns/max(widest, 1), 1); len(clean) > 0; {
		n := min(each, len(clean))
		var row strings.Builder
		for _, w := range clean[:n-1] {
			row.WriteString(w + strings.Repeat(" ", widest-width(w)))
		}
		rows = append(rows, row.String()+clean[n-1])
		clean = clean[n:]
	}
	return rows
}

// Elapsed is a time as a person reads it: "42 s", "3 min 5 s", "2 h 10 min".
func Elapsed(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	default:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	}
}

// width is how many columns a row takes at most: what a terminal draws may be narrower, never wider.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += cells(r)
	}
	return n
}
