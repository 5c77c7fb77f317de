package golden

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"wisp/engine"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/model/scripted"
	"wisp/engine/sandbox"
	"wisp/plainchat"
	"wisp/protocol"
)

// patience bounds every wait of a story; nothing takes so long on a machine that works.
const patience = 20 * time.Second

// stage is where one story is played: a home, a working directory, an engine and what was said on the wire.
type stage struct {
	t     *testing.T
	story story
	home  string
	work  string

	requests []model.Request
	models   engine.Models

	mu   sync.Mutex
	wake *sync.Cond
	out  []string // lines that the engine wrote, over all its runs
}

func newStage(t *testing.T, s story) *stage {
	w := &stage{t: t, story: s, home: t.TempDir(), work: workplace(t)}
	w.wake = sync.NewCond(&w.mu)
	var err error
	w.work, err = filepath.EvalSymlinks(w.work)
	must(t, err, "work")
	for name, text := range s.files {
		path := filepath.Join(w.work, strings.TrimPrefix(name, "work/"))
		if rest, ok := strings.CutPrefix(name, "person/"); ok {
			path = filepath.Join(w.home, "config", rest)
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o755), "work")
		must(t, os.WriteFile(path, []byte(text), 0o644), "work")
	}
	client, err := scripted.New("story", strings.NewReader(s.model))
	must(t, err, "model")
	w.models = oneModel{w.seeing(client)}
	return w
}

// workplace makes a directory whose path is of the same length each time, since outputs hold it and are counted.
func workplace(t *testing.T) string {
	var name [6]byte
	rand.Read(name[:])
	path := filepath.Join(os.TempDir(), "wisp-"+hex.EncodeToString(name[:]))
	must(t, os.Mkdir(path, 0o755), "work")
	t.Cleanup(func() { os.RemoveAll(path) })
	return path
}

// outside makes a directory that a command in the sandbox can't write: $PWD-out.
func (w *stage) outside() {
	dir := w.work + "-out"
	must(w.t, os.MkdirAll(dir, 0o755), "outside")
	w.t.Cleanup(func() { os.RemoveAll(dir) })
}

// oneModel is a machine that has the scripted model alone.
type oneModel struct{ client model.Client }

func (m oneModel) Open(name string) (model.Client, error) {
	if !strings.HasPrefix(name, "scripted:") {
		return nil, &model.Error{Message: "there is no model " + name + " here: /models lists those there are"}
	}
	return m.client, nil
}

func (m oneModel) Find(context.Context) (string, string) {
	return "scripted:story", "no model was found: this is the scripted story"
}

func (m oneModel) List(context.Context) []model.Info {
	return []model.Info{{Name: "scripted:story", Window: 8192, Tools: true}}
}

// config is what the story's engine is made with.
func (w *stage) config() engine.Config {
	settings := engine.Defaults()
	settings.Sandbox.Means = sandbox.None // unless the story asks for one: they are to look alike on every machine
	c := engine.Config{
		Version: "dev", Home: w.home, Directory: w.work, Shell: "/bin/sh", PID: 1, Now: time.Now, Person: w.home,
		Configuration: filepath.Join(w.home, "config", "config.json"),
		Env:           []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + w.home, "LANG=C.UTF-8"}, Model: "scripted:story", Models: w.models,
	}
	for key, value := range w.story.config {
		n, _ := strconv.Atoi(value)
		switch key {
		case "threshold":
			settings.Threshold = map[string]gate.Level{"low": gate.Low, "moderate": gate.Moderate, "high": gate.High}[value]
		case "mode":
			settings.Mode = gate.Mode(value)
		case "deny":
			settings.Rules = append(settings.Rules, gate.Rule{Pattern: value, Decision: gate.Deny, Source: "the configuration"})
		case "approvalSeconds":
			settings.ApprovalTimeout = time.Duration(n) * time.Second
		case "window": // seen.Describe says it
		case "target":
			settings.ContextTarget, _ = strconv.ParseFloat(value, 64)
		case "maxSteps":
			settings.MaxSteps = n
		case "model":
			c.Model = strings.TrimPrefix(value, "none")
		case "shell":
			c.Shell = value
		case "sandbox":
			settings.Sandbox.Means = sandbox.Means(value)
			w.outside()
		case "unsafe":
			settings.Unsafe = value == "true"
		case "network":
			settings.Sandbox.Network = value == "true"
		case "env": // NAME=value, parted by blanks
			c.Env = append(c.Env, strings.Fields(value)...)
		default:
			w.t.Fatalf("config: there is no %q", key)
		}
	}
	c.Settings = settings
	return c
}

