package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"wisp/golden/terminal"
)

// tmux is a server of its own with one window, in which a shell runs.
type tmux struct {
	*testing.T
	p      *place
	socket string
}

func (p *place) tmux(t *testing.T) *tmux {
	t.Helper()
	dir, err := os.MkdirTemp("", "wisp") // a socket's path must be short
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	m := &tmux{t, p, filepath.Join(dir, "s")}
	t.Cleanup(func() { m.command("kill-server").Run() })
	p.env = append(p.env, "PS1=$ ", "ENV=")
	m.do("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", p.dir, "exec /bin/sh")
	m.sees("$")
	return m
}

func (m *tmux) command(args ...string) *exec.Cmd {
	c := exec.Command("tmux", append([]string{"-S", m.socket}, args...)...)
	c.Env = append(slices.Clone(m.p.env), "TERM=xterm-256color")
	return c
}

func (m *tmux) do(args ...string) string {
	m.Helper()
	out, err := m.command(args...).CombinedOutput()
	if err != nil {
		m.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// keys types a text, and then presses a key by tmux's name where one is given.
func (m *tmux) keys(text, key string) {
	m.Helper()
	if text != "" {
		m.do("send-keys", "-l", text)
	}
	if key != "" {
		m.do("send-keys", key)
	}
}

// all is the scrollback and the screen, joined where tmux has wrapped.
func (m *tmux) all() string { return m.do("capture-pane", "-p", "-J", "-S", "-") }

// last is the last row that holds anything.
func last(text string) string {
	text = strings.TrimRight(text, " \n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// until waits until what is seen is good.
func (m *tmux) until(what string, good func(all string) bool) {
	m.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(terminal.Limit); ; <-tick.C {
		all := m.all()
		if good(all) {
			return
		}
		if time.Now().After(end) {
			m.Fatalf("never seen: %s\n%s", what, all)
		}
	}
}

func (m *tmux) sees(text string) {
	m.Helper()
	m.until(text, func(all string) bool { return strings.Contains(all, text) })
}

// band says whether the box and the status line stand at the bottom, once since the face was brought to the foreground.
func band(all string) bool {
	const started = "wisp-tui --yes"
	if i := strings.LastIndex(all, started); i >= 0 {
		_, all, _ = strings.Cut(all[i:], "\n")
	}
	return strings.Count(all, " > Ask") == 1 && strings.Contains(last(all), "scripted:") && strings.Count(all, "scripted:") == 1
}

// holds waits until the conversation's words stand there, each once and in order, above an empty box.
func (m *tmux) holds(what string, words []string) {
	m.Helper()
	var got []string
	end := time.Now().Add(terminal.Limit)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for ; ; <-tick.C {
		all := m.all()
		got = regexp.MustCompile(`tok\d+`).FindAllString(all, -1)
		if slices.Equal(got, words) && band(all) {
			return
		}
		if time.Now().After(end) {
			m.Fatalf("%s: %d words, want %d; once each: %v, a band: %v\n%s", what, len(got), len(words), slices.Equal(got, words), band(all), all)
		}
	}
}

func tokens(from, to int) (all []string) {
	for i := from; i < to; i++ {
		all = append(all, fmt.Sprintf("tok%03d", i))
	}
	return all
}

// resizes are what a person does to a window.
func resizes() [][]string {
	return [][]string{
		{"resize-window", "-x", "50", "-y", "24"}, {"resize-window", "-x", "120", "-y", "30"}, {"resize-window", "-x", "20", "-y", "6"},
		{"resize-window", "-x", "80", "-y", "24"}, {"split-window", "-h", "-d", "sleep 60"}, {"split-window", "-v", "-d", "sleep 60"},
		{"kill-pane", "-a"}, {"resize-window", "-x", "33", "-y", "9"}, {"resize-window", "-x", "80", "-y", "24"},
	}
}

// begin starts wisp-tui in the shell and has a conversation whose words are the tokens from 0 to 24.
func (m *tmux) begin(script ...string) {
	m.Helper()
	reply := `{"text":"` + strings.Join(tokens(1, 12), `\n\n`) + `"}`
	m.keys("clear; wisp-tui --yes "+m.p.script(append([]string{reply}, script...)...), "Enter")
	m.until("a band", band)
	m.keys("tok000", "Enter")
	m.holds("a reply", tokens(0, 12))
	m.p.write("printed", strings.Join(tokens(12, 24), "\n")+"\n", 0o600)
	m.keys("! cat printed", "Enter")
	m.sees("exit 0")
	m.holds("a command", tokens(0, 24))
}

// Whatever becomes of the window, the conversation stands there once and in order. It runs beside no other test: tmux re-wraps a
// pane before it tells of it, and a face that a busy machine holds back for long draws on what it doesn't know of yet.
func TestTmuxResizes(t *testing.T) {
	open := strings.Join(tokens(25, 45), ` `)
	for name, c := range map[string]struct{ script, typed string }{
		"idle":      {"", ""},
		"streaming": {`{"pieceMs":60,"text":["` + strings.Join(tokens(25, 45), `","\n\n`) + `"]}`, "tok024"},
		"a block":   {`{"pieceMs":60,"text":["- ` + strings.Join(tokens(25, 45), `\n","- `) + `"]}`, "tok024"},
		"paragraph": {`{"pieceMs":60,"text":["` + strings.ReplaceAll(open, " ", ` ","`) + `"]}`, "tok024"},
		"a command": {"", `! cat first; while read -r line; do sleep 0.06; echo "$line"; done <more`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.write("first", "tok024\n", 0o600)
			p.write("more", strings.Join(tokens(25, 38), "\n")+"\n", 0o600)
			m := p.tmux(t)
			m.begin(c.script)
			want := tokens(0, 24)
			if c.typed != "" {
				m.keys(c.typed, "Enter")
				m.sees("tok025")
				want = tokens(0, 45)
			}
			if name == "a command" {
				want = tokens(0, 38)
			}
			for _, how := range resizes() {
				m.do(how...)
				if c.typed == "" {
					m.holds(strings.Join(how, " "), want)
				}
			}
			m.holds("at the end", want)
			m.keys("", "C-d")
			m.until("the shell", func(all string) bool { return last(all) == "$" })
			if got := regexp.MustCompile(`tok\d+`).FindAllString(m.all(), -1); !slices.Equal(got, want) {
				t.Errorf("after the end: %q", got)
			}
		})
	}
}
