package screen

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// socketVariable makes the test binary the program that runs in tmux: it does what the test says by this socket.
const socketVariable = "WISP_SCREEN_TEST_SOCKET"

func TestMain(m *testing.M) {
	if path := os.Getenv(socketVariable); path != "" {
		inTmux(path)
		return
	}
	os.Exit(m.Run())
}

// order is what the test wants of the program, which answers with its size when it has done it.
type order struct {
	Print  []string
	Frame  *Frame
	Redraw bool
	Leave  bool
}

type answer struct{ Width, Height, Waiting int }

func inTmux(path string) {
	c, err := net.Dial("unix", path)
	if err != nil {
		panic(err)
	}
	resized := make(chan os.Signal, 64)
	signal.Notify(resized, syscall.SIGWINCH)
	orders, settled := make(chan order), make(chan bool, 64)
	go func() {
		defer close(orders)
		for d := json.NewDecoder(c); ; {
			var o order
			if d.Decode(&o) != nil {
				return
			}
			orders <- o
		}
	}()
	o := Guess(os.Getenv)
	size := func() (int, int) {
		ws, err := unix.IoctlGetWinsize(1, unix.TIOCGWINSZ)
		if err != nil {
			panic(err)
		}
		return int(ws.Col), int(ws.Row)
	}
	o.Width, o.Height = size()
	o.Size = size
	s := New(os.Stdout, o)
	s.Enter()
	var f Frame
	waiting := 0
	for {
		select {
		case <-resized:
			if s.Resize(size()) {
				waiting++
				time.AfterFunc(Settling, func() { settled <- true })
			}
			s.Draw(f)
		case <-settled:
			waiting--
			s.Settle()
			s.Draw(f)
		case o, ok := <-orders:
			if !ok {
				return
			}
			s.Print(o.Print...)
			if o.Frame != nil {
				f = *o.Frame
			}
			if o.Redraw {
				s.Redraw()
			}
			s.Draw(f)
			if o.Leave {
				s.Leave()
			}
			w, h := size()
			json.NewEncoder(c).Encode(answer{w, h, waiting})
		}
	}
}

// tmux is a server of its own with one window, in which the program runs.
type tmux struct {
	*testing.T
	name string
	conn net.Conn
	in   *bufio.Reader
}

