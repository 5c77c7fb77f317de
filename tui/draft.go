package tui

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// draft is what was being typed when a session ended, with the mark of its mode.
type draft struct {
	Mark string `json:"mark,omitempty"`
	Text string `json:"text"`
}

// takeDraft reads the draft of the last session, once: another that starts meanwhile has a box of its own. None is an empty one.
func takeDraft(path string) draft {
	var d draft
	text, err := os.ReadFile(path)
	if path == "" || err != nil || json.Unmarshal(text, &d) != nil {
		return draft{}
	}
	os.Remove(path)
	return d
}

// keepDraft writes a draft for the next session, whole or not at all; an empty one removes what there was.
func keepDraft(path string, d draft) error {
	if path == "" {
		return nil
	}
	if d.Text == "" {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}
