package proc

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/sandbox"
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

// BenchmarkOverhead is what each means adds to a command of which all that can be left out is: the shell alone (bare), then this package
// without a sandbox (none), then with it, one after the other in each round, so that what else the machine does falls on all
// alike. The figures are medians of the differences within a round.
func BenchmarkOverhead(b *testing.B) {
	for _, m := range held(b) {
		b.Run(string(m), func(b *testing.B) {
			p := newPlace(b)
			watcher := []string{os.Args[0], "watch"}
			free := newRunner(b, Config{Watcher: watcher})
			confined := newRunner(b, Config{Watcher: watcher, Sandbox: sandbox.Find(m, p.profile())})
			j := p.job("true", false)
			through := func(r *Runner) func() {
				return func() {
					if o := r.Run(context.Background(), j); o.ExitStatus != 0 || o.Failure != "" {
						b.Fatalf("%+v", o)
					}
				}
			}
			bare := func() {
				if err := exec.Command("/bin/sh", "-c", "true").Run(); err != nil {
					b.Fatal(err)
				}
			}
			// What no use of it can be cheaper than.
			wrapped := func() {
				if err := exec.Command("bwrap", "--dev-bind", "/", "/", "/bin/sh", "-c", "true").Run(); err != nil {
					b.Fatal(err)
				}
			}
			var alone, none, inside, overBare, overNone, least []float64
			for b.Loop() {
				one, two, three := lasted(bare), lasted(through(free)), lasted(through(confined))
				if m == sandbox.Bubblewrap {
					least = append(least, lasted(wrapped)-one)
				}
				alone, none, inside = append(alone, one), append(none, two), append(inside, three)
				overBare, overNone = append(overBare, three-one), append(overNone, three-two)
			}
			b.ReportMetric(median(alone), "ms-bare")
			b.ReportMetric(median(overBare), "ms-over-bare")
			b.ReportMetric(median(overNone), "ms-over-none")
			b.ReportMetric(slices.Min(inside)-slices.Min(none), "ms-over-none-best")
			if m == sandbox.Bubblewrap {
				b.ReportMetric(median(least), "ms-bwrap-alone")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// lasted is how many milliseconds something took.
func lasted(do func()) float64 {
	began := time.Now()
	do()
	return float64(time.Since(began).Microseconds()) / 1000
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
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
