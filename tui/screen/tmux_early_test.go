package screen

import (
	"slices"
	"strings"
	"testing"
)

// A band of full rows on a screen that isn't full: tmux counts the empty rows below it as rows, and what its re-wrapping
// needs it takes from the top. Nothing of the band may be there.
func TestTmuxNotFull(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("word ", 16)[:79]
	open := []string{full, full, full, full, full, "", "\x1b[44m> busy\x1b[K\x1b[0m", full[:70]}
	draft := []string{"", "> " + full[:70], "  " + full[:70], "  " + full[:70], "  " + full[:70], "  ends", full[:70]}
	resizes := map[string][][]string{
		"split":  {{"split-window", "-h", "-d", "sleep 60"}, {"kill-pane", "-a"}},
		"zoom":   {{"split-window", "-h", "-d", "sleep 60"}, {"resize-pane", "-Z"}, {"resize-pane", "-Z"}, {"kill-pane", "-a"}},
		"window": {{"resize-window", "-x", "40", "-y", "24"}, {"resize-window", "-x", "30", "-y", "24"}, {"resize-window", "-x", "90", "-y", "24"}},
		"low":    {{"resize-window", "-x", "40", "-y", "12"}, {"resize-window", "-x", "80", "-y", "24"}},
	}
	for _, band := range []struct {
		name  string
		frame Frame
	}{
		{"parked", Frame{Rows: open}},
		{"caret", Frame{Rows: draft, Cursor: &Point{6, 5}}},
		{"caret above", Frame{Rows: draft, Cursor: &Point{6, 1}}},
	} {
		for name, cmds := range resizes {
			for _, redraw := range []bool{false, true} {
				if name == "low" && band.frame.Cursor != nil {
					continue // what stands above the caret is more than the screen has rows
				}
				t.Run(strings.Join([]string{band.name, name, map[bool]string{true: "redrawn"}[redraw]}, " "), func(t *testing.T) {
					t.Parallel()
					m := startTmux(t)
					printed := []string{"hello", "", "> a prompt"}
					m.do(order{Print: printed, Frame: &band.frame})
					if redraw {
						m.do(order{Redraw: true})
					}
					for i, cmd := range cmds {
						m.run(cmd...)
						m.settle()
						row := "printed " + cmd[0] + strings.Repeat("!", i)
						printed = append(printed, row)
						m.do(order{Print: []string{row}})
						m.once(printed, band.frame)
					}
				})
			}
		}
	}
}

// once waits until the pane holds, but for empty rows, what was printed and then the band, each row cut where it is too wide.
func (m *tmux) once(printed []string, f Frame) {
	m.Helper()
	a := m.do(order{})
	want := slices.Clone(printed)
	for _, row := range f.Rows {
		text := plainText(row)
		want = append(want, strings.TrimRight(text[:min(len(text), a.Width-1)], " "))
	}
	empty := func(s string) bool { return s == "" }
	want = slices.DeleteFunc(want, empty)
	m.until(want, func() []string { return slices.DeleteFunc(m.lines(), empty) })
}

// A terminal that has become lower, and has cut off what stood below the parked cursor, but hasn't said so yet: a caret that is
// shown then doesn't lead to printed rows.
func TestLowerUntold(t *testing.T) {
	t.Parallel()
	for kind := range Cells + 1 {
		for _, rows := range [][]string{{"", "> box", "status"}, {"B", "", "> box", "status"}} {
			term := newTerminal(kind, 80, 24)
			s := New(term, everything(80, 24, kind))
			s.Enter()
			printed := numbered(1, 10)
			printed = slices.Concat(printed, printed, printed)
			s.Print(printed...)
			s.Draw(Frame{Rows: rows})
			term.resize(33, 9)
			f := Frame{Rows: rows, Cursor: &Point{2, len(rows) - 2}}
			s.Draw(f)
			s.Resize(33, 9)
			s.Draw(f)
			s.Settle()
			s.Draw(f)
			got := term.text()
			for kind == Written && got[0] == "" {
				got = got[1:] // the band began at the bottom
			}
			if n := len(got) - len(rows); n < 0 || kind != None && !slices.Equal(got[:n], printed) || len(term.bad) > 0 {
				t.Errorf("kind %d: on the terminal:\n%s\n%q", kind, strings.Join(got, "\n"), term.bad)
			}
		}
	}
}
