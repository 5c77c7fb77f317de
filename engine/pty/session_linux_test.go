package pty

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// R056, R057: what is read is text, wherever a sequence is cut.
func TestReadsAreText(t *testing.T) {
	t.Parallel()
	p := begin(t, `printf 'plain \033['; read a; printf '1mBold \033[0m\033[?9001h\033[?2026h\033(B\033=\233''31mred\n'; printf '\033]0;no end'; printf '\nafter\r\n'`)
	p.saw("plain ")
	p.text("\n")
	got := p.rest()
	if got != "\nBold red\n\nafter\n" { // the first newline is the echo of Enter
		t.Errorf("%q", got)
	}
}

// R058: nothing waits in a pager.
func TestNoPager(t *testing.T) {
	t.Parallel()
	p := begin(t, `git init -q . && git config core.pager less && git config pager.log less && git config user.email a@b && git config user.name a &&
		for i in $(seq 1 300); do echo "commit refs/heads/m
committer a <a@b> $i +0000
data <<E
c$i
E
"; done | git fast-import --quiet && git log --oneline m; man -P less ls >/dev/null; echo ended`)
	got := p.rest()
	if strings.Count(got, "\n") < 301 || !strings.HasSuffix(got, "ended\n") {
		t.Errorf("%d lines, the end %q", strings.Count(got, "\n"), got[max(0, len(got)-200):])
	}
}

// R061: the end is no error, and loses nothing.
func TestLastWords(t *testing.T) {
	t.Parallel()
	set := newSet(t, Config{})
	dir := t.TempDir()
	for i := range 200 {
		p := beginIn(t, set, fmt.Sprintf("echo done; exit %d", i%200), dir)
		if got := p.rest(); got != "done\n" {
			t.Fatalf("run %d: %q", i, got)
		}
		if info := p.Info(); info.State != Exited || info.Status != i%200 || info.Why != "" {
			t.Fatalf("run %d: %+v", i, info)
		}
		<-p.Gone()
	}
}

// R062: much output with an immediate end is whole and in order; what scrolled out is counted.
func TestMuchAtTheEnd(t *testing.T) {
	t.Parallel()
	p := begin(t, "seq 1 60000")
	<-p.drained
	var b strings.Builder
	lost := 0
	for {
		page := p.Read(context.Background(), 20_000, Wait{})
		if b.Len() == 0 {
			lost = page.Lost
		} else if page.Lost != 0 {
			t.Fatalf("lost %d later", page.Lost)
		}
		if n := len(page.Text); n > 20_000 {
			t.Fatalf("%d characters", n)
		}
		b.WriteString(page.Text)
		if page.Remain == 0 {
			break
		}
	}
	var all strings.Builder
	for i := range 60_000 {
		all.WriteString(strconv.Itoa(i+1) + "\n")
	}
	if want := all.String()[lost:]; b.String() != want || len(want) != retained {
		t.Errorf("lost %d, then %d characters, %d are retained", lost, b.Len(), retained)
	}
}

// R063: what a session started is gone with it, wherever it went.
func TestKillReachesAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, command string }{
		{"children", `sleep 901 & echo one=$!; sleep 902 & echo two=$!; sleep 903`},
		{"job control", `bash -c 'set -m; sleep 904 & echo one=$!; sleep 905 & echo two=$!; wait'`},
		{"own sessions", `setsid sh -c 'echo one=$$; exec sleep 906' & (setsid sh -c 'echo two=$$; exec sleep 907' &) ; sleep 908`},
		{"deaf ones", `sh -c 'trap "" HUP TERM INT; echo one=$$; while :; do sleep 60; done' & echo two=$!; wait`},
		{"nohup", `nohup sleep 909 >/dev/null & echo one=$!; echo two=$!; wait`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := begin(t, c.command)
			one, two := p.pid("one"), p.pid("two")
			p.Kill()
			if !dead(one) || !dead(two) {
				t.Errorf("alive: %d %v, %d %v", one, !dead(one), two, !dead(two))
			}
			if info := p.Info(); info.State != Killed || info.Why == "" || info.Status == 0 {
				t.Errorf("%+v", info)
			}
			p.Kill() // once more does nothing
		})
	}
}

