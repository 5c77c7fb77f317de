package terminal_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"wisp/golden/terminal"
)

func shell(t testing.TB, o terminal.Options, script string) *terminal.Terminal {
	o.Args = []string{"/bin/sh", "-c", script}
	return terminal.Start(t, o)
}

func TestScreen(t *testing.T) {
	t.Parallel()
	c := shell(t, terminal.Options{Columns: 20, Rows: 4},
		`printf '\033]2;a;b\007one\r\n\033[1;38;2;232;181;119mtwo\033[0m\r\n\033[48;2;37;59;78m界\033[K\033[0m\r\n\033[?25l'; read x; printf 'got %s' "$x"; read y`)
	c.WaitText("two")
	s := c.Wait("the cursor hidden", func(s terminal.Screen) bool { return !s.Cursor.Visible })
	if want := []string{"one", "two", "界", ""}; !slices.Equal(s.Rows, want) {
		t.Errorf("rows %q, want %q", s.Rows, want)
	}
	if s.Title != "a;b" || s.Alt || s.Cursor.X != 0 || s.Cursor.Y != 3 {
		t.Errorf("seen: %s", s)
	}
	want := "one\n{fg=#E8B577 bold}two{}\n{bg=#253B4E}界                  {}"
	if got := s.Styled(); got != want {
		t.Errorf("styled %q, want %q", got, want)
	}
	c.Type("x y\n")
	s = c.WaitText("got x y")
	if got := s.History(); !slices.Equal(got[:4], []string{"one", "two", "界", "x y"}) {
		t.Errorf("history %q", got)
	}
	c.WaitGone("one")
	if !c.Cooked() {
		t.Error("the terminal isn't cooked")
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	c := shell(t, terminal.Options{Columns: 33, Rows: 7}, `trap 'stty size' WINCH; stty size; while :; do read x; done`)
	c.WaitText("7 33")
	c.Resize(20, 6)
	c.WaitText("6 20")
	c.Resize(100, 30)
	s := c.WaitText("30 100")
	if len(s.Rows) != 30 {
		t.Errorf("%d rows", len(s.Rows))
	}
}

// A lower screen keeps the cursor's row, and what is above goes to the scrollback.
func TestLower(t *testing.T) {
	t.Parallel()
	c := shell(t, terminal.Options{Columns: 20, Rows: 6}, `printf 'a\r\nb\r\nc\r\nd\r\ne>'; read x; printf '%s!' "$x"; read y`)
	c.WaitText("e>")
	c.Resize(20, 2)
	s := c.Screen()
	if !slices.Equal(s.Rows, []string{"d", "e>"}) || !slices.Equal(s.Scrollback(), []string{"a", "b", "c"}) {
		t.Errorf("seen: %q above %q", s.Scrollback(), s.Rows)
	}
	c.Type("f\n")
	s = c.WaitText("f!")
	if got := s.History(); !slices.Equal(got, []string{"a", "b", "c", "d", "e>f", "f!"}) {
		t.Errorf("history %q", got)
	}
}

func TestExit(t *testing.T) {
	t.Parallel()
	c := shell(t, terminal.Options{}, `stty raw -echo; printf last; exit 7`)
	if got := c.Exit(); got != 7 || string(c.Raw()) != "last" || c.Cooked() || c.Restored() {
		t.Errorf("status %d, written %q, cooked %v, restored %v", got, c.Raw(), c.Cooked(), c.Restored())
	}
	c = shell(t, terminal.Options{}, `old=$(stty -g); stty raw; stty $old; kill -9 $$`)
	if got := c.Exit(); got != -9 || !c.Restored() {
		t.Errorf("status %d, restored %v", got, c.Restored())
	}
	c = shell(t, terminal.Options{}, `trap 'exit 3' TERM; echo up; while :; do read x; done`)
	c.WaitText("up")
	c.Signal(syscall.SIGTERM)
	c.Type("\n") // a shell looks at its traps between commands
	if got := c.Exit(); got != 3 {
		t.Errorf("status %d", got)
	}
	c = shell(t, terminal.Options{}, `echo up; read x`)
	c.WaitText("up")
	c.HangUp()
	if got := c.Exit(); got != -int(syscall.SIGHUP) {
		t.Errorf("status %d", got)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	dark, light := true, false
	for _, c := range []struct {
		name    string
		options terminal.Options
		query   string
		want    string
	}{
		{"dark", terminal.Options{Dark: &dark}, `\033]11;?\007`, "\x1b]11;rgb:1616/1818/1c1c\x1b\\"},
		{"light", terminal.Options{Dark: &light, Answers: true}, `\033]11;?\007`, "\x1b]11;rgb:fdfd/fdfd/fafa\x1b\\"},
		{"no colour", terminal.Options{Answers: true}, `\033]11;?\007\033[>q`, "\x1bP>|terminal(1)\x1b\\"},
		{"sync", terminal.Options{Answers: true}, `\033[?2026$p`, "\x1b[?2026;2$y"},
		{"paste", terminal.Options{Answers: true}, `\033[?2004h\033[?2004$p`, "\x1b[?2004;1$y"},
		{"kitty", terminal.Options{Answers: true}, `\033[>5u\033[?u`, "\x1b[?5u"},
		{"attributes", terminal.Options{Answers: true}, `\033[c`, "\x1b[?62;1;6;22c"},
		{"place", terminal.Options{Answers: true}, `ab\033[6n`, "\x1b[1;3R"},
		{"mute", terminal.Options{}, `\033[c\033[6n\033[?2026$p\033]11;?\007`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := c.options
			o.Args = []string{"/bin/sh", "-c", `stty raw -echo; printf '` + c.query + `'; printf up; exec cat -v`}
			p := terminal.Start(t, o)
			p.WaitText("up")
			p.Type("END")
			s := p.WaitText("END")
			got := s.Text()[strings.Index(s.Text(), "up")+2:]
			want := strings.ReplaceAll(c.want, "\x1b", "^[") + "END"
			if got != want {
				t.Errorf("answered %q, want %q", got, want)
			}
		})
	}
}

// A frame is seen whole: never the old text beside the new.
func TestFrames(t *testing.T) {
	t.Parallel()
	c := shell(t, terminal.Options{Columns: 20, Rows: 3}, `stty -echo; printf '1 1'; read x; for i in 2 3 4 5 6 7 8 9; do
		printf '\033[?2026h\r%s' $i; read x; printf ' %s\033[?2026l' $i; done; printf '\r\nend'; read x`)
	c.WaitText("1 1")
	for range 9 {
		c.Type("\n")
	}
	c.Wait("the end", func(s terminal.Screen) bool {
		if row := s.Rows[0]; len(row) == 3 && row[0] != row[2] {
			t.Errorf("half a frame: %q", row)
		}
		return s.Contains("end")
	})
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, old, kitty string }{
		{"a", "a", "a"},
		{"G", "G", "G"},
		{"+", "+", "+"},
		{"界", "界", "界"},
		{"space", " ", " "},
		{"enter", "\r", "\r"},
		{"tab", "\t", "\t"},
		{"backspace", "\x7f", "\x7f"},
		{"esc", "\x1b", "\x1b[27u"},
		{"ctrl+c", "\x03", "\x1b[99;5u"},
		{"alt+b", "\x1bb", "\x1b[98;3u"},
		{"alt+enter", "\x1b\r", "\x1b[13;3u"},
		{"shift+enter", "\r", "\x1b[13;2u"},
		{"shift+tab", "\x1b[Z", "\x1b[9;2u"},
		{"ctrl+space", "\x00", "\x1b[32;5u"},
		{"up", "\x1b[A", "\x1b[A"},
		{"ctrl+left", "\x1b[1;5D", "\x1b[1;5D"},
		{"end", "\x1b[F", "\x1b[F"},
		{"pgdown", "\x1b[6~", "\x1b[6~"},
		{"ctrl+delete", "\x1b[3;5~", "\x1b[3;5~"},
		{"f1", "\x1bOP", "\x1bOP"},
		{"f12", "\x1b[24~", "\x1b[24~"},
	} {
		for _, answers := range []bool{false, true} {
			want := c.old
			if answers {
				want = c.kitty
			}
			if got, ok := terminal.Encode(c.key, answers); got != want || !ok {
				t.Errorf("%s, modern %v: %q %v, want %q", c.key, answers, got, ok, want)
			}
		}
	}
	if _, ok := terminal.Encode("nokey", false); ok {
		t.Error("nokey is a key")
	}
}

