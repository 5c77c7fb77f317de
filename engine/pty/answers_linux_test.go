package pty

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// raw is a program that sets its terminal raw, asks, and prints what it is answered within a second.
func raw(question string) string {
	return fmt.Sprintf(`exec python3 -c '
import os, select, termios, tty
old = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b"%s")
got = b""
while select.select([0], [], [], 1)[0]:
    got += os.read(0, 1000)
    if got.endswith(b"R") or got.endswith(b"c") or got.endswith(b"\\"): break
termios.tcsetattr(0, termios.TCSADRAIN, old)
print("got", repr(got))
'`, question)
}

// R059: what a raw program asks is answered.
func TestAnswered(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		`\x1b[6n`: `got b'\x1b[1;1R'`, `abc\x1b[6n`: `got b'\x1b[1;4R'`, `\x1b[c`: `got b'\x1b[?62;22c'`,
		`\x1b]11;?\x1b\\`:                  `got b'\x1b]11;rgb:0000/0000/0000\x1b\\'`,
		`\x1b[5n\x1b[?u\x1b[18t\x1b[c`:     `got b'\x1b[0n\x1b[?0u\x1b[8;24;80t\x1b[?62;22c'`,
		strings.Repeat(`\x1b[6n`, 20):      strings.Repeat(`\x1b[1;1R`, 1),
		`\x1b[?2026$p\x1bP$qm\x1b\\\x1b[c`: `got b'\x1b[?2026;0$y\x1bP1$r0m\x1b\\\x1b[?62;22c'`,
	} {
		t.Run(question[:min(len(question), 30)], func(t *testing.T) {
			t.Parallel()
			begin(t, raw(question)).saw(want)
		})
	}
}

// bash asks just before it changes the mode.
func TestAnsweredToShell(t *testing.T) {
	t.Parallel()
	begin(t, `bash -c 'IFS=";" read -t 5 -sdR -p $'"'\\033[6n'"' row column; echo at $column'`).saw("at 1")
}

// R060: nothing is answered to who has gone: no answer is in what the next program reads, or on the screen where the terminal reads
// lines all the time. (Who goes without reading may race: the terminal shows an answer that is on its way as the mode changes, and a
// program that reads at once may come before it is taken back.)
func TestNoLateAnswer(t *testing.T) {
	t.Parallel()
	gone := func(how string) string {
		return fmt.Sprintf(`python3 -c '
import os, termios, tty
old = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b"\x1b[6n\x1b[c\x1b]11;?\x07")
termios.tcsetattr(0, termios.%s, old)
'`, how)
	}
	for name, ask := range map[string]string{
		"by a shell": `printf '\033[6n\033[c\033[?u\033]11;?\007\033[18t'`, "drained": gone("TCSADRAIN"), "flushed": gone("TCSAFLUSH"), "at once": gone("TCSANOW"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := begin(t, ask+`; sleep 0.3; echo asked; read x; echo "got <$x>" | cat -v; read y; echo "then <$y>" | cat -v`)
			p.saw("asked")
			p.Read(context.Background(), 0, Wait{Longest: 100 * time.Millisecond})
			p.text("one\n")
			p.saw("got <one>")
			p.text("two\n")
			p.saw("then <two>")
			if name == "by a shell" && (strings.Contains(p.all, "1R") || strings.Contains(p.all, "rgb") || strings.Contains(p.all, "^[")) { // the others change the mode as they are answered
				t.Errorf("%q", p.all)
			}
		})
	}
}

// A flood of questions is answered so often, and stops nothing.
func TestQuestionsAreBounded(t *testing.T) {
	t.Parallel()
	p := begin(t, `stty raw -echo; i=0; while [ $i -lt 2000 ]; do printf '\033[6n'; i=$((i+1)); done; echo asked; timeout --foreground 1 cat >f; stty sane; wc -c <f`)
	p.saw("asked")
	n := 0
	_, err := fmt.Sscan(strings.TrimSpace(p.rest()), &n)
	must(t, err)
	if n == 0 || n > 4*mostAnswers*len("\x1b[1;1R") {
		t.Errorf("%d bytes of answers", n)
	}
}

// R065: single keys, Enter in every mode, keys in the form that the program asked for.
func TestKeys(t *testing.T) {
	t.Parallel()
	read := `exec python3 -c '
import os, sys, termios, tty
MODE
os.write(1, b"%sready")
got = b""
while not got.endswith(b"q"): got += os.read(0, 100)
print(repr(got))
'`
	for _, c := range []struct {
		name, mode, before, want string
		input                    Input
	}{
		{"one key", "tty.setraw(0)", "", `b'tq'`, Input{Text: "tq"}},
		{"enter, raw", "tty.setraw(0)", "", `b'a\rq'`, Input{Text: "a\nq"}},
		{"enter, cbreak", "a = termios.tcgetattr(0); a[3] &= ~(termios.ICANON | termios.ECHO); termios.tcsetattr(0, termios.TCSANOW, a)", "", `b'a\nq'`, Input{Text: "a\nq"}},
		{"arrows", "tty.setraw(0)", "", `b'\x1b[B\x1b[A\rq'`, Input{Keys: []string{"down", "up", "enter", "q"}}},
		{"arrows, application", "tty.setraw(0)", `\x1b[?1h`, `b'\x1bOB\x1bOAq'`, Input{Keys: []string{"Down", "up", "q"}}},
		{"control", "tty.setraw(0)", "", `b'\x03\x1bx\x1b\t\x1b[Z\x7f\x1b[3~\x1bOP\x1b[15~\x1b[24~ q'`,
			Input{Keys: []string{"ctrl+c", "alt+x", "esc", "tab", "shift+tab", "backspace", "delete", "f1", "f5", "f12", "space", "q"}}},
		{"kitty", "tty.setraw(0)", `\x1b[>1u`, `b'\x1b[27u\x1b[99;5ua\rq'`, Input{Keys: []string{"esc", "ctrl+c", "a", "enter", "q"}}},
		{"paste", "tty.setraw(0)", "", `b'a\rbq'`, Input{Paste: "a\nb\x1b\x03q"}},
		{"paste, marked", "tty.setraw(0)", `\x1b[?2004h`, `b'\x1b[200~a\rb[201~\x1b[201~q'`, Input{Paste: "a\nb\x1b[201~"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := begin(t, fmt.Sprintf(strings.Replace(read, "MODE", c.mode, 1), c.before))
			p.saw("ready")
			p.types(c.input)
			if c.name == "paste, marked" {
				p.text("q")
			}
			p.saw(c.want)
		})
	}
	p := begin(t, "cat")
	if r, _ := p.Type(context.Background(), Input{Keys: []string{"up", "hyper+q"}}, Wait{}); r.Taken != 0 || !strings.Contains(r.Fault, "pgdn") {
		t.Errorf("an unknown key: %+v", r)
	}
}
