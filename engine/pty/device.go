package pty

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"wisp/engine/pty/pair"
	"wisp/engine/pty/screen"
)

// The size of a terminal where none is asked for: what programs take for usual.
const defaultColumns, defaultRows = 80, 24

// checkSize refuses what programs crash on, and what costs more than anyone reads.
func checkSize(columns, rows int) error {
	if columns < screen.MinColumns || columns > screen.MaxColumns || rows < screen.MinRows || rows > screen.MaxRows {
		return fmt.Errorf("a terminal has %d to %d columns and %d to %d rows, not %d×%d",
			screen.MinColumns, screen.MaxColumns, screen.MinRows, screen.MaxRows, columns, rows)
	}
	return nil
}

// device is our end of a pseudo-terminal, which never blocks. One goroutine reads and one writes; what they wait for another may end.
type device struct {
	file          *os.File
	name          string // the path of the program's end
	reads, writes waits
	after         int // bytes read after the reads' waits were over
}

// settings are what of a terminal's matters to who types at it.
type settings struct {
	canonical bool // it reads by the line, which the terminal edits
	echo      bool
	enters    bool // a carriage return becomes a newline
	drops     bool // a carriage return is dropped
	end       byte // what hands on an unfinished line; 0: nothing does
}

// password says that what is typed is a line that isn't shown.
func (s settings) password() bool { return s.canonical && !s.echo }

// openDevice makes a pseudo-terminal, and returns the program's end too.
func openDevice(columns, rows int) (*device, *os.File, error) {
	d := &device{}
	program, err := d.open()
	if err == nil {
		err = d.resize(columns, rows)
	}
	if err != nil {
		d.close()
		program.Close()
		return nil, nil, err
	}
	return d, program, nil
}

// close lets go of the terminal, once what waits for it has been ended.
func (d *device) close() {
	d.file.Close()
	d.reads.close()
	d.writes.close()
}

// control calls do with the descriptor.
func (d *device) control(do func(fd int) error) error {
	raw, err := d.file.SyscallConn()
	if err != nil {
		return err
	}
	if e := raw.Control(func(fd uintptr) { err = do(int(fd)) }); e != nil {
		return e
	}
	return err
}

// resize sets the size; the system tells the program.
func (d *device) resize(columns, rows int) error {
	return d.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(columns)})
	})
}

// settings reads how the program has set its terminal.
func (d *device) settings() (s settings, err error) {
	err = d.control(func(fd int) error {
		t, err := unix.IoctlGetTermios(fd, readTermios)
		if err == nil {
			s = settings{
				canonical: t.Lflag&unix.ICANON != 0, echo: t.Lflag&unix.ECHO != 0,
				enters: t.Iflag&unix.ICRNL != 0, drops: t.Iflag&unix.IGNCR != 0, end: t.Cc[unix.VEOF],
			}
		}
		return err
	})
	return s, err
}

// foreground returns the process group that keys are meant for.
func (d *device) foreground() (id int, err error) {
	err = d.control(func(fd int) error {
		var err error
		id, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	return id, err
}

// forget takes back what waits to be read by the program, where that is no more than so many bytes.
func (d *device) forget(most int) {
	fd := -1
	err := d.control(func(ours int) (err error) {
		fd, err = pair.Again(ours, d.name, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK)
		return err
	})
	if err != nil {
		return
	}
	defer unix.Close(fd)
	if n, err := unix.IoctlGetInt(fd, waitingInput); err == nil && n <= most {
		_ = flushInput(fd)
	}
}

// read waits for output, and takes all that is there, up to a buffer: a terminal gives 4 KiB at a time, and to look at that
// much by itself is dear. An error comes with what was read before it. Where its waits are over it takes what is there all the same,
// as much as a terminal holds.
func (d *device) read(buf []byte) (n int, err error) {
	take := func(fd, done int) (int, error) {
		n, err := unix.Read(fd, buf[done:])
		if n == 0 && err == nil {
			err = io.EOF
		}
		return n, err
	}
	n, err = d.reads.each(d.file, syscall.RawConn.Read, len(buf), take, false)
	if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) || d.after >= deviceBytes {
		return n, err
	}
	e := d.control(func(fd int) error {
		for n < len(buf) {
			k, err := take(fd, n)
			if err != nil && err != unix.EINTR {
				return nil
			}
			n += max(k, 0)
		}
		return nil
	})
	if d.after += n; e != nil || n == 0 {
		return n, err
	}
	return n, nil
}

// deviceBytes is what a terminal holds at most that nobody has read, on its way and arrived.
const deviceBytes = 128 << 10

// write types all of p.
func (d *device) write(p []byte) (n int, err error) {
	return d.writes.each(d.file, syscall.RawConn.Write, len(p), func(fd, done int) (int, error) { return unix.Write(fd, p[done:]) }, true)
}

// each calls do, which returns how far it came, until all is done; or, where not all must be, until it would have to wait after a part.
func (w *waits) each(file *os.File, side func(syscall.RawConn, func(uintptr) bool) error, all int, do func(fd, done int) (int, error), must bool) (n int, err error) {
	raw, err := file.SyscallConn()
	if err != nil {
		return 0, err
	}
	e := side(raw, func(fd uintptr) bool {
		for err = w.begins(); n < all && err == nil; {
			var k int
			switch k, err = do(int(fd), n); {
			case err == unix.EINTR:
				err = nil
			case err == unix.EAGAIN:
				err = nil
				if n > 0 && !must {
					return true
				}
				ready := false
				if ready, err = w.wait(int(fd)); !ready && err == nil {
					return false
				}
			case err == nil:
				n += k
			}
		}
		return true
	})
	if err == nil {
		err = e
	}
	return n, err
}

// offer types what the terminal takes at once, and returns how much that was.
func (d *device) offer(p []byte) (n int) {
	raw, err := d.file.SyscallConn()
	if err != nil {
		return 0
	}
	_ = raw.Write(func(fd uintptr) bool {
		n, _ = unix.Write(int(fd), p)
		return true
	})
	return max(n, 0)
}
