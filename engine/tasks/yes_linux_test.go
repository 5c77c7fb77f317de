package tasks

import (
	"context"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/stop"
)

// used is the processor time that this process has used.
func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkMonitorYes is what twelve seconds of `yes` in the background with a monitor on it cost of one core, and the heap that is
// held at their end.
func BenchmarkMonitorYes(b *testing.B) {
	r := proc.New(proc.Config{})
	defer r.Close()
	for name, match := range map[string][]string{"every": nil, "all match": {"Y"}, "none match": {"n", "error"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var s Set
				ctx, by := stop.New(context.Background())
				v := &proc.View{}
				id, _ := s.Add(Task{Line: "yes", Origin: gate.Model, View: v}, by)
				s.Monitor(id, match)
				plan := gate.Plan{Command: "exec yes", Directory: b.TempDir(), Shell: "/bin/sh", Class: gate.Run}
				cleared := gate.New(gate.Config{}).Check(ctx, gate.Request{Plan: plan, Origin: gate.Person}).Cleared
				ctx, cancel := context.WithTimeout(ctx, 12*time.Second)
				before, began := used(), time.Now()
				o := r.Run(ctx, proc.Job{Cleared: *cleared, Spool: filepath.Join(b.TempDir(), "out"), View: v, Calm: true})
				cancel()
				b.ReportMetric(100*float64(used()-before)/float64(time.Since(began)), "%core")
				b.ReportMetric(float64(o.Output.Bytes)/(1<<20)/o.Seconds, "MiB/s")
				all, _ := s.Take()
				b.ReportMetric(float64(len(all)), "notices")
				s.End(id, o, "")
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "heap-MiB")
			}
		})
	}
}