// Write takes what the engine writes, for those who wait for it.
func (w *stage) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for line := range bytes.Lines(p) {
		w.out = append(w.out, strings.TrimSuffix(string(line), "\n"))
	}
	w.wake.Broadcast()
	return len(p), nil
}

// wait waits until a line after the first `from` meets the condition, and returns how many lines there are up to it.
func (w *stage) wait(from int, what string, meets func(line map[string]any) bool) int {
	w.t.Helper()
	late := time.AfterFunc(patience, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.out = append(w.out, `{"type":"TOO LATE"}`)
		w.wake.Broadcast()
	})
	defer late.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := from; ; i++ {
		for i >= len(w.out) {
			w.wake.Wait()
		}
		var line map[string]any
		if json.Unmarshal([]byte(w.out[i]), &line) != nil {
			w.t.Errorf("a line of the engine is no JSON: %s", w.out[i])
		}
		if line["type"] == "TOO LATE" {
			w.t.Fatalf("waited too long for %s; the engine said:\n%s", what, strings.Join(w.out[from:], "\n"))
		}
		if meets(line) {
			return i + 1
		}
	}
}

// idle is met when input is wanted and nothing runs or waits.
func idle(line map[string]any) bool {
	held, _ := line["held"].(float64)
	switch line["type"] {
	case "status":
		return held == 0
	case "error", "shown", "completions", "exit":
		return true
	}
	return false
}

// wire plays the story over the wire.
func (w *stage) wire() {
	c := w.config()
	for _, part := range splitAt(w.story.in, "restart") {
		w.session(c, part)
		c.Continue = true
	}
}

// session is one run of the engine.
func (w *stage) session(c engine.Config, script []string) {
	input, lines := io.Pipe()
	from := len(w.out)
	hello := strings.Contains(script[0], `"hello"`) // it may come before the first status, and ask for what stands before it
	first := ""
	if hello { // there at once, whatever else the machine does
		first, script = script[0]+"\n", append([]string{"wait idle"}, script[1:]...)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		engine.Serve(context.Background(), protocol.NewConn(io.MultiReader(strings.NewReader(first), input), w), c)
	})
	if !hello {
		w.wait(from, "the first status", func(l map[string]any) bool { return l["type"] == "status" && l["model"] != nil || l["type"] == "exit" })
	}
	w.follow(script, func(line string) {
		if line == "press" {
			line = `{"type":"interrupt"}`
		} else if line == "long" {
			line = `{"type":"prompt","text":"` + strings.Repeat("x", protocol.MaxIn) + `"}`
		} else if raw, ok := strings.CutPrefix(line, "raw "); ok {
			line = strings.ReplaceAll(raw, "⏎", "\n") // two lines in one write
		} else if rows, ok := strings.CutPrefix(line, "rows "); ok {
			line = string(protocol.AppendIn(nil, protocol.Line{Text: strings.ReplaceAll(rows, `\n`, "\n")}))
		} else if !strings.HasPrefix(line, "{") && !strings.HasPrefix(line, "[") {
			line = string(protocol.AppendIn(nil, protocol.Line{Text: line}))
		}
		io.WriteString(lines, strings.TrimSuffix(line, "\n")+"\n")
	})
	lines.Close()
	serving.Wait()
}

