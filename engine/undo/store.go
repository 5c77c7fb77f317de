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
}

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
	if s.held != nil {
		s.held.Close()
		s.held = nil
	}
}