// What a shell that ends leaves behind is ended too.
func TestEndLeavesNothing(t *testing.T) {
	t.Parallel()
	p := begin(t, `setsid sh -c 'echo one=$$; : >said; exec sleep 911' & until [ -e said ]; do sleep 0.02; done; echo two=0; exit 3`)
	one := p.pid("one")
	p.rest()
	if info := p.Info(); info.State != Exited || info.Status != 3 {
		t.Errorf("%+v", info)
	}
	select {
	case <-p.Gone():
	case <-time.After(limit):
	}
	if !dead(one) {
		t.Errorf("%d lives on", one)
	}
}

// pid waits for the line "name=PID".
func (p *play) pid(name string) int {
	p.t.Helper()
	for !strings.Contains(p.all, name+"=") || !strings.Contains(p.all[strings.Index(p.all, name+"="):], "\n") {
		p.saw("\n")
	}
	_, rest, _ := strings.Cut(p.all, name+"=")
	line, _, _ := strings.Cut(rest, "\n")
	pid, err := strconv.Atoi(line)
	must(p.t, err)
	return pid
}

// R064: a line of any length comes whole to a program that reads lines, however it reads them.
func TestLongLines(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("0123456789", 600) + "é" + strings.Repeat("你", 700)
	for name, command := range map[string]string{
		"cat": "cat >f", "read": `bash -c 'IFS= read -r x; printf "%s\n" "$x" >f'`, "by byte": "dd bs=1 of=f 2>/dev/null", "by 1024": "dd bs=1024 of=f 2>/dev/null",
		"by the piece": fmt.Sprintf("dd bs=%d of=f 2>/dev/null", lineBytes), "head": "head -n 1 >f",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := beginIn(t, newSet(t, Config{}), "stty -echo; echo ready; "+command, dir)
			p.saw("ready")
			for i := 0; i < len(line); i += 1999 { // across writes too
				p.text(strings.ToValidUTF8(line[i:min(len(line), i+1999)], "?"))
			}
			p.text("\n")
			want := ""
			for i := 0; i < len(line); i += 1999 {
				want += strings.ToValidUTF8(line[i:min(len(line), i+1999)], "?")
			}
			var got []byte
			if name != "read" && name != "head" {
				must(t, eventually("the line", func() bool {
					got, _ = os.ReadFile(filepath.Join(dir, "f"))
					return strings.HasSuffix(string(got), "\n")
				}))
				p.keys("ctrl+d")
			}
			p.rest()
			if got, _ = os.ReadFile(filepath.Join(dir, "f")); string(got) != want+"\n" {
				t.Errorf("%d bytes of %d", len(got), len(want)+1)
			}
		})
	}
}

// A program that doesn't read holds nobody up, and what it didn't take is said.
func TestDeafProgram(t *testing.T) {
	t.Parallel()
	p := begin(t, "stty raw -echo; echo ready; exec sleep 912")
	p.saw("ready")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	total := 0
	var r Typed
	for r.Fault == "" && total < 1<<20 {
		r, _ = p.Type(ctx, Input{Text: strings.Repeat("x", MostTyped)}, Wait{})
		total += r.Taken
	}
	if r.Fault == "" || r.Left == 0 || r.Taken+r.Left != MostTyped {
		t.Errorf("%d were taken, then %+v", total, r)
	}
	if r, _ := p.Type(context.Background(), Input{Text: strings.Repeat("x", MostTyped+1)}, Wait{}); r.Taken != 0 || !strings.Contains(r.Fault, "16384") {
		t.Errorf("too much: %+v", r)
	}
	p.Kill()
	if r, _ := p.Type(context.Background(), Input{Text: "x"}, Wait{}); r.Fault != errOver.Error() || r.Left != 1 {
		t.Errorf("after the end: %+v", r)
	}
}

