package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// asWisp makes the test binary the program itself, so that the tests need no build.
const asWisp = "WISP_TEST_AS_WISP"

func TestMain(m *testing.M) {
	if os.Getenv(asWisp) != "" || len(os.Args) > 1 && (os.Args[1] == watcherName || os.Args[1] == reachName) {
		os.Unsetenv(asWisp)
		main()
	}
	os.Exit(m.Run())
}

const (
	// limit bounds every wait; a wait ends as soon as its condition holds.
	limit = 30 * time.Second
	// atOnce is for what waits for no program's good will: less than the grace after a SIGTERM.
	atOnce = 1900 * time.Millisecond
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits until ok holds.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	if !comes(ok) {
		t.Fatalf("never came: %s", what)
	}
}

// comes waits until ok holds, and says false where it doesn't within the limit.
func comes(ok func() bool) bool {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	over := time.After(limit)
	for !ok() {
		select {
		case <-tick.C:
		case <-over:
			return false
		}
	}
	return true
}

// alive says whether a process runs; one that only waits for its parent doesn't.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err != nil || !strings.HasPrefix(state, "Z")
}

// machine is a home and a working directory of wisp's, and the environment that it is started with.
type machine struct {
	t         *testing.T
	home, dir string
	env       []string
	wrap      string // shell words that run before wisp does
}

func newPlace(t *testing.T) *machine {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	p := &machine{t: t, home: filepath.Join(root, "home"), dir: filepath.Join(root, "work")}
	must(t, os.Mkdir(p.dir, 0o755))
	p.env = []string{
		asWisp + "=1", "PATH=" + os.Getenv("PATH"), "HOME=" + root, "WISP_HOME=" + p.home, "SHELL=/bin/sh", "TERM=xterm",
		"OLLAMA_HOST=127.0.0.1:1",  // nobody is there, whatever this machine runs
		"GORACE=atexit_sleep_ms=0", // the race detector's wait would count for wisp's
	}
	return p
}

// config writes the configuration.
func (p *machine) config(text string) {
	p.t.Helper()
	must(p.t, os.MkdirAll(p.home, 0o700))
	must(p.t, os.WriteFile(filepath.Join(p.home, "config.json"), []byte(text), 0o600))
}

// script writes a script and returns the flag that takes it as the model.
func (p *machine) script(lines ...string) string {
	p.t.Helper()
	path := filepath.Join(p.t.TempDir(), "script.jsonl")
	must(p.t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return "--model=scripted:" + path
}

// shellCall is a script's line that calls the shell tool.
func shellCall(command string) string {
	line, _ := json.Marshal(map[string]any{"calls": []any{map[string]any{"name": "shell", "id": "1", "arguments": map[string]string{"command": command}}}})
	return string(line)
}

// command is wisp, not yet started.
func (p *machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	if p.wrap != "" {
		cmd = exec.Command("/bin/sh", append([]string{"-c", p.wrap + `; exec "$0" "$@"`, os.Args[0]}, args...)...)
	}
	cmd.Dir, cmd.Env = p.dir, p.env
	return cmd
}

// run runs wisp to its end.
func (p *machine) run(stdin string, args ...string) (status int, stdout, stderr string) {
	p.t.Helper()
	var out, err bytes.Buffer
	cmd := p.command(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &err
	must(p.t, cmd.Start())
	ended := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	defer ended.Stop()
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), out.String(), err.String()
}

// file reads a file of the working directory, once it holds a line.
func (p *machine) file(name string) string {
	p.t.Helper()
	var data []byte
	eventually(p.t, name, func() bool {
		data, _ = os.ReadFile(filepath.Join(p.dir, name))
		return bytes.HasSuffix(data, []byte("\n"))
	})
	return strings.TrimSpace(string(data))
}

// pid reads a file that a command wrote its pid to.
func (p *machine) pid(name string) int {
	p.t.Helper()
	n, err := strconv.Atoi(p.file(name))
	must(p.t, err)
	p.t.Cleanup(func() { syscall.Kill(n, syscall.SIGKILL) })
	return n
}

// records returns the lines of every record, each of which must be whole.
func (p *machine) records() []line {
	p.t.Helper()
	paths, err := filepath.Glob(filepath.Join(p.home, "threads", "*", "record.jsonl"))
	must(p.t, err)
	var all []line
	for _, path := range paths {
		data, err := os.ReadFile(path)
		must(p.t, err)
		for text := range strings.Lines(string(data)) {
			l := line{raw: text}
			if err := json.Unmarshal([]byte(text), &l); err != nil || !strings.HasSuffix(text, "\n") {
				p.t.Fatalf("a record's line isn't whole: %q", text)
			}
			all = append(all, l)
		}
	}
	return all
}

// line is a line of the wire, or of the record.
type line struct {
	Type, Kind, Phase, Outcome, Reason, Level, Code, Approval, Thread, Model, Stream string

	Seq, Dropped, Turn, PID int
	Text, Doing             *string
	Stoppable, Stopping     bool
	Details                 struct {
		ExitStatus int
		Stopped    bool
		Failure    string
		Decision   string
	}
	Output *struct{ Text string }

	raw string
}

func (l line) text() string {
	if l.Text == nil {
		return ""
	}
	return *l.Text
}

// printed is what a command printed.
func (l line) printed() string {
	if l.Output == nil {
		return ""
	}
	return l.Output.Text
}

// is makes a condition on a line's type.
func is(kind string) func(line) bool { return func(l line) bool { return l.Type == kind } }

// says makes a condition on a line's type and what its text, message or reason holds.
func says(kind, part string) func(line) bool {
	return func(l line) bool { return l.Type == kind && strings.Contains(l.raw, part) }
}

// wisp is an engine under way: `wisp chat --json` with pipes.
type wisp struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	stderr strings.Builder
	ended  chan struct{}

	mu    sync.Mutex
	lines []line
	bad   []string // what was no line
	at    int      // behind the line that was waited for last
}

