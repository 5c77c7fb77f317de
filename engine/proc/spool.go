package proc

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"wisp/engine/text"
)

// spoolTail is the most of an output's end that is kept where the whole is longer than the bound. It is held in memory:
// a second file, written round and round, would be a quarter of what an endless output costs.
const spoolTail = 1 << 20

// spool keeps one command's output in a file: all of it up to the bound, then its head, and at the end its tail.
type spool struct {
	path  string // "": nothing is kept
	bound int64

	file    *os.File // made with the first byte
	made    bool
	size    int64  // in file
	tail    tail   // what comes after the head
	gap     int64  // bytes that are in neither, set by close
	failure string // why it doesn't hold the output; nothing is written after it
}

func newSpool(path string, bound int64) spool {
	return spool{path: path, bound: bound, tail: tail{max: int(min(bound/16, spoolTail))}}
}

func (s *spool) write(p []byte) {
	if s.path == "" || s.failure != "" {
		return
	}
	if err := s.put(p); err != nil {
		s.fail(err)
	}
}

func (s *spool) put(p []byte) error {
	if s.file == nil {
		if err := s.make(); err != nil {
			return err
		}
	}
	if s.tail.total == 0 {
		head := p
		if room := s.bound - int64(s.tail.max) - s.size; int64(len(p)) > room {
			head = toRune(p[:room])
		}
		if _, err := s.file.Write(head); err != nil {
			return err
		}
		s.size += int64(len(head))
		p = p[len(head):]
	}
	s.tail.add(p)
	return nil
}

// make makes the file, and the folder that it stands in.
func (s *spool) make() error {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	f, err := os.OpenFile(s.path, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(s.path), 0o700); err == nil {
			f, err = os.OpenFile(s.path, flags, 0o600)
		}
	}
	if err != nil {
		return err
	}
	s.file, s.made = f, true
	return nil
}

func (s *spool) fail(err error) {
	s.failure = text.Line(err.Error())
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		s.failure = "the disk is full"
	}
}

// close puts the tail after the head.
func (s *spool) close() {
	if s.file == nil {
		return
	}
	if s.tail.total > 0 && s.failure == "" {
		text, gap := s.tail.text()
		if s.gap = gap; gap > 0 {
			text = gapMark(gap) + text
		}
		if _, err := s.file.WriteString(text); err != nil {
			s.fail(err)
		}
	}
	if err := s.file.Close(); err != nil && s.failure == "" {
		s.fail(err)
	}
}

// remove takes the file away: its output turned out not to be text.
func (s *spool) remove() {
	if s.file == nil {
		return
	}
	s.file.Close()
	if info, err := os.Lstat(s.path); err == nil && info.Mode().IsRegular() {
		_ = os.Remove(s.path)
	}
}
