//go:build !linux

package pty

import (
	"os"
	"time"

	"wisp/engine/pty/pair"
)

// waits is how one side of a device waits for it: by the runtime's poller, which deadlines end.
type waits struct{ set func(time.Time) error }

// open makes the terminal.
func (d *device) open() (program *os.File, err error) {
	if d.file, program, err = pair.Open(true); err != nil {
		return nil, err
	}
	d.name = program.Name()
	d.reads.set, d.writes.set = d.file.SetReadDeadline, d.file.SetWriteDeadline
	return program, nil
}

func (w *waits) begins() error { return nil } // the runtime looks

// wait has the runtime wait.
func (w *waits) wait(int) (ready bool, err error) { return false, nil }

func (w *waits) end() { _ = w.set(time.Unix(1, 0)) } // of a closed one nothing waits

func (w *waits) resume() { _ = w.set(time.Time{}) }

func (w *waits) close() {}