// What is typed follows the modes that the program has set.
func TestTyping(t *testing.T) {
	t.Parallel()
	c := shell(t, terminal.Options{Answers: true}, `stty raw -echo; printf '\033[?2004h\033[?1h\033[>1uup'; exec cat -v`)
	c.WaitText("up")
	c.Key("up", "ctrl+c")
	c.WaitText("up^[OA^[[99;5u")
	c.Paste("a\nb\x1b\tc")
	c.WaitText("^[[200~a^Mb")
	c.WaitText("c^[[201~")
	c = shell(t, terminal.Options{}, `stty raw -echo; printf '\033[>1uup'; exec cat -v`)
	c.WaitText("up")
	c.Key("ctrl+c", "esc")
	c.Paste("x\r\ny")
	c.WaitText("up^C^[x^My")
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	c := shell(t, terminal.Options{Env: []string{"A=1", "COLORTERM=", "PATH=/bin:/usr/bin"}, Dir: "/"}, `echo "$A $TERM [$COLORTERM] $(pwd)"; tty >/dev/null && echo tty; ps -o sid= -p $$; echo $$`)
	c.Exit()
	s := c.Screen()
	if s.Rows[0] != "1 xterm-256color [] /" || s.Rows[1] != "tty" || strings.TrimSpace(s.Rows[2]) != s.Rows[3] || s.Rows[3] != fmt.Sprint(c.Pid()) {
		t.Errorf("seen: %s", s)
	}
}

