package thread

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Fork opens a copy of a thread for writing, under a new id. It copies what stands in the file, whoever writes that, and
// leaves the first one as it is. Entries keep their numbers; the stored outputs are linked, so that they take no more room, and
// stay when the first one's go. What the tools changed of files can be taken back in the first one alone.
func Fork(c Config, from string) (*Record, error) {
	h, err := Read(c.Home, from)
	if err != nil {
		return nil, err
	}
	if c.ID, err = parseID(NewID(c.Now())); err != nil {
		return nil, err
	}
	to := folder(c.Home, c.ID)
	if err := os.MkdirAll(filepath.Join(to, "outputs"), 0o700); err != nil {
		return nil, err
	}
	err = linkOutputs(filepath.Join(folder(c.Home, h.Header.Thread), "outputs"), filepath.Join(to, "outputs"))
	if err == nil {
		header := Header{
			Record: Version, Thread: c.ID, Directory: h.Header.Directory, Created: c.Now(), Version: c.Version, Forked: h.Header.Thread,
		}
		err = writeWhole(filepath.Join(to, fileName), header, h.Entries)
	}
	if err == nil {
		err = syncFolders(to)
	}
	if err != nil {
		os.RemoveAll(to)
		return nil, fmt.Errorf("thread %s can't be copied: %w", h.Header.Thread, err)
	}
	r, err := Open(c)
	if err != nil {
		return nil, err
	}
	r.notes = append(h.Notes, r.notes...)
	return r, nil
}

// linkOutputs gives the files of one folder a second name in another; where the disk has no links, a second self.
func linkOutputs(from, to string) error {
	files, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		old, new := filepath.Join(from, f.Name()), filepath.Join(to, f.Name())
		if err := os.Link(old, new); err == nil || errors.Is(err, fs.ErrNotExist) { // it may be dropped meanwhile
			continue
		}
		if err := copyFile(old, new); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// writeWhole puts a record at a path, whole or not at all: a folder without one is no thread.
func writeWhole(path string, header Header, entries []Entry) error {
	file, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	out := json.NewEncoder(file)
	out.SetEscapeHTML(false)
	err = out.Encode(header)
	for i := range entries {
		if err == nil {
			err = out.Encode(&entries[i])
		}
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