// R066: a prompt for a password is noticed, and what is typed there is hidden.
func TestPassword(t *testing.T) {
	t.Parallel()
	p := begin(t, `bash -c 'read -p "Name: " n; read -s -p "Password: " x; echo; echo got ${#x}; read y'`)
	p.saw("Name: ")
	if p.EchoOff() || p.types(Input{Text: "ada\n"}).Hidden {
		t.Error("a name is no password")
	}
	p.saw("Password: ")
	if !p.EchoOff() || !p.Info().EchoOff {
		t.Error("a password isn't noticed")
	}
	if !p.types(Input{Text: "hunter22\n"}).Hidden {
		t.Error("a password isn't hidden")
	}
	p.saw("got 8")
	if p.EchoOff() {
		t.Error("it is still hidden")
	}
	if strings.Contains(p.all, "hunter") || strings.Contains(strings.Join(p.Screen().Rows, "\n"), "hunter") {
		t.Errorf("shown: %q", p.all)
	}
}

// R067: the size reaches the program, and no size harms.
func TestResizeReaches(t *testing.T) {
	t.Parallel()
	p := begin(t, `stty size; trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done`)
	p.saw("24 80")
	p.saw("ready")
	must(t, p.Resize(100, 30))
	p.saw("30 100")
	for _, size := range [][2]int{{0, 0}, {1, 1}, {-1, 24}, {80, 1 << 20}, {1 << 20, 24}, {501, 24}, {80, 201}} {
		if err := p.Resize(size[0], size[1]); err == nil {
			t.Errorf("%v passes", size)
		}
	}
	must(t, p.Resize(500, 200))
	p.saw("200 500")
	if v := p.Screen(); len(v.Rows) != 200 || v.Columns != 500 {
		t.Errorf("%d×%d", v.Columns, len(v.Rows))
	}
}

// Signals go where a key press would.
func TestSignals(t *testing.T) {
	t.Parallel()
	p := begin(t, `exec bash -c 'trap "echo got int" INT; trap "echo got usr1" USR1; trap "echo got quit" QUIT; echo ready; while :; do sleep 0.02; done'`)
	p.saw("ready")
	for _, name := range []string{"usr1", "USR1", "SIGUSR1"} {
		must(t, p.Signal(name))
		p.saw("got usr1")
	}
	must(t, p.Signal("int"))
	p.saw("got int")
	p.keys("ctrl+\\")
	p.saw("got quit")
	must(t, p.Signal("tstp"))
	must(t, p.Signal("cont"))
	if err := p.Signal("stop"); err == nil || !strings.Contains(err.Error(), "tstp") {
		t.Errorf("an unknown one: %v", err)
	}
	must(t, p.Signal("kill"))
	p.rest()
	if p.Signal("int") == nil {
		t.Error("a signal after the end")
	}
}

// An unfinished line is read as it stands, and again where it is written over.
func TestUnfinishedLines(t *testing.T) {
	t.Parallel()
	p := begin(t, `stty -echo; printf 'Name: '; read a; printf '\n10%%'; read a; printf '\r20%%'; read a; printf '\b\bx%%\n'; read a; printf 'é'; read a; printf 'f\n'`)
	for _, want := range []string{"Name: ", "\n10%", "\n20%", "\n2x%\n", "é", "f\n"} {
		got := ""
		if err := eventually(want, func() bool {
			got += p.Read(context.Background(), 0, Wait{Longest: limit}).Text
			return len(got) >= len(want)
		}); err != nil || got != want {
			t.Fatalf("%q, want %q, %v", got, want, err)
		}
		if want != "f\n" {
			p.text("\n")
		}
	}
}

// What a terminal holds when the time to read it is over is read all the same, and no more than that of a stranger that goes on.
func TestRestOfATerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ least, most int }{"ended": {5, 5}, "flood": {1, deviceBytes + readBytes}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, program, err := openDevice(defaultColumns, defaultRows)
			must(t, err)
			defer d.close()
			if name == "ended" {
				_, err = program.WriteString("last\n")
				must(t, err)
				must(t, program.Close())
			} else {
				go func() { // until its terminal is gone
					for err == nil {
						_, err = program.WriteString(strings.Repeat("y\n", 1<<10))
					}
					program.Close()
				}()
				one := make([]byte, 1)
				_, _ = d.read(one)
			}
			d.reads.end()
			got, buf := 0, make([]byte, readBytes)
			for {
				n, err := d.read(buf)
				got += n
				if err != nil {
					break
				}
			}
			if name == "ended" {
				got-- // the carriage return
			}
			if got < c.least || got > c.most {
				t.Errorf("%d bytes", got)
			}
		})
	}
}
