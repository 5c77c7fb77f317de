package proc

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWaits has commands wait for what nobody gives them, and for what they give themselves: only the first is said.
func TestWaits(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	fifo := filepath.Join(t.TempDir(), "fifo")
	must(t, syscall.Mkfifo(fifo, 0o600))
	t.Run("input", func(t *testing.T) {
		t.Parallel()
		j := job(t, "exec 3<>"+fifo+"; read -r x <&3; echo got $x")
		said := make(chan struct{})
		j.Waits = func() { close(said) }
		ended := make(chan Outcome, 1)
		go func() { ended <- r.Run(t.Context(), j) }()
		select {
		case <-said:
		case o := <-ended:
			t.Fatalf("it ended: %+v", o)
		}
		must(t, os.WriteFile(fifo, []byte("it\n"), 0o600))
		if o := <-ended; o.Stdout.Text != "got it\n" {
			t.Errorf("%+v", o)
		}
	})
	t.Run("its own", func(t *testing.T) {
		t.Parallel()
		j := job(t, "sleep 6 | cat; echo done")
		j.Waits = func() { t.Error("it was said to wait") }
		if o := r.Run(t.Context(), j); o.Stdout.Text != "done\n" {
			t.Errorf("%+v", o)
		}
	})
}
