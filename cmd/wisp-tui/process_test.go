package main_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"wisp/golden/terminal"
)

// bin is where the two programs are that the tests start: built once, for the run.
var bin string

// TestMain builds the programs, or is an engine itself (engine_test.go).
func TestMain(m *testing.M) {
	if script := os.Getenv(engineScript); script != "" {
		os.Exit(playEngine(script))
	}
	flag.Parse()
	flag.Set("test.parallel", "6") // nearly all of them wait for something most of the time
	os.Exit(func() int {
		var err error
		if bin, err = os.MkdirTemp("", "wisp-tui-test"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(bin)
		build := exec.Command("go", "build", "-o", bin+"/", "wisp/cmd/wisp", "wisp/cmd/wisp-tui")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "the programs can't be built: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits until ok holds.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	over := time.After(terminal.Limit)
	for !ok() {
		select {
		case <-tick.C:
		case <-over:
			t.Fatalf("never came: %s", what)
		}
	}
}

// place is a home and a working directory of wisp's, and the environment that it is started with.
type place struct {
	t         testing.TB
	home, dir string
	env       []string
}

func newPlace(t testing.TB) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	p := &place{t: t, home: filepath.Join(root, "home"), dir: filepath.Join(root, "work")}
	must(t, os.Mkdir(p.dir, 0o755))
	must(t, os.Mkdir(p.home, 0o700))
	p.env = []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + root, "WISP_HOME=" + p.home, "SHELL=/bin/sh", "LC_ALL=C.UTF-8",
		"OLLAMA_HOST=127.0.0.1:1", // nobody is there, whatever this machine runs
		"GORACE=atexit_sleep_ms=0",
	}
	return p
}

// config writes the configuration.
func (p *place) config(text string) {
	p.t.Helper()
	must(p.t, os.WriteFile(filepath.Join(p.home, "config.json"), []byte(text), 0o600))
}

// script writes a script and returns the flag that takes it as the model.
func (p *place) script(lines ...string) string {
	p.t.Helper()
	path := filepath.Join(filepath.Dir(p.home), "script.jsonl")
	must(p.t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return "--model=scripted:" + path
}

// write writes a file of the working directory.
func (p *place) write(name, text string, mode os.FileMode) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	must(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(p.t, os.WriteFile(path, []byte(text), mode))
}

// read reads a file of the working directory, once it holds a whole line.
func (p *place) read(name string) string {
	p.t.Helper()
	var data []byte
	eventually(p.t, name, func() bool {
		data, _ = os.ReadFile(filepath.Join(p.dir, name))
		return bytes.HasSuffix(data, []byte("\n"))
	})
	return strings.TrimSuffix(string(data), "\n")
}

// pid reads a file that a command wrote its pid to.
func (p *place) pid(name string) int {
	p.t.Helper()
	n, err := strconv.Atoi(p.read(name))
	must(p.t, err)
	return n
}

// records is the text of every record.
func (p *place) records() string {
	p.t.Helper()
	paths, err := filepath.Glob(filepath.Join(p.home, "threads", "*", "record.jsonl"))
	must(p.t, err)
	var all strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(p.t, err)
		all.Write(text)
	}
	return all.String()
}

// took are the texts of the record's entries of a kind: what the engine took, whatever was drawn. Of a command it is the
// line without its mark.
func (p *place) took(kind string) (all []string) {
	p.t.Helper()
	for line := range strings.Lines(p.records()) {
		var e struct {
			Kind, Text string
			Command    struct{ Line string }
		}
		must(p.t, json.Unmarshal([]byte(line), &e))
		if e.Kind == kind {
			all = append(all, e.Text+e.Command.Line)
		}
	}
	return all
}

// left lists the processes that were started here and still run; where there is no /proc, none.
func (p *place) left() (all []string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		if env, err := os.ReadFile(path); err == nil && bytes.Contains(env, []byte("WISP_HOME="+p.home+"\x00")) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			all = append(all, filepath.Base(filepath.Dir(path))+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return all
}

// alone checks that nothing of what was started here is left.
func (p *place) alone() {
	p.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	over := time.After(5 * time.Second) // the watcher and what it kills have 3 s
	for len(p.left()) > 0 {
		select {
		case <-tick.C:
		case <-over:
			p.t.Fatalf("still runs: %q", p.left())
		}
	}
}

// shellCall is a script's line that calls the shell tool.
func shellCall(command string) string {
	line, _ := json.Marshal(map[string]any{"calls": []any{map[string]any{"name": "shell", "id": "1", "arguments": map[string]string{"command": command}}}})
	return string(line)
}

// face is a wisp-tui under way.
type face struct {
	*terminal.Terminal
	t testing.TB
	p *place
}

// start starts one on a terminal of 80×24 and waits until it takes input.
func (p *place) start(args ...string) *face {
	p.t.Helper()
	return p.startOn(terminal.Options{}, args...)
}

func (p *place) startOn(o terminal.Options, args ...string) *face {
	p.t.Helper()
	f := p.launch(o, args...)
	f.idle()
	return f
}

// launch starts one and waits for nothing.
func (p *place) launch(o terminal.Options, args ...string) *face {
	p.t.Helper()
	o.Args, o.Dir = append([]string{filepath.Join(bin, "wisp-tui")}, args...), p.dir
	o.Env = append(o.Env, p.env...)
	return &face{terminal.Start(p.t, o), p.t, p}
}

// idle waits until the engine is ready and the box takes keys.
func (f *face) idle() terminal.Screen {
	f.t.Helper()
	return f.Wait("an open box", func(s terminal.Screen) bool {
		below := strings.TrimSpace(strings.Join(s.Rows[min(s.Cursor.Y+1, len(s.Rows)):], ""))
		return boxed(s) && strings.HasPrefix(s.Title, "wisp") && below != "" && below != "looking for a model"
	})
}

// row is the row that the cursor stands in.
func row(s terminal.Screen) string {
	if s.Cursor.Y >= len(s.Rows) {
		return ""
	}
	return s.Rows[s.Cursor.Y]
}

// boxed says whether the cursor stands in the box.
func boxed(s terminal.Screen) bool {
	return s.Cursor.Visible && (strings.HasPrefix(row(s), " >") || strings.HasPrefix(row(s), " !") || strings.HasPrefix(row(s), "   "))
}

// box waits until the row of the cursor reads so, with the cursor shown; "" is an empty box.
func (f *face) box(want string) terminal.Screen {
	f.t.Helper()
	return f.Wait(fmt.Sprintf("a box that reads %q", want), func(s terminal.Screen) bool {
		got := row(s)
		if want == "" {
			return empty(s)
		}
		return s.Cursor.Visible && got == " "+want
	})
}

// run sends a line and waits until it has been dealt with.
func (f *face) run(line string) terminal.Screen {
	f.t.Helper()
	f.begin(line)
	return f.idle()
}

// begin sends a line and waits until it has left the box.
func (f *face) begin(line string) {
	f.t.Helper()
	f.press(line)
	f.Wait("the line typed", func(s terminal.Screen) bool { return s.Cursor.Visible && !empty(s) })
	f.Key("enter")
	f.Wait("the line taken", func(s terminal.Screen) bool { return !s.Cursor.Visible || empty(s) })
}

// empty says whether the cursor stands in an empty box.
func empty(s terminal.Screen) bool {
	hint := strings.HasPrefix(row(s), " > Ask, or ! for a command") || strings.HasPrefix(row(s), " > Enter puts a prompt into the queue")
	return s.Cursor.Visible && hint
}

// busy waits until the box says what is done.
func (f *face) busy(words string) terminal.Screen {
	f.t.Helper()
	return f.Wait("busy: "+words, func(s terminal.Screen) bool { return !s.Cursor.Visible && s.Contains(words) })
}

// end waits for the end and checks that all is as it was before: the terminal, its modes, and no process left.
func (f *face) end(status int) terminal.Screen {
	f.t.Helper()
	if got := f.Exit(); got != status {
		f.t.Errorf("status %d, want %d\n%s", got, status, f.Screen())
	}
	if left := terminal.Modes(f.Raw()); len(left) > 0 {
		f.t.Errorf("left set: %q", left)
	}
	if !f.Restored() {
		f.t.Error("the terminal's settings aren't those that it had")
	}
	f.p.alone()
	s := f.Screen()
	if s.Title != "shell" || s.Alt || !s.Cursor.Visible || s.Cursor.X != 0 {
		f.t.Errorf("left with %s", s)
	}
	return s
}

// quit leaves an idle face.
func (f *face) quit() terminal.Screen {
	f.t.Helper()
	f.Key("ctrl+d")
	return f.end(0)
}

// grounds are the ground colours of the rows that hold a text, from the scrollback's first to the screen's last.
func grounds(s terminal.Screen, text string) (all []string) {
	ground := regexp.MustCompile(`^\{[^}]*bg=(#[0-9A-F]{6})[^}]*\}`)
	for i, line := range strings.Split(s.Styled(), "\n") {
		if strings.Contains(s.Rows[i], text) {
			colour := ""
			if m := ground.FindStringSubmatch(line); m != nil {
				colour = m[1]
			}
			all = append(all, colour)
		}
	}
	return all
}

// gone says whether a process doesn't run any more.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(text), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}
