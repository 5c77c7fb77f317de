package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// fileName is the file in wisp's home of the facts that all threads share.
const fileName = "facts.json"

// The bounds of that file.
const (
	mostPermanent = 500
	maxFile       = 4 << 20 // bytes
)

// stored is the file.
type stored struct {
	Version int    `json:"version"`
	Last    int    `json:"last"` // the newest id's number: none comes again
	Facts   []Fact `json:"facts"`
}

// Load returns the permanent facts of a home. A file that isn't there holds none; one that can't be read is an error that names it.
func Load(home string) ([]Fact, error) {
	s, err := load(filepath.Join(home, fileName))
	return s.Facts, err
}

func load(path string) (stored, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stored{Version: 1}, nil
	}
	if err != nil {
		return stored{}, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return stored{}, err
	}
	var s stored
	switch err := json.Unmarshal(data, &s); {
	case len(data) > maxFile:
		return stored{}, fmt.Errorf("%s is over %d MiB", path, maxFile>>20)
	case err != nil:
		return stored{}, fmt.Errorf("%s can't be read: %w", path, err)
	case s.Version != 1:
		return stored{}, fmt.Errorf("%s is of version %d, and this wisp reads 1", path, s.Version)
	}
	for i := range s.Facts {
		s.Facts[i].Scope = Permanent
	}
	return s, nil
}

// Keep makes a fact permanent, in the place of one of the same subject and name, and returns it with its id.
func Keep(home string, f Fact) (Fact, error) {
	f.Subject, f.Name, f.Value = line(f.Subject, MaxName), line(f.Name, MaxName), line(f.Value, MaxValue)
	if f.Subject == "" || f.Value == "" {
		return f, errors.New("a fact needs a subject and a value")
	}
	if f.Name == "" {
		f.Name = f.Subject
	}
	f.Scope, f.Source, f.Entry, f.Turn = Permanent, Person, 0, 0
	err := change(home, func(s *stored) error {
		if i := slices.IndexFunc(s.Facts, func(o Fact) bool { return o.key() == f.key() }); i >= 0 {
			f.ID = s.Facts[i].ID
			s.Facts[i] = f
			return nil
		}
		if len(s.Facts) >= mostPermanent {
			return fmt.Errorf("there are %d permanent facts, and no more are kept: delete some", mostPermanent)
		}
		s.Last++
		f.ID = "p" + strconv.Itoa(s.Last)
		s.Facts = append(s.Facts, f)
		return nil
	})
	return f, err
}

// Drop removes a permanent fact and returns it.
func Drop(home, id string) (Fact, error) {
	var f Fact
	err := change(home, func(s *stored) error {
		i := slices.IndexFunc(s.Facts, func(o Fact) bool { return o.ID == id })
		if i < 0 {
			return fmt.Errorf("there is no fact %s", id)
		}
		f = s.Facts[i]
		s.Facts = slices.Delete(s.Facts, i, i+1)
		return nil
	})
	return f, err
}

// change changes the file, with no other wisp in between. What can't be read is left as it is.
func change(home string, do func(s *stored) error) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	path := filepath.Join(home, fileName)
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("%s can't be locked: %w", path, err)
	}
	s, err := load(path)
	if err != nil {
		return err
	}
	if err := do(&s); err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return err
	}
	file, err := os.CreateTemp(home, "."+strings.TrimSuffix(fileName, ".json")+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // where it wasn't renamed
	_, err = file.Write(b.Bytes())
	if err == nil {
		err = file.Sync()
	}
	if failed := file.Close(); err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