// follow gives a script to whoever sends, and waits between the lines.
func (w *stage) follow(script []string, send func(line string)) {
	w.mu.Lock()
	from, asked := len(w.out), len(w.requests)
	w.mu.Unlock()
	for i, line := range script {
		if line == "wait request" { // a press before it would leave the model's line for the next one
			w.asked(asked)
			continue
		}
		if what, ok := strings.CutPrefix(line, "wait "); ok {
			from = w.wait(from, what, condition(w.t, what))
			continue
		}
		if line == "close" {
			return
		}
		w.mu.Lock()
		from, asked = len(w.out), len(w.requests)
		w.mu.Unlock()
		line, unawaited := strings.CutPrefix(line, "just ")
		send(line)
		if unawaited {
			continue
		}
		if i+1 < len(script) && (strings.HasPrefix(script[i+1], "wait ") || script[i+1] == "press" || script[i+1] == "close") {
			continue
		}
		from = w.wait(from, "the end of `"+line+"`", idle)
	}
}

// asked waits until the model was sent more than so many requests.
func (w *stage) asked(before int) {
	w.t.Helper()
	late := false
	timer := time.AfterFunc(patience, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		late = true
		w.wake.Broadcast()
	})
	defer timer.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.requests) == before {
		if late {
			w.t.Fatalf("waited too long for a request; the engine said:\n%s", strings.Join(w.out, "\n"))
		}
		w.wake.Wait()
	}
}

// condition reads `stoppable`, `idle`, `TYPE`, or `TYPE KEY=VALUE`.
func condition(t *testing.T, what string) func(map[string]any) bool {
	kind, match, _ := strings.Cut(what, " ")
	key, value, _ := strings.Cut(match, "=")
	switch kind {
	case "stoppable":
		return func(l map[string]any) bool { return l["type"] == "activity" && l["stoppable"] == true }
	case "idle":
		return idle
	case "":
		t.Fatal("wait: for what?")
	}
	return func(l map[string]any) bool {
		if l["type"] != kind {
			return false
		}
		if n, ok := l[key].(float64); ok {
			return strconv.Itoa(int(n)) == value
		}
		got, _ := l[key].(string)
		return key == "" || strings.Contains(got, value)
	}
}

// plain plays the story with the plain chat and returns what it prints, replies and all else together.
func (w *stage) plain() string {
	var both paper
	c := w.config()
	for _, part := range splitAt(w.story.in, "restart") {
		from := len(w.out)
		typed, keys := io.Pipe()
		signals := make(chan os.Signal, 4)
		face, ended := w.start(c)
		var running sync.WaitGroup
		running.Go(ended)
		running.Go(func() {
			plainchat.Run(plainchat.Config{Face: face, In: typed, Out: &both, Err: &both, Signals: signals})
			face.CloseInput()
		})
		w.wait(from, "the first status", func(l map[string]any) bool { return l["type"] == "status" && l["model"] != nil })
		if i := slices.Index(part, "press"); i >= 0 { // what is piped in ends with the first press
			part = part[:i+1]
		}
		w.follow(part, func(line string) {
			if line == "press" {
				signals <- syscall.SIGINT
				return
			}
			io.WriteString(keys, line+"\n")
		})
		keys.Close()
		running.Wait()
		c.Continue = true
	}
	return w.normal(both.text())
}

// start starts an engine, whose lines the stage sees too, and returns a face's end of the wire. ended waits for its end.
func (w *stage) start(c engine.Config) (face *protocol.Face, ended func()) {
	toEngine, fromFace := io.Pipe()
	toFace, fromEngine := io.Pipe()
	conn := protocol.NewConn(toEngine, &tee{fromEngine, w})
	var serving sync.WaitGroup
	serving.Go(func() {
		engine.Serve(context.Background(), conn, c)
		fromEngine.Close()
	})
	return protocol.NewFace(toFace, fromFace), serving.Wait
}

// paper is what the plain chat prints on.
type paper struct {
	mu  sync.Mutex
	ink bytes.Buffer
}

func (p *paper) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ink.Write(text)
}

func (p *paper) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ink.String()
}

// tee gives the engine's lines to the face, and shows them to the stage.
type tee struct {
	*io.PipeWriter
	stage *stage
}

func (t *tee) Write(p []byte) (int, error) {
	n, err := t.PipeWriter.Write(p)
	if err == nil {
		t.stage.Write(p)
	}
	return n, err
}

func splitAt(lines []string, mark string) [][]string {
	parts := [][]string{nil}
	for _, l := range lines {
		if l == mark {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], l)
	}
	return parts
}
