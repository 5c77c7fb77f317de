package pty

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scene is a real program, and what a model would do with it.
type scene struct {
	program, command string
	play             func(p *play, dir string)
}

func scenes() []scene {
	return []scene{
		{"python3", "PYTHON_BASIC_REPL=1 python3 -q", func(p *play, _ string) {
			p.saw(">>> ")
			p.text("x = 6*7\n")
			p.text("print('x is', x)\n")
			p.saw("x is 42")
			p.text("import getpass; print(len(getpass.getpass()))\n")
			p.saw("Password: ")
			if !p.EchoOff() || !p.types(Input{Text: "secret\n"}).Hidden {
				p.t.Error("a password isn't noticed")
			}
			p.saw("6\n>>> ") // before that what is pressed meets a terminal in another mode
			p.keys("ctrl+d")
			p.rest()
		}},
		{"node", "node", func(p *play, _ string) {
			p.shows("\n>")
			p.text("6*7\n")
			p.shows("42")
			p.keys("up", "enter")
			p.text(".exit\n")
			p.rest()
		}},
		{"less", "less f", func(p *play, dir string) {
			p.shows("line 1\n")
			if !p.Screen().Alternate {
				p.t.Error("less isn't on the alternate screen")
			}
			p.keys("end")
			p.shows("line 300")
			p.text("?line 17$\n")
			p.shows("line 17")
			p.keys("down", "pgup", "q")
			p.rest()
		}},
		{"vi", "vi -u NONE -N new.txt", func(p *play, dir string) {
			p.shows("~\n~")
			p.text("ihello from vi")
			p.keys("esc")
			p.text(":wq\n")
			p.rest()
			if text, _ := os.ReadFile(filepath.Join(dir, "new.txt")); string(text) != "hello from vi\n" {
				p.t.Errorf("vi wrote %q", text)
			}
		}},
		{"vim", "vim -u NONE -N -c 'set mouse=a ttymouse=sgr' f", func(p *play, _ string) {
			p.shows("line 1\n")
			must(p.t, p.Resize(60, 12))
			p.text("G")
			p.shows("line 300")
			p.text(":q!\n")
			p.rest()
		}},
		{"top", "top -d 1", func(p *play, _ string) {
			p.shows("PID")
			p.text("q")
			p.rest()
		}},
		{"git", "git init -q . && git add f && sed -i 's/line 1$/line one/' f && git add -p", func(p *play, dir string) {
			p.saw("]? ")
			p.text("y\n")
			p.rest()
		}},
		{"bash", `bash -c 'read -s -p "Word: " w; echo; read -p "Again: " a; echo "${#w} $a"'`, func(p *play, _ string) {
			p.saw("Word: ")
			must(p.t, eventually("no echo", p.EchoOff))
			if typed := p.types(Input{Text: "open sesame\n"}); !typed.Hidden {
				p.t.Errorf("%+v", typed)
			}
			p.saw("Again: ")
			p.text("shown\n")
			if got := p.rest(); !strings.Contains(got, "11 shown\n") || strings.Contains(p.all+got, "sesame") {
				p.t.Errorf("%q", got)
			}
		}},
		{"dialog", `dialog --yesno 'Really and truly?' 8 40; s=$?; dialog --inputbox 'Your name' 8 40 2>name; clear; echo "status $s, $(cat name)"`, func(p *play, _ string) {
			p.shows("Really and truly?")
			p.keys("right", "enter")
			p.shows("Your name")
			p.text("Ada")
			p.keys("enter")
			if got := p.rest(); !strings.Contains(got, "status 1, Ada") {
				p.t.Errorf("%q", got)
			}
		}},
		{"sudo", "sudo -k; sudo -n true; echo status $?", func(p *play, _ string) { p.saw("status "); p.rest() }},
		{"gdb", "gdb -q -nx", func(p *play, _ string) {
			p.saw("(gdb) ")
			p.text("print 6*7\n")
			p.saw("$1 = 42")
			p.text("quit\n")
			p.rest()
		}},
		{"sqlite3", "sqlite3 x.db", func(p *play, _ string) {
			p.saw("sqlite> ")
			p.text("select 6*7;\n")
			p.saw("42\n")
			p.text(".quit\n")
			p.rest()
		}},
		{"tmux", "tmux -S socket -f /dev/null new 'echo in tmux; exec sleep 60'", func(p *play, _ string) {
			p.shows("in tmux")
			p.keys("ctrl+b", "&")
			p.shows("(y/n)")
			p.text("y")
			p.rest()
		}},
		{"perl", "perl -de0", func(p *play, _ string) {
			p.saw("DB<1> ")
			p.text("p 6*7\n")
			p.saw("42")
			p.text("q\n")
			p.rest()
		}},
	}
}

