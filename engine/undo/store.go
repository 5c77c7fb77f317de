package undo

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// store keeps what files held, in one file that only grows, and what was changed, in another.
type store struct {
	directory string
	held      *os.File
	size      int64
	sums      map[string]int64 // where what has a sum is

	glances *os.File // what was looked at; it has no name
	glanced int64

	// secret says that a text holds a secret: it goes on no disk, but is kept in memory for as long as the journal is.
	secret func(text []byte) bool
	hidden [][]byte
	hiding int
}

// mostHidden bounds the texts that are kept in memory, in bytes.
const mostHidden = 16 << 20

func (s *store) heldPath() string { return filepath.Join(s.directory, "held") }
func (s *store) logPath() string  { return filepath.Join(s.directory, "changed.jsonl") }

// open makes the files, with the first that is to be kept.
func (s *store) open() error {
	if s.held != nil {
		return nil
	}
	if s.sums == nil {
		s.sums = map[string]int64{}
	}
	if err := os.MkdirAll(s.directory, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(s.heldPath(), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	s.held, s.size = f, info.Size()
	return nil
}

// glance keeps what a file holds for as long as this process runs: in a file without a name. Most of what is looked at never
// changes.
func (s *store) glance(kind string, mode fs.FileMode, text []byte) (state, error) {
	hash := sha256.Sum256(text)
	out := state{Kind: kind, Mode: mode, Sum: hex.EncodeToString(hash[:]), At: -1, Size: int64(len(text)), looked: true}
	if s.glances == nil {
		if err := s.open(); err != nil {
			return state{}, err
		}
		f, err := os.CreateTemp(s.directory, "looked-*")
		if err != nil {
			return state{}, err
		}
		os.Remove(f.Name())
		s.glances = f
	}
	if s.glanced+out.Size > mostKept {
		return out, nil
	}
	if _, err := s.glances.WriteAt(text, s.glanced); err != nil {
		return state{}, err
	}
	out.At = s.glanced
	s.glanced += out.Size
	return out, nil
}

// promote keeps beyond this process what was kept for looks alone.
func (s *store) promote(of state) state {
	if !of.looked || of.At < 0 {
		of.looked = false
		return of
	}
	text := make([]byte, of.Size)
	lost := of
	lost.looked, lost.At = false, -1
	if _, err := s.glances.ReadAt(text, of.At); err != nil && of.Size > 0 {
		return lost
	}
	if kept, err := s.put(of.Kind, of.Mode, text); err == nil {
		return kept
	}
	return lost
}

// put keeps what a file or a link holds, once.
func (s *store) put(kind string, mode fs.FileMode, text []byte) (state, error) {
	hash := sha256.Sum256(text)
	out := state{Kind: kind, Mode: mode, Sum: hex.EncodeToString(hash[:]), At: -1, Size: int64(len(text))}
	if err := s.open(); err != nil {
		return state{}, err
	}
	if at, ok := s.sums[out.Sum]; ok {
		out.At = at
		return out, nil
	}
	if s.secret != nil && s.secret(text) {
		if s.hiding += len(text); s.hiding <= mostHidden {
			s.hidden = append(s.hidden, text)
			out.At = -1 - int64(len(s.hidden))
			s.sums[out.Sum] = out.At
		}
		return out, nil
	}
	if s.size+int64(len(text)) > mostKept {
		return out, nil // it can be told apart, and not taken back
	}
	if _, err := s.held.WriteAt(text, s.size); err != nil {
		return state{}, err
	}
	out.At = s.size
	s.sums[out.Sum] = out.At
	s.size += int64(len(text))
	return out, nil
}

// get reads what was kept, and sees that it is what it was.
func (s *store) get(of state) ([]byte, error) {
	if i := -2 - of.At; i >= 0 && i < int64(len(s.hidden)) {
		return s.hidden[i], nil
	}
	if of.At < 0 {
		return nil, errors.New("not kept")
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	text := make([]byte, of.Size)
	if _, err := s.held.ReadAt(text, of.At); err != nil && of.Size > 0 {
		return nil, err
	}
	hash := sha256.Sum256(text)
	if hex.EncodeToString(hash[:]) != of.Sum {
		return nil, fmt.Errorf("what was kept at %d is damaged", of.At)
	}
	return text, nil
}

// log puts a change down. A change that can't be put down can still be taken back in this session.
func (s *store) log(t touched) {
	for _, of := range []*state{&t.Before, &t.After} { // what is in memory alone is none that another process has
		of.At = max(of.At, -1)
	}
	line, err := json.Marshal(t)
	if err != nil || os.MkdirAll(s.directory, 0o700) != nil {
		return
	}
	f, err := os.OpenFile(s.logPath(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(append(line, '\n'))
}

// maxLogged bounds a line of the log in bytes, and what is read of it: paths are of 4 KiB at most.
const maxLogged = 64 << 10

// load reads what was changed. A line that can't be read costs itself alone.
func (s *store) load() []touched {
	f, err := os.Open(s.logPath())
	if err != nil {
		return nil
	}
	defer f.Close()
	var all []touched
	in := bufio.NewReaderSize(f, maxLogged)
	for {
		line, err := in.ReadSlice('\n')
		var t touched
		if json.Unmarshal(bytes.TrimSpace(line), &t) == nil && t.Turn != 0 {
			all = append(all, t)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return all
		}
	}
}

// close lets go of the files.
func (s *store) close() {
	for _, f := range []**os.File{&s.held, &s.glances} {
		if *f != nil {
			(*f).Close()
			*f = nil
		}
	}
	s.glanced = 0
}
