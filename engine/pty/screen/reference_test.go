package screen

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
)

// reference is what x/vt shows of a stream.
func reference(t *testing.T, columns, rows int, in string) (lines []string, x, y int) {
	t.Helper()
	e := vt.NewEmulator(columns, rows)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(io.Discard, e)
	}()
	e.WriteString(in + "\x00") // a control, so that the last character isn't held back
	for y := range rows {
		var b strings.Builder
		for x := 0; x < columns; x++ {
			c := e.CellAt(x, y)
			switch {
			case c == nil || c.Width == 0:
			case c.Content == "":
				b.WriteByte(' ')
			default:
				b.WriteString(c.Content)
			}
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	at := e.CursorPosition()
	e.InputPipe().(io.Closer).Close()
	<-done
	return lines, at.X, at.Y
}

type tape struct{ *rand.Rand }

func (r tape) pick(all ...string) string { return all[r.IntN(len(all))] }

// op is one thing that programs do, where x/vt does it as xterm does. It is wrong about what follows a character in the last
// column, and about lines inserted in a scroll region: so most begin with a move.
func (r tape) op() string {
	n := 1 + r.IntN(6)
	to := fmt.Sprintf("\x1b[%d;%dH", 1+r.IntN(6), 1+r.IntN(15))
	switch r.IntN(14) {
	case 0, 1, 2, 3:
		return r.pick("a", "hello", "The quick brown fox jumps.", "x y", "\r\n", "\n", "\r")
	case 4:
		return to + r.pick("\b", "\t", "\t\t", "\x1b[I", "\x1b[2I", "\x1b[Z") + "t"
	case 5:
		return fmt.Sprintf("\x1b[%d%s", n, r.pick("A", "B", "C", "D", "G", "d"))
	case 6:
		return to + r.pick("\x1b[J", "\x1b[2J", "\x1b[K", "\x1b[1K", "\x1b[2K")
	case 7:
		return to + fmt.Sprintf("\x1b[%d%s", n, r.pick("@", "P", "X", "L", "M", "S", "T"))
	case 8:
		top := 1 + r.IntN(4)
		bottom := min(6, top+1+r.IntN(3))
		at := top + r.IntN(bottom-top+1)
		return fmt.Sprintf("\x1b[%d;%dr\x1b[%d;1H%s\x1b[r\x1b[%d;4H", top, bottom, at, r.pick("\x1bM\x1bM", "\n\n", "\x1b[S", "\x1b[2T", "a\r\nb\r\nc"), at)
	case 9:
		return to + r.pick("\x1b7", "\x1b8k", "\x1bM", "\x1bD", "\x1b[3g", "\x1bH", "\x1b[g")
	case 10:
		return r.pick("\x1b[?1049h\x1b[H\x1b[2J", "\x1b[?1049l\x1b[3;3H\x1b7")
	case 11:
		return fmt.Sprintf("b\x1b[%db", n)
	case 12:
		return r.pick("\x1b[31m", "\x1b[0m", "\x1b]0;title\a", "\x1b[?25l", "\x1b[?25h", "\x1bP$qm\x1b\\", "\x1b[1;15H\x1b[?7lhello world\x1b[?7h\r")
	default:
		return to + r.pick("你好", "é", "e\u0301", "한", "─…", "\x1b(0qqx\x1b(B")
	}
}

// Programs of all kinds look the same here and in another's emulator.
func TestAgainstReference(t *testing.T) {
	t.Parallel()
	for seed := range 120 {
		r := tape{rand.New(rand.NewPCG(uint64(seed), 1))}
		var ops []string
		for range 60 {
			ops = append(ops, r.op())
		}
		if at := differs(t, ops, len(ops)); at > 0 {
			for at > 1 && differs(t, ops, at-1) > 0 {
				at--
			}
			s := New(20, 6, nil)
			s.Write([]byte(strings.Join(ops[:at], "")))
			v := s.View()
			lines, x, y := reference(t, 20, 6, strings.Join(ops[:at], ""))
			t.Errorf("seed %d, %q, the last of %q\nours %d,%d %q\nx/vt %d,%d %q", seed, ops[at-1], ops[max(0, at-8):at], v.Column, v.Row, v.Rows, x, y, lines)
		}
	}
}

// differs returns n where the first n of ops look different here.
func differs(t *testing.T, ops []string, n int) int {
	in := strings.Join(ops[:n], "")
	s := New(20, 6, nil)
	s.Write([]byte(in))
	v := s.View()
	lines, x, y := reference(t, 20, 6, in)
	if strings.Join(lines, "\n") != strings.Join(v.Rows, "\n") || x != v.Column || y != v.Row {
		return n
	}
	return 0
}
