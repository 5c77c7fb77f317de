package approvals

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

const (
	// format is the version of the file's form.
	format = 1

	// maxBytes bounds the file: a thousand answers take some 300 KB.
	maxBytes = 1 << 20
)

// untrustedError is a file that allows nothing, and isn't written over.
type untrustedError struct{ path, what, remedy string }

// Error is one sentence: the file, what is wrong, what follows and what to do.
func (e *untrustedError) Error() string {
	return fmt.Sprintf("approvals %s %s, so nothing is allowed by it: %s", e.path, e.what, e.remedy)
}

// look makes info and read true of the file. Where it can't, nothing is known, and the next look reads again.
func (s *Store) look() error {
	info, err := os.Lstat(s.path)
	switch {
	case absent(err):
		s.forget()
		return nil
	case err == nil && s.info != nil && unchanged(info, s.info):
		return nil
	}
	s.forget()
	if err != nil {
		return s.untrusted("can't be read: "+cause(err), "see to it")
	}
	return s.load()
}

// forget lets go of what was read.
func (s *Store) forget() {
	if s.file != nil {
		s.file.Close()
	}
	s.file, s.info, s.read = nil, nil, nil
}

// unchanged says whether a file is the one that was read. Every write of ours makes another file, whose number can't be the old
// one's while that is open.
func unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode() && owner(a) == owner(b)
}

// load reads the file.
func (s *Store) load() error {
	file, err := os.OpenFile(s.path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0) // a pipe isn't waited for
	if absent(err) {
		return nil // revoked just now
	}
	if err != nil {
		return s.untrusted("can't be read: "+cause(err), "see to it, or `wisp approvals clear` moves it aside")
	}
	info, err := file.Stat()
	if err == nil {
		err = s.trust(info)
	}
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(file, maxBytes+1))
	}
	var all []Approval
	if err == nil {
		all, err = s.parse(text)
	}
	if err != nil {
		file.Close()
		if untrusted := (*untrustedError)(nil); !errors.As(err, &untrusted) {
			err = s.untrusted("can't be read: "+cause(err), "see to it")
		}
		return err
	}
	s.file, s.info, s.read = file, info, all
	return nil
}

// trust says why a file isn't trusted, whatever stands in it.
func (s *Store) trust(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return s.untrusted("is no ordinary file", "`wisp approvals clear` moves it aside")
	case owner(info) >= 0 && owner(info) != os.Geteuid():
		return s.untrusted(fmt.Sprintf("belongs to another user (%d)", owner(info)), "`wisp approvals clear` moves it aside")
	case mode.Perm()&0o022 != 0:
		return s.untrusted(fmt.Sprintf("can be written by others (mode %04o)", mode.Perm()),
			"look at what stands in it, then `chmod 600` it, or `wisp approvals clear` moves it aside")
	}
	return nil
}

// owner is a file's user; -1 where the system doesn't say.
func owner(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}

func (s *Store) untrusted(what, remedy string) error {
	return &untrustedError{s.path, what, remedy}
}

// parse reads the file's text. One fault in it, and none of it counts: what was meant isn't known.
func (s *Store) parse(text []byte) ([]Approval, error) {
	const mend = "mend it, or `wisp approvals clear` moves it aside"
	if len(text) > maxBytes {
		return nil, s.untrusted(fmt.Sprintf("is longer than %d bytes", maxBytes), "`wisp approvals clear` moves it aside")
	}
	wrong := func(offset int64, what string) error {
		line := 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n"))
		return s.untrusted(fmt.Sprintf("is wrong in line %d (%s)", line, what), mend)
	}
	var head struct {
		Version int `json:"version"`
	}
	err := json.Unmarshal(text, &head)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return nil, wrong(syntax.Offset, syntax.Error())
	}
	if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
		return nil, wrong(kind.Offset, "version must be a whole number, in an object")
	}
	switch {
	case err != nil:
		return nil, wrong(0, err.Error())
	case head.Version > format:
		return nil, s.untrusted(fmt.Sprintf("was written by a newer wisp (version %d; this one reads %d)", head.Version, format),
			"use that one, or `wisp approvals clear` moves it aside")
	case head.Version < format:
		return nil, wrong(0, fmt.Sprintf("version must be %d", format))
	}
	return entries(text, wrong)
}

// entries reads the list out of a text that is valid JSON, an object with a version.
func entries(text []byte, wrong func(offset int64, what string) error) ([]Approval, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var all []Approval
	d.Token() // {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, wrong(d.InputOffset(), err.Error())
		}
		at := next(text, d.InputOffset())
		var number json.Number
		switch key {
		case "version":
			if d.Decode(&number) != nil || number.String() != fmt.Sprint(format) {
				return nil, wrong(at, "there are two versions")
			}
			continue
		case "approvals":
		default:
			return nil, wrong(at, fmt.Sprintf("unknown field %q", key))
		}
		if open, err := d.Token(); err != nil || open != json.Delim('[') || all != nil {
			return nil, wrong(at, "approvals must be one list")
		}
		all = []Approval{}
		for d.More() {
			at = next(text, d.InputOffset())
			var a Approval
			err := d.Decode(&a)
			if err == nil {
				err = a.check()
			}
			if err != nil {
				return nil, wrong(at, strings.TrimPrefix(err.Error(), "json: "))
			}
			a.ID = a.id()
			all = append(all, a)
		}
		d.Token() // ]
	}
	return all, nil
}

// next is where the next value begins.
func next(text []byte, at int64) int64 {
	for at < int64(len(text)) && bytes.IndexByte([]byte(" \t\r\n,:"), text[at]) >= 0 {
		at++
	}
	return at
}

// absent says whether an error means that there is no such file.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// cause is an error without the path, which the sentence around it names.
func cause(err error) string {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err.Error()
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err.Error()
	}
	return err.Error()
}