func startTmux(t *testing.T) *tmux {
	t.Helper()
	dir, err := os.MkdirTemp("", "wisp") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	m := &tmux{T: t, name: filepath.Join(dir, "tmux")}
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Cleanup(func() { exec.Command("tmux", "-S", m.name, "kill-server").Run() })
	m.run("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "env", socketVariable+"="+l.Addr().String(), os.Args[0])
	l.(*net.UnixListener).SetDeadline(time.Now().Add(20 * time.Second))
	if m.conn, err = l.Accept(); err != nil {
		t.Fatalf("the program in tmux: %v", err)
	}
	t.Cleanup(func() { m.conn.Close() })
	m.in = bufio.NewReader(m.conn)
	return m
}

func (m *tmux) run(args ...string) string {
	m.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", m.name}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

func (m *tmux) do(o order) (a answer) {
	m.Helper()
	m.conn.SetDeadline(time.Now().Add(20 * time.Second))
	if err := json.NewEncoder(m.conn).Encode(o); err != nil {
		m.Fatal(err)
	}
	line, err := m.in.ReadBytes('\n')
	if err != nil {
		m.Fatal(err)
	}
	if err := json.Unmarshal(line, &a); err != nil {
		m.Fatal(err)
	}
	return a
}

// settle waits until the program has heard of the size that its pane has.
func (m *tmux) settle() {
	m.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(20 * time.Second); ; <-tick.C {
		a := m.do(order{})
		if size := fmt.Sprintf("%d %d", a.Width, a.Height); strings.TrimSpace(m.run("display", "-p", "#{pane_width} #{pane_height}")) == size && a.Waiting == 0 {
			return
		}
		if time.Now().After(end) {
			m.Fatal("the program doesn't hear of the size")
		}
	}
}

// lines is the scrollback and the screen, joined where tmux has wrapped, without blanks at the ends.
func (m *tmux) lines() []string {
	m.Helper()
	all := strings.Split(m.run("capture-pane", "-p", "-J", "-S", "-"), "\n")
	for i := range all {
		all[i] = strings.TrimRight(all[i], " ")
	}
	for len(all) > 0 && all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// shows waits until the pane holds some rows and no others, but for empty ones at the top: a band begins at the bottom.
func (m *tmux) shows(want []string) {
	m.Helper()
	want = slices.Clone(want)
	for i := range want {
		want[i] = strings.TrimRight(want[i], " ")
	}
	m.until(want, func() []string {
		got := m.lines()
		for len(got) > 0 && got[0] == "" {
			got = got[1:]
		}
		return got
	})
}

func (m *tmux) until(want []string, lines func() []string) {
	m.Helper()
	var got []string
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); <-tick.C {
		if got = lines(); slices.Equal(got, want) {
			return
		}
	}
	same := 0
	for same < min(len(got), len(want)) && got[same] == want[same] {
		same++
	}
	m.Fatalf("tmux shows, after %d rows that are right:\n%s\nwant:\n%s", same, strings.Join(got[same:], "\n"), strings.Join(want[same:], "\n"))
}

func numbered(from, to int) []string {
	var rows []string
	for i := from; i < to; i++ {
		rows = append(rows, fmt.Sprintf("row %d %s", i, strings.Repeat("x", i*7%70)))
	}
	return rows
}

func TestTmuxPrints(t *testing.T) {
	t.Parallel()
	m := startTmux(t)
	band := []string{"\x1b[44m> input\x1b[K\x1b[0m", "status"}
	shown := []string{"> input", "status"}
	m.do(order{Frame: &Frame{Rows: band, Cursor: &Point{7, 0}}})
	m.shows(shown)
	m.do(order{Print: numbered(0, 5)})
	m.shows(slices.Concat(numbered(0, 5), shown))
	m.do(order{Print: numbered(5, 300)})
	m.shows(slices.Concat(numbered(0, 300), shown))
	if at := strings.TrimSpace(m.run("display", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag}")); at != "7 22 1" {
		t.Errorf("caret at %q", at)
	}
	m.do(order{Redraw: true})
	old := slices.Concat(numbered(0, 300), make([]string, 22)) // an empty screen, with the band at its bottom
	m.shows(slices.Concat(old, shown))
	if at := strings.TrimSpace(m.run("display", "-p", "#{cursor_x} #{cursor_y}")); at != "7 22" {
		t.Errorf("caret at %q after a redraw", at)
	}
	m.do(order{Frame: &Frame{Full: true, Rows: []string{"panel"}}, Print: numbered(300, 340)})
	m.run("resize-window", "-x", "60", "-y", "20")
	m.settle()
	m.do(order{Frame: &Frame{Rows: band, Cursor: &Point{7, 0}}})
	var want []string
	for _, r := range numbered(300, 340) { // these were printed at the new width
		want = append(want, r[:min(59, len(r))])
		if len(r) > 59 {
			want = append(want, r[59:])
		}
	}
	m.shows(slices.Concat(old, want, shown))
	m.do(order{Print: []string{"bye"}, Leave: true})
	m.shows(slices.Concat(old, want, []string{"bye"}))
	if at := strings.Fields(m.run("display", "-p", "#{cursor_x} #{cursor_flag} #{alternate_on}")); !slices.Equal(at, []string{"0", "1", "0"}) {
		t.Errorf("left with cursor, flag, alternate screen %q", at)
	}
}

// A pane is dragged about: with a caret in the middle of the band and without, one step at a time and many at once.
func TestTmuxResizes(t *testing.T) {
	t.Parallel()
	for _, caret := range []*Point{nil, {9, 1}, {78, 1}} {
		t.Run(fmt.Sprint(caret), func(t *testing.T) {
			t.Parallel()
			m := startTmux(t)
			long := strings.Repeat("work ", 15)
			band := []string{long, "\x1b[48;2;9;9;9m> " + long[:70] + "\x1b[K\x1b[0m", "status"}
			printed := numbered(0, 30)
			m.do(order{Print: printed, Frame: &Frame{Rows: band, Cursor: caret}})
			check := func(w int) {
				t.Helper()
				want := slices.Clone(printed)
				for _, r := range band {
					want = append(want, strings.TrimRight(plainText(r)[:min(len(plainText(r)), w-1)], " "))
				}
				m.shows(want)
			}
			check(80)
			r := rand.New(rand.NewPCG(1, 2))
			for round := range 8 {
				w := 0
				for range 1 + round%4 {
					w = 30 + r.IntN(70)
					m.run("resize-window", "-x", fmt.Sprint(w), "-y", fmt.Sprint(14+r.IntN(20)))
					if round%2 == 1 {
						row := fmt.Sprintf("row %d", len(printed))
						printed = append(printed, row)
						m.do(order{Print: []string{row}})
					}
				}
				m.settle()
				check(w)
			}
		})
	}
}

// Splits, and the smallest size there and back: what is printed stands there once, whatever becomes of the band.
func TestTmuxSmall(t *testing.T) {
	t.Parallel()
	m := startTmux(t)
	printed := numbered(0, 40)
	band := []string{"> ", "in progress", "status"} // what stands above a caret may be pushed away by one row's height
	m.do(order{Print: printed, Frame: &Frame{Rows: band, Cursor: &Point{2, 0}}})
	for _, cmd := range [][]string{
		{"resize-window", "-x", "20", "-y", "6"}, {"resize-window", "-x", "100", "-y", "30"},
		{"split-window", "-h", "-d", "sleep 60"}, {"split-window", "-v", "-d", "sleep 60"}, {"kill-pane", "-a"},
		{"resize-window", "-x", "1", "-y", "1"}, {"resize-window", "-x", "80", "-y", "24"},
	} {
		m.run(cmd...)
		m.settle()
		if !slices.Contains(cmd, "1") {
			m.shows(slices.Concat(printed, band))
		}
	}
}