// engine starts one, and reads it to its end.
func (p *machine) engine(args ...string) *wisp {
	p.t.Helper()
	w := &wisp{t: p.t, cmd: p.command(append([]string{"chat", "--json"}, args...)...)}
	out, err := w.cmd.StdoutPipe()
	must(p.t, err)
	w.start()
	w.read(out)
	return w
}

// start starts what cmd says.
func (w *wisp) start() {
	w.t.Helper()
	var err error
	w.in, err = w.cmd.StdinPipe()
	must(w.t, err)
	if w.cmd.Stderr == nil {
		w.cmd.Stderr = &w.stderr
	}
	must(w.t, w.cmd.Start())
	w.ended = make(chan struct{})
	w.t.Cleanup(func() {
		w.cmd.Process.Kill()
		<-w.ended
	})
}

// read takes the lines as they come and then the process's end.
func (w *wisp) read(out io.Reader) {
	go func() {
		defer close(w.ended)
		in := bufio.NewReaderSize(out, 1<<16)
		for {
			text, err := in.ReadString('\n')
			w.take(text)
			if err != nil {
				break
			}
		}
		w.cmd.Wait()
	}()
}

func (w *wisp) take(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if text == "" {
		return
	}
	l := line{raw: text}
	if err := json.Unmarshal([]byte(text), &l); err != nil || !strings.HasSuffix(text, "\n") || l.Seq != len(w.lines)+1 {
		w.bad = append(w.bad, text[:min(len(text), 300)])
	}
	w.lines = append(w.lines, l)
}

// send sends messages or typed lines.
func (w *wisp) send(lines ...string) {
	w.t.Helper()
	_, err := io.WriteString(w.in, strings.Join(lines, "\n")+"\n")
	must(w.t, err)
}

// wait waits for a line that comes after the one that was waited for last.
func (w *wisp) wait(ok func(line) bool) line {
	w.t.Helper()
	var found line
	came := comes(func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		for ; w.at < len(w.lines); w.at++ {
			if ok(w.lines[w.at]) {
				found = w.lines[w.at]
				w.at++
				return true
			}
		}
		return false
	})
	if !came {
		w.t.Fatalf("the line never came; the last are %s", w.tail())
	}
	return found
}

// tail is the last lines, for a fault.
func (w *wisp) tail() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var b strings.Builder
	for _, l := range w.lines[max(0, len(w.lines)-6):] {
		b.WriteString("\n" + l.raw[:min(len(l.raw), 400)])
	}
	return b.String()
}

// all returns the lines so far that the condition holds for.
func (w *wisp) all(ok func(line) bool) []line {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []line
	for _, l := range w.lines {
		if ok(l) {
			found = append(found, l)
		}
	}
	return found
}

// told checks that the person was told of something once, by a note of that level.
func (w *wisp) told(level, part string) {
	w.t.Helper()
	found := w.all(says("note", part))
	if len(found) != 1 || found[0].Level != level {
		w.t.Errorf("%d notes with %q, want one %s: %+v", len(found), part, level, found)
	}
}

// end waits for the process's end, and checks its status and all that it wrote: whole lines alone, an end for each turn,
// the exit line last.
func (w *wisp) end(status int) {
	w.t.Helper()
	w.gone(status)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.bad) > 0 {
		w.t.Errorf("no whole line, or out of order: %q", w.bad)
	}
	if len(w.lines) == 0 || w.lines[len(w.lines)-1].Type != "exit" {
		w.t.Error("the last line isn't exit")
	}
	turns := map[int][]string{}
	for _, l := range w.lines {
		if l.Type == "turn" {
			turns[l.Turn] = append(turns[l.Turn], l.Phase)
		}
	}
	for turn, phases := range turns {
		if strings.Join(phases, " ") != "start end" {
			w.t.Errorf("turn %d: %v", turn, phases)
		}
	}
}

// gone waits for the process's end and checks its status alone.
func (w *wisp) gone(status int) {
	w.t.Helper()
	select {
	case <-w.ended:
	case <-time.After(limit):
		w.t.Fatal("wisp doesn't end")
	}
	if got := w.cmd.ProcessState.ExitCode(); got != status {
		w.t.Errorf("status %d, want %d; stderr: %s", got, status, w.stderr.String())
	}
}

// pid waits for a command to print pid=N.
func (w *wisp) pid() int {
	w.t.Helper()
	printed := regexp.MustCompile(`pid=(\d+)\\n`)
	l := w.wait(func(l line) bool { return l.Type == "output" && printed.MatchString(l.raw) })
	n, err := strconv.Atoi(printed.FindStringSubmatch(l.raw)[1])
	must(w.t, err)
	w.t.Cleanup(func() { syscall.Kill(n, syscall.SIGKILL) })
	return n
}
