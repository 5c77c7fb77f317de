package proc

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/secret"
)

// used is the processor time that this process has used.
func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCalmYes is what ten seconds of `yes` in the background cost of one core, with secrets masked and its output followed.
func BenchmarkCalmYes(b *testing.B) {
	mask := secret.New([]string{"TOKEN=correct-horse-battery"})
	r := newRunner(b, Config{Mask: func() Masker { return mask.Stream() }})
	for b.Loop() {
		var v View
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		before, began := used(), time.Now()
		o := r.Run(ctx, Job{
			Cleared: cleared(gate.Plan{Command: "exec yes", Directory: b.TempDir()}), Spool: filepath.Join(b.TempDir(), "out"), View: &v, Calm: true,
		})
		cancel()
		b.ReportMetric(100*float64(used()-before)/float64(time.Since(began)), "%core")
		b.ReportMetric(float64(o.Output.Bytes)/(1<<20)/o.Seconds, "MiB/s")
	}
}