// Nothing is left behind, whatever the program does: it ignores signals, floods, or never reads its answers.
func TestNothingLeft(t *testing.T) {
	for _, script := range []string{
		`trap '' HUP TERM INT; echo up; while :; do read x; done`,
		`echo up; yes`,
		`stty raw -echo; echo up; while :; do printf '\033[c\033[6n'; done`,
		`echo up; printf '\033]2;never ended'; sleep 1000`,
	} {
		t.Run("", func(t *testing.T) {
			c := shell(t, terminal.Options{Answers: true}, script)
			c.Wait("up", func(s terminal.Screen) bool { return strings.Contains(string(c.Raw()), "up") })
		})
	}
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	if strings.Contains(string(stacks), "terminal.(*Terminal)") {
		t.Errorf("a goroutine lives on\n%s", stacks)
	}
}

// failing is a test that notes its failure.
type failing struct {
	testing.TB
	told string
}

func (f *failing) Helper() {}
func (f *failing) Fatalf(format string, args ...any) {
	f.told = fmt.Sprintf(format, args...)
	panic(f)
}

// A program that ends without what is waited for fails the test at once, with its screen.
func TestFailure(t *testing.T) {
	t.Parallel()
	f := &failing{TB: t}
	defer func() {
		if recover() != f || !strings.Contains(f.told, "nothing like that") || !strings.Contains(f.told, "so it ends") {
			t.Errorf("told %q", f.told)
		}
	}()
	shell(f, terminal.Options{Columns: 30, Rows: 3}, `echo so it ends`).WaitText("nothing like that")
}
