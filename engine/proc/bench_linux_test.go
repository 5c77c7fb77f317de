package proc

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"wisp/engine/gate"
)

// BenchmarkTrue is what a command costs over the shell that runs it, which BenchmarkTrueBare is.
func BenchmarkTrue(b *testing.B) {
	r := newRunner(b, Config{Watcher: []string{os.Args[0], "watch"}})
	j := Job{Cleared: cleared(gate.Plan{Command: "true", Directory: b.TempDir()}), Env: os.Environ()}
	b.ReportAllocs()
	for b.Loop() {
		if o := r.Run(context.Background(), j); o.ExitStatus != 0 || o.Left != 0 {
			b.Fatalf("%+v", o)
		}
	}
}

func BenchmarkTrueBare(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("/bin/sh", "-c", "true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

const (
	floodBytes = 1_000_000_000
	flood      = `head -c 1000000000 /dev/zero | tr '\0' x`
)

// BenchmarkFlood is a gigabyte in one line, all of it cleaned, spooled and counted; BenchmarkFloodBare is the same into
// cat.
func BenchmarkFlood(b *testing.B) { benchFlood(b, flood) }
func BenchmarkFloodLines(b *testing.B) {
	benchFlood(b, "yes 'a line of some length, as logs have' | head -c 1000000000")
}

func benchFlood(b *testing.B, command string) {
	r := newRunner(b, Config{})
	dir := b.TempDir()
	j := Job{
		Cleared: cleared(gate.Plan{Command: command, Directory: dir}), Env: os.Environ(),
		Spool: filepath.Join(dir, "spool"), Live: func(Piece) {},
	}
	b.SetBytes(floodBytes)
	for b.Loop() {
		if o := r.Run(context.Background(), j); o.Output.Bytes != floodBytes {
			b.Fatalf("%d bytes", o.Output.Bytes)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/(1<<20), "MiB-heap")
}

func BenchmarkFloodBare(b *testing.B) {
	b.SetBytes(floodBytes)
	for b.Loop() {
		if err := exec.Command("/bin/sh", "-c", flood+" | cat >/dev/null").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLook is one look at everything that runs on the machine.
func BenchmarkLook(b *testing.B) {
	g := &group{id: 1 << 30, born: ticks(), mark: "WISP_COMMAND=x", known: map[int]uint64{}}
	for b.Loop() {
		g.look()
	}
	b.ReportMetric(float64(len(processes())), "processes")
}
