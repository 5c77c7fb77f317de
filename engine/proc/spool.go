package proc

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"wisp/engine/text"
)

// spool keeps one command's output in a file: all of it up to the bound, then its head and its tail. The tail is
// written round and round in a second file, which has no name, and is put after the head in the end; so the disk
// holds no more than the bound at any time, and nothing is written over and over.
type spool struct {
	path  string // "": nothing is kept
	bound int64

	file    *os.File // made with the first byte
	made    bool
	size    int64 // in file
	ring    *os.File
	past    int64  // bytes given to the ring
	gap     int64  // bytes that are in neither, set by close
	failure string // why it doesn't hold the output; nothing is written after it
}

// ringShare is the tail's share of the bound.
const ringShare = 16

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
	n := int64(len(p))
	if head := s.bound - s.bound/ringShare; s.size+n > head && s.past == 0 {
		n = max(head-s.size, 0)
		s.size = head
	} else if s.past > 0 {
		n = 0
	} else {
		s.size += n
	}
	if n > 0 {
		if _, err := s.file.Write(p[:n]); err != nil {
			return err
		}
	}
	return s.turn(p[n:])
}

// turn writes to the ring.
func (s *spool) turn(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	if s.ring == nil {
		name := s.path + ".tail"
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		s.ring = f
		_ = os.Remove(name) // its name goes at once, so that nothing is left after a crash
	}
	length := s.bound / ringShare
	if extra := int64(len(p)) - length; extra > 0 {
		s.past += extra
		p = p[extra:]
	}
	for len(p) > 0 {
		at := s.past % length
		n := min(int64(len(p)), length-at)
		if _, err := s.ring.WriteAt(p[:n], at); err != nil {
			return err
		}
		s.past += n
		p = p[n:]
	}
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
	if s.past > 0 && s.failure == "" {
		if err := s.join(); err != nil {
			s.fail(err)
		}
	}
	if err := s.file.Close(); err != nil && s.failure == "" {
		s.fail(err)
	}
	if s.ring != nil {
		s.ring.Close()
	}
}

func (s *spool) join() error {
	length := s.bound / ringShare
	if s.past <= length {
		_, err := io.Copy(s.file, io.NewSectionReader(s.ring, 0, s.past))
		return err
	}
	at := s.past % length
	older, newer := io.NewSectionReader(s.ring, at, length-at), io.NewSectionReader(s.ring, 0, at)
	// A few bytes more go, up to the first whole character.
	var start [8]byte
	n, err := older.ReadAt(start[:min(int64(len(start)), length-at)], 0)
	if err != nil && err != io.EOF {
		return err
	}
	skip := int64(n - len(fromRune(start[:n])))
	s.gap = s.past - length + skip
	if _, err := s.file.WriteString(gapMark(s.gap)); err != nil {
		return err
	}
	_, err = io.Copy(s.file, io.MultiReader(io.NewSectionReader(s.ring, at+skip, length-at-skip), newer))
	return err
}

// remove takes the file away: its output turned out not to be text.
func (s *spool) remove() {
	if s.file == nil {
		return
	}
	s.file.Close()
	if s.ring != nil {
		s.ring.Close()
	}
	if info, err := os.Lstat(s.path); err == nil && info.Mode().IsRegular() {
		_ = os.Remove(s.path)
	}
}
