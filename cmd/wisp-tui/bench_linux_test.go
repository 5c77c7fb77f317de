package main_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// BenchmarkTUI is the face as it is shipped, on a pseudo-terminal that nothing draws: what it costs is what it writes.
// docs/performance.md has the bounds.
func BenchmarkTUI(b *testing.B) {
	shipped := b.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-tags", "nethttpomithttp2", "-ldflags", "-s -w", "-o", shipped+"/",
		"wisp/cmd/wisp", "wisp/cmd/wisp-tui")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	b.Run("start", func(b *testing.B) { benchStart(b, shipped) })
	for _, entries := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("key-%d", entries), func(b *testing.B) { benchKey(b, shipped, entries) })
	}
	b.Run("idle", func(b *testing.B) { benchIdle(b, shipped) })
	b.Run("pieces", func(b *testing.B) { benchPieces(b, shipped) })
}

// wire is a program on a pseudo-terminal of its own, and all that it writes.
type wire struct {
	b       *testing.B
	cmd     *exec.Cmd
	master  *os.File
	reading sync.WaitGroup
	mu      sync.Mutex
	wake    *sync.Cond
	out     []byte
}

func onTerminal(b *testing.B, env []string, args ...string) *wire {
	b.Helper()
	w := &wire{b: b, cmd: exec.Command(args[0], args[1:]...)}
	w.wake = sync.NewCond(&w.mu)
	w.cmd.Env = append(os.Environ(), append(env, "TERM=xterm-256color", "COLORTERM=truecolor", "OLLAMA_HOST=127.0.0.1:1")...)
	var err error
	if w.master, err = pty.StartWithSize(w.cmd, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		b.Fatal(err)
	}
	w.reading.Go(func() {
		buffer := make([]byte, 64<<10)
		for {
			n, err := w.master.Read(buffer)
			w.mu.Lock()
			w.out = append(w.out, buffer[:n]...)
			if err != nil {
				w.out = append(w.out, "THE END"...)
			}
			w.wake.Broadcast()
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	return w
}

// until waits until a text stands behind the first so many bytes, and returns where it ends.
func (w *wire) until(from int, text string) int {
	w.b.Helper()
	late := time.AfterFunc(20*time.Second, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.out = append(w.out, "THE END"...)
		w.wake.Broadcast()
	})
	defer late.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if i := bytes.Index(w.out[from:], []byte(text)); i >= 0 {
			return from + i + len(text)
		}
		if bytes.HasSuffix(w.out, []byte("THE END")) {
			w.b.Fatalf("it ended before %q came: %q", text, w.out[max(from, len(w.out)-2000):])
		}
		w.wake.Wait()
	}
}

func (w *wire) written() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.out)
}

func (w *wire) typed(keys string) {
	if _, err := io.WriteString(w.master, keys); err != nil {
		w.b.Fatal(err)
	}
}

// end hangs up, and waits for all that it started.
func (w *wire) end() {
	w.cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(5*time.Second, func() { w.cmd.Process.Kill() })
	w.cmd.Wait()
	kill.Stop()
	w.master.Close()
	w.reading.Wait()
}

// prompt is what stands in an empty box, and shows that it takes keys.
const prompt = "for the keys"

func benchStart(b *testing.B, bin string) {
	var wisp, bash []float64
	for b.Loop() {
		home := b.TempDir() // each has its own, for what was typed is kept for the next start
		begun := time.Now()
		w := onTerminal(b, []string{"WISP_HOME=" + home}, bin+"/wisp-tui", "-m", "scripted:tour")
		at := w.until(0, prompt)
		w.typed("x")
		w.until(at, "x")
		wisp = append(wisp, milliseconds(begun))
		w.end()
		begun = time.Now()
		w = onTerminal(b, []string{"PS1=ready> "}, "bash", "--norc", "--noprofile")
		at = w.until(0, "ready> ")
		w.typed("x")
		w.until(at, "x")
		bash = append(bash, milliseconds(begun))
		w.cmd.Process.Kill() // it takes no TERM
		w.end()
	}
	b.ReportMetric(median(wisp), "wisp-ms")
	b.ReportMetric(median(bash), "bash-ms")
	b.ReportMetric(0, "ns/op")
}

// fake is the command of an engine that has said so many entries and wants input.
func fake(b *testing.B, entries int) string {
	var lines strings.Builder
	lines.WriteString(`{"type":"ready","protocol":1,"version":"dev","session":"s","thread":"t","resumed":false,"model":"m","directory":"/tmp","sandbox":"none","capabilities":[]}` + "\n")
	for i := range entries {
		fmt.Fprintf(&lines, `{"type":"event","kind":"prompt","id":"e%d","turn":%d,"details":{"origin":"person","text":"prompt number %d"},"text":null}`+"\n", i, i, i)
		fmt.Fprintf(&lines, `{"type":"event","kind":"tool.call","id":"f%d","turn":%d,"call":"c%d","details":{"tool":"shell"},"text":"shell true"}`+"\n", i, i, i)
		fmt.Fprintf(&lines, `{"type":"event","kind":"tool.result","id":"g%d","turn":%d,"call":"c%d","details":{"tool":"shell"},"text":"↳ exit 0"}`+"\n", i, i, i)
		fmt.Fprintf(&lines, `{"type":"delta","turn":%d,"text":"A reply of **some** words, and a second sentence."}`+"\n", i)
	}
	lines.WriteString(`{"type":"note","level":"info","text":"all is said"}` + "\n")
	lines.WriteString(`{"type":"status","model":"m","directory":"/tmp","branch":null,"added":null,"removed":null,"mode":"ask","approval":"moderate","sandbox":"none","contextUsed":null,"contextWindow":null,"held":0,"queued":0}` + "\n")
	path := filepath.Join(b.TempDir(), "lines")
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	return "cat " + path + "; cat >/dev/null; true"
}

