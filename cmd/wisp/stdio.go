package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// steady writes to a file whose other holders may have made it non-blocking: it waits where the file would not, so that no
// line is ever cut.
type steady struct{ file *os.File }

// Write implements io.Writer.
func (s steady) Write(p []byte) (int, error) {
	done := 0
	for {
		n, err := s.file.Write(p[done:])
		done += n
		if done == len(p) || !errors.Is(err, syscall.EAGAIN) {
			return done, err
		}
		if _, err := unix.Poll([]unix.PollFd{{Fd: int32(s.file.Fd()), Events: unix.POLLOUT}}, -1); err != nil && !errors.Is(err, syscall.EINTR) {
			return done, err
		}
	}
}

// Close implements io.Closer.
func (s steady) Close() error { return s.file.Close() }

// readBounded reads all of r, and refuses more than the bound.
func readBounded(r io.Reader, bound int64) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, bound+1))
	if err != nil {
		return "", fmt.Errorf("standard input: %w", err)
	}
	if int64(len(data)) > bound {
		return "", fmt.Errorf("standard input is longer than %d MiB: too much for a prompt", bound>>20)
	}
	return string(data), nil
}

// diagnostics are lines on standard error, where WISP_LOG asks for them; nil where it doesn't. They never block: where standard
// error isn't read they are dropped.
func diagnostics(level string) func(string, ...any) {
	if level == "" || level == "0" || level == "off" {
		return nil
	}
	lines := make(chan string, 256)
	var writer sync.WaitGroup // never waited for: the process ends with it
	writer.Go(func() {
		for line := range lines {
			fmt.Fprintln(os.Stderr, line)
		}
	})
	return func(format string, a ...any) {
		line := time.Now().UTC().Format("2006-01-02T15:04:05.000Z ") + fmt.Sprintf(format, a...)
		select {
		case lines <- line:
		default:
		}
	}
}
