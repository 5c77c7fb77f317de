package pty

import (
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"wisp/engine/pty/pair"
	"wisp/engine/secret"
)

// floodBytes is what the flood prints, where each newline becomes two bytes on the way.
const floodBytes = 500 << 20

// floods are what is printed: long lines, short ones, colours.
func floods(t testing.TB) map[string]string {
	file := func(unit string) string {
		f, err := os.CreateTemp(t.TempDir(), "flood")
		must(t, err)
		_, err = f.WriteString(strings.Repeat(unit, 1+(4<<20)/len(unit)))
		must(t, err)
		must(t, f.Close())
		return f.Name()
	}
	loop := func(path string) string {
		return "stty -opost; while cat " + path + "; do :; done | head -c " + itoa(floodBytes)
	}
	return map[string]string{
		"lines":   loop(file(strings.Repeat("a line of a log ", 4) + "\r\n")),
		"short":   loop(file("a short one\r\n")),
		"colours": loop(file("\x1b[01;34mdirectory\x1b[0m  \x1b[01;32mrun.sh\x1b[0m and what is no colour\r\n")),
	}
}

// cpu is how many seconds of processor time this process has used.
func cpu(b *testing.B) float64 {
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkFlood reads all that a program prints by reads of 50 000 characters, its secrets masked.
func BenchmarkFlood(b *testing.B) {
	for name, command := range floods(b) {
		b.Run(name, func(b *testing.B) {
			secrets := secret.New([]string{"API_TOKEN=hunter2hunter2hunter2"})
			set := newSet(b, Config{Mask: func() Masker { return secrets.Stream() }})
			b.SetBytes(floodBytes)
			lost, printed := 0, int64(0)
			spent := cpu(b)
			for b.Loop() {
				p := beginIn(b, set, command, "/")
				for {
					page := p.Read(context.Background(), MostCharacters, Wait{Longest: time.Minute})
					lost += page.Lost
					if page.Remain == 0 && p.Over() {
						break
					}
				}
				printed = p.bytes
				<-p.Gone()
			}
			if printed != floodBytes {
				b.Errorf("%d bytes came", printed)
			}
			b.ReportMetric(float64(lost), "lost")
			b.ReportMetric((cpu(b)-spent)/float64(b.N), "cpu-s")
		})
	}
}

// BenchmarkFloodBare is the same terminal, copied to nowhere, as fast as io.Copy goes: a file that doesn't block.
func BenchmarkFloodBare(b *testing.B) {
	for name, command := range floods(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(floodBytes)
			spent := cpu(b)
			defer func() { b.ReportMetric((cpu(b)-spent)/float64(b.N), "cpu-s") }()
			for b.Loop() {
				ours, program, err := pair.Open(true)
				must(b, err)
				cmd := exec.Command("/bin/sh", "-c", command)
				cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
				cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
				must(b, cmd.Start())
				program.Close()
				_, _ = io.Copy(io.Discard, ours)
				_ = cmd.Wait()
				ours.Close()
			}
		})
	}
}

// BenchmarkMemory is what a session keeps of 10 MB that nobody reads.
func BenchmarkMemory(b *testing.B) {
	for name, unit := range map[string]string{"ascii": "0123456789 a line", "wide": "你好，世界。一行"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				set := newSet(b, Config{})
				p, err := set.Start(Start{Cleared: cleared("yes '"+unit+"' | head -c 10000000; echo all; sleep 60", "/"), Env: os.Environ(), Columns: 500, Rows: 200})
				must(b, err)
				must(b, eventually("all", func() bool { return strings.Contains(p.Tail(100), "all") }))
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB")
				p.Kill()
				runtime.KeepAlive(p)
			}
		})
	}
}

// BenchmarkStart is a session from its start to its end.
func BenchmarkStart(b *testing.B) {
	set := newSet(b, Config{})
	for b.Loop() {
		p := beginIn(b, set, ":", "/")
		<-p.Gone()
	}
}

// benchmark feeds a session without a program: text and screen together.
func benchmark(b *testing.B, unit string) {
	in := []byte(strings.Repeat(unit, 1+(4<<10)/len(unit)))
	s := silent()
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		s.take(in)
	}
}

func BenchmarkTakeLines(b *testing.B) { benchmark(b, strings.Repeat("a line of a log ", 4)+"\r\n") }
func BenchmarkTakeShort(b *testing.B) { benchmark(b, "a short one\r\n") }
func BenchmarkTakeColour(b *testing.B) {
	benchmark(b, "\x1b[01;34mdir\x1b[0m  \x1b[01;32mrun.sh\x1b[0m\r\n")
}