func benchKey(b *testing.B, bin string, entries int) {
	w := onTerminal(b, []string{"WISP_HOME=" + b.TempDir()}, bin+"/wisp-tui", "--engine", fake(b, entries))
	defer w.end()
	w.until(w.until(0, "all is said"), prompt)
	bash := onTerminal(b, []string{"PS1=ready> "}, "bash", "--norc", "--noprofile")
	defer func() { bash.cmd.Process.Kill(); bash.end() }()
	bash.until(0, "ready> ")
	letters := "abcdefghijklmnopqrstuvwxyz"
	var of, ofBash []float64
	most, n := 0, 0
	w.typed("z")
	w.until(w.written()-1, "z")
	for b.Loop() {
		letter := letters[n%25 : n%25+1]
		if n++; n%40 == 0 { // the row is full: an empty one
			at := w.written()
			w.typed("\x15")
			w.until(at, "\x1b[")
			<-time.After(50 * time.Millisecond)
			continue
		}
		at := w.written()
		begun := time.Now()
		w.typed(letter)
		w.until(at, letter)
		of = append(of, milliseconds(begun))
		<-time.After(5 * time.Millisecond) // a person's next key comes later, and what is written for this one has come
		most = max(most, w.written()-at)
		at = bash.written()
		begun = time.Now()
		bash.typed(letter)
		bash.until(at, letter)
		ofBash = append(ofBash, milliseconds(begun))
	}
	slices.Sort(of)
	b.ReportMetric(median(of), "wisp-ms")
	b.ReportMetric(of[len(of)*95/100], "wisp-p95-ms")
	b.ReportMetric(median(ofBash), "bash-ms")
	b.ReportMetric(float64(most), "most-bytes")
	b.ReportMetric(0, "ns/op")
}

// benchIdle is two seconds of both processes at the prompt.
func benchIdle(b *testing.B, bin string) {
	w := onTerminal(b, []string{"WISP_HOME=" + b.TempDir()}, bin+"/wisp-tui", "-m", "scripted:tour")
	defer w.end()
	w.until(0, prompt)
	<-time.After(time.Second) // what a start still does
	pids := family(b, w.cmd.Process.Pid)
	var used []float64
	const span = 2 * time.Second
	for b.Loop() {
		before := cpu(b, pids)
		<-time.After(span)
		used = append(used, (cpu(b, pids)-before)/span.Seconds()/1e7)
	}
	b.ReportMetric(median(used), "cpu-%")
	total := 0.0
	for _, pid := range pids {
		total += pss(b, pid)
	}
	b.ReportMetric(total, "pss-MiB")
	b.ReportMetric(float64(len(pids)), "processes")
	b.ReportMetric(0, "ns/op")
}

// benchPieces is 20 000 streamed pieces of Markdown: what the face spends on them, and what the engine does.
func benchPieces(b *testing.B, bin string) {
	const pieces = 20_000
	words := []string{" word", " and", " `code`", " more", ".\n\n", "- item", " **bold**", "\n", " text", "\n\n```go\nx := 1\n```\n\n"}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range pieces {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":null}]}\n\n", words[i%len(words)])
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\\n\\nthe-last-word\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer s.Close()
	env := []string{"WISP_HOME=" + b.TempDir(), "OPENAI_API_KEY=x", "OPENAI_BASE_URL=" + s.URL + "/v1"}
	w := onTerminal(b, env, bin+"/wisp-tui", "-m", "openai:m")
	defer w.end()
	w.until(0, prompt)
	pids := family(b, w.cmd.Process.Pid)
	var ofFace, ofEngine []float64
	bytes := 0
	for b.Loop() {
		face, engine, at := cpu(b, pids[:1]), cpu(b, pids[1:]), w.written()
		w.typed("hello\r")
		w.until(w.until(at, "the-last-word"), prompt)
		ofFace = append(ofFace, (cpu(b, pids[:1])-face)/1e6)
		ofEngine = append(ofEngine, (cpu(b, pids[1:])-engine)/1e6)
		bytes = w.written() - at
		at = w.written()
		w.typed("/new\r")
		w.until(w.until(at, "a new conversation"), prompt)
	}
	b.ReportMetric(median(ofFace), "face-cpu-ms")
	b.ReportMetric(median(ofEngine), "engine-cpu-ms")
	b.ReportMetric(median(ofFace)/median(ofEngine), "x")
	b.ReportMetric(float64(bytes)/pieces, "bytes/piece")
	b.ReportMetric(0, "ns/op")
}

// family is a process and its children.
func family(b *testing.B, pid int) []int {
	pids := []int{pid}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range tasks {
		text, _ := os.ReadFile(path)
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				pids = append(pids, family(b, child)...)
			}
		}
	}
	return pids
}

// cpu is what the processes have used, in nanoseconds.
func cpu(b *testing.B, pids []int) float64 {
	total := 0.0
	for _, pid := range pids {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
		for _, path := range tasks {
			text, _ := os.ReadFile(path)
			if fields := strings.Fields(string(text)); len(fields) > 0 {
				n, _ := strconv.ParseFloat(fields[0], 64)
				total += n
			}
		}
	}
	return total
}

// pss is a process's share of memory, in MiB.
func pss(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0 // it has ended
	}
	_, rest, _ := strings.Cut(string(text), "\nPss:")
	n, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return n / 1024
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since)) / 1e6 }

func median(of []float64) float64 {
	of = slices.Clone(of)
	slices.Sort(of)
	return of[len(of)/2]
}
