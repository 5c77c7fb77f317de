//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// programs are what is measured: wisp as it is shipped, and the two programs beside it.
type programs struct{ wisp, hello, bare string }

// build builds them with the Makefile's flags.
func build(b *testing.B) programs {
	b.Helper()
	dir := b.TempDir()
	p := programs{wisp: filepath.Join(dir, "wisp"), hello: filepath.Join(dir, "hello"), bare: filepath.Join(dir, "bare")}
	for path, source := range map[string]string{p.wisp: ".", p.hello: "./testdata/hello", p.bare: "./testdata/bare"} {
		cmd := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-tags", "nethttpomithttp2", "-ldflags", "-s -w", "-o", path, source)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	return p
}

// pairs are figures of wisp and of what it is measured against, taken in turns, so that a busy machine hits both alike.
type pairs struct{ wisp, bare []float64 }

// add takes one pair.
func (p *pairs) add(wisp, bare float64) {
	p.wisp = append(p.wisp, wisp)
	p.bare = append(p.bare, bare)
}

// median returns the middle figure.
func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// report reports both medians. What they are of stands before the unit.
func (p *pairs) report(b *testing.B, of string) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(p.wisp), "wisp-"+of+"ms")
	b.ReportMetric(median(p.bare), "bare-"+of+"ms")
}

// ratio reports how often the bare one goes into wisp's too: by medians, and by minima, which a busy machine moves less.
func (p *pairs) ratio(b *testing.B, of string) {
	p.report(b, of)
	b.ReportMetric(median(p.wisp)/median(p.bare), of+"x")
	b.ReportMetric(slices.Min(p.wisp)/slices.Min(p.bare), of+"min-x")
}

// over reports what wisp takes beyond the bare one too.
func (p *pairs) over(b *testing.B) {
	p.report(b, "")
	b.ReportMetric(median(p.wisp)-median(p.bare), "over-ms")
	b.ReportMetric(slices.Min(p.wisp)-slices.Min(p.bare), "min-over-ms")
}

// took runs something and returns its milliseconds.
func took(do func()) float64 {
	begun := time.Now()
	do()
	return ms(time.Since(begun))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// process is a program that lives on while lines are given to it and read from it.
type process struct {
	b    *testing.B
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	read int64 // bytes
}

// program is a program with a home of its own, in a directory that is no repository. What stands after the arguments is
// added to its environment.
func program(b *testing.B, args []string, env ...string) *exec.Cmd {
	b.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = b.TempDir()
	cmd.Env = append(env, "PATH="+os.Getenv("PATH"), "HOME="+cmd.Dir, "WISP_HOME="+filepath.Join(cmd.Dir, "wisp"), "SHELL=/bin/sh")
	cmd.Stderr = os.Stderr
	return cmd
}

// start starts a program. It is ended with the benchmark.
func start(b *testing.B, cmd *exec.Cmd) *process {
	b.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	p := &process{b: b, cmd: cmd, in: in, out: bufio.NewReaderSize(out, 4<<20)}
	b.Cleanup(p.end)
	return p
}

// end ends the input, reads the rest, and waits. It may be called again.
func (p *process) end() {
	if p.cmd.ProcessState != nil {
		return
	}
	p.in.Close()
	_, _ = io.Copy(io.Discard, p.out)
	if err := p.cmd.Wait(); err != nil {
		p.b.Error(err)
	}
}

// send gives the program one line.
func (p *process) send(line string) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.b.Fatal(err)
	}
}

// until reads lines up to one that has all the parts, and returns that one, and how many there were. It looks at each
// line once, so that the reader costs next to nothing.
func (p *process) until(parts ...string) (last string, lines int) {
	for {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			p.b.Fatalf("no line with %q: %v", parts, err)
		}
		lines++
		p.read += int64(len(line))
		if !slices.ContainsFunc(parts, func(part string) bool { return !bytes.Contains(line, []byte(part)) }) {
			return string(line), lines
		}
	}
}

// chat is `wisp chat --json` with a model.
func (p programs) chat(b *testing.B, model string, env ...string) *exec.Cmd {
	b.Helper()
	return program(b, []string{p.wisp, "chat", "--json", "--model", model}, env...)
}

// session starts a chat and reads what it says first.
func (p programs) session(b *testing.B, model string, env ...string) *process {
	b.Helper()
	s := start(b, p.chat(b, model, env...))
	s.until(`"type":"status"`, `"model":"`)
	return s
}

// cpu is the time that a process has had on a processor, what its threads that have ended had included.
func (p *process) cpu() time.Duration {
	var t unix.Timespec
	clock := ^int32(p.cmd.Process.Pid)<<3 | 2 // clock_getcpuclockid(3): the scheduler's clock of a process
	if err := unix.ClockGettime(clock, &t); err != nil {
		p.b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// memory is a figure of /proc/PID/status in MiB: VmRSS is what it has now, VmHWM the most that it had.
func (p *process) memory(name string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), name+":")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		p.b.Fatalf("/proc says nothing of %s", name)
	}
	n, err := strconv.ParseFloat(fields[0], 64)
	if err != nil {
		p.b.Fatal(err)
	}
	return n / 1024
}

// within waits until ok holds, for a minute at most.
func within(b *testing.B, what string, ok func() bool) {
	b.Helper()
	over := time.After(time.Minute)
	tick := time.NewTicker(100 * time.Microsecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-over:
			b.Fatalf("never came: %s", what)
		}
	}
}
