package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"wisp/cmd/place"
	"wisp/engine/text"
)

// trustedFile is which projects' files the person trusts, in wisp's home: by the path of the file, whose directory is a real
// one, the SHA-256 of its content. A file that changed is another, and so is the same content in another directory: what its
// commands do depends on where they run.
type trustedFile struct {
	Schema   int               `json:"schema"`
	Projects map[string]string `json:"projects"`
}

// trustedPath is where they are kept.
func trustedPath(home string) string { return filepath.Join(home, "trusted.json") }

// readTrusted reads which projects are trusted. A file that can't be read trusts none.
func readTrusted(home string) (map[string]string, error) {
	path := trustedPath(home)
	wrong := func(err error) (map[string]string, error) {
		return nil, fmt.Errorf("%s can't be read: %s", text.Line(path), text.Line(err.Error()))
	}
	content, info, err := place.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return wrong(err)
	}
	if _, err := othersWrite(path, info); err != nil {
		return wrong(err)
	}
	var f trustedFile
	if err := json.Unmarshal(content, &f); err != nil {
		return wrong(err)
	}
	if f.Schema != 1 {
		return wrong(errors.New("another version of wisp wrote it"))
	}
	return f.Projects, nil
}

// changeTrusted changes which projects are trusted: one at a time, so that nothing that another wisp took out comes back.
func changeTrusted(home string, change func(projects map[string]string)) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	lock, err := os.Open(home)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("%s can't be locked: %w", text.Line(home), err)
	}
	projects, err := readTrusted(home)
	if err != nil {
		return fmt.Errorf("%w: mend it, or remove it to trust none", err)
	}
	if projects == nil {
		projects = map[string]string{}
	}
	change(projects)
	content, err := json.MarshalIndent(trustedFile{Schema: 1, Projects: projects}, "", "  ")
	if err != nil {
		return err
	}
	return replace(trustedPath(home), append(content, '\n'))
}

// replace writes a file that is either the old one or the new, whole, whenever this ends.
func replace(path string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	return err
}