// more says that a program is tried where it is, and not asked of every machine that runs the tests: make test installs the others.
func more(program string) bool {
	switch program {
	case "gdb", "sqlite3", "perl":
		return true
	}
	return false
}

// Real programs.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, s := range scenes() {
		if !there(s.program) {
			if !more(s.program) {
				t.Errorf("%s is not here: make programs installs what the tests need", s.program)
			}
			continue
		}
		t.Run(s.program, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var b strings.Builder
			for i := range 300 {
				b.WriteString("line " + itoa(i+1) + "\n")
			}
			must(t, os.WriteFile(filepath.Join(dir, "f"), []byte(b.String()), 0o644))
			p := beginIn(t, newSet(t, Config{}), s.command, dir)
			s.play(p, dir)
			if info := p.Info(); info.State != Exited || info.Status != 0 {
				t.Errorf("%+v", info)
			}
		})
	}
}

// ssh to this machine: a question about a key that isn't known, a password that isn't shown, and a program at the other end.
func TestSSH(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, word := range map[string]string{"host": "", "own": "open sesame"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", word, "-f", filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Fatalf("ssh-keygen: %v: %s", err, out)
		}
	}
	port := freePort(t)
	config := strings.NewReplacer("DIR", dir, "PORT", port).Replace("Port PORT\nListenAddress 127.0.0.1\nHostKey DIR/host\nAuthorizedKeysFile DIR/own.pub\n" +
		"PidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nPrintMotd no\nSetEnv SHLVL=2\n") // or bash would read the person's start file
	must(t, os.WriteFile(filepath.Join(dir, "sshd_config"), []byte(config), 0o600))
	if os.Getuid() == 0 {
		must(t, os.MkdirAll("/run/sshd", 0o755)) // where its unprivileged part lives
	}
	server := exec.Command("/usr/sbin/sshd", "-D", "-e", "-f", filepath.Join(dir, "sshd_config"))
	must(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	must(t, eventually("sshd", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			c.Close()
		}
		return err == nil
	}))
	p := begin(t, "ssh -tt -F none -o IdentityAgent=none -o UserKnownHostsFile="+dir+"/known -i "+dir+"/own -p "+port+
		` 127.0.0.1 'stty size; printf "Far? "; read far; echo "it is $far"'`)
	p.saw("(yes/no")
	p.text("yes\n")
	p.saw("passphrase")
	must(t, eventually("no echo", p.EchoOff))
	if typed := p.types(Input{Text: "open sesame\n"}); !typed.Hidden {
		t.Errorf("%+v", typed)
	}
	p.saw("24 80")
	p.saw("Far? ")
	p.text("very\n")
	if got := p.rest(); !strings.Contains(got, "it is very\n") || strings.Contains(p.all+got, "sesame") {
		t.Errorf("%q", got)
	}
	if info := p.Info(); info.Status != 0 {
		t.Errorf("%+v", info)
	}
}

// freePort is a port that nobody listens at.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	must(t, err)
	return port
}

// A wait for a text ends when it was printed, and one for nothing in particular when the program is still.
func TestWaiting(t *testing.T) {
	t.Parallel()
	p := begin(t, `stty -echo; echo ready; while read x; do printf 'one '; sleep 0.3; echo "two $x"; done`)
	p.saw("ready\n")
	for _, c := range []struct {
		wait Wait
		came bool
		want string
	}{
		{Wait{Longest: limit, For: "two"}, true, "one two a\n"},
		{Wait{Longest: limit, For: "ne t"}, true, "one two a\n"},
		{Wait{Longest: limit}, true, "one "},
		{Wait{Longest: limit, For: "two a"}, true, "two a\none two a\n"},
		{Wait{Longest: settling, For: "never"}, false, "one "},
	} {
		_, came := p.Type(context.Background(), Input{Text: "a\n"}, c.wait)
		got := p.Read(context.Background(), 0, Wait{}).Text
		for c.came && len(got) < len(c.want) { // the end of the line, in a piece of its own
			got += p.Read(context.Background(), 0, Wait{Longest: limit}).Text
		}
		if came != c.came || got != c.want {
			t.Errorf("%+v: %v, %q, want %q", c.wait, came, got, c.want)
		}
	}
	p.Kill()
	if _, came := p.Type(context.Background(), Input{Text: "x"}, Wait{Longest: limit, For: "x"}); came {
		t.Error("something came after the end")
	}
	if page := p.Read(context.Background(), 0, Wait{Longest: limit, For: "x"}); page.Came {
		t.Errorf("%+v", page)
	}
}
