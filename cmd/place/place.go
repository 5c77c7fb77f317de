// Package place says where wisp keeps what belongs to the person, and what of the person's configuration is for the faces.
//
// Both commands read the same places: the engine keeps threads and audit there, and the faces the lines that were typed.
// The configuration is one file; the engine reads all of it and says what is wrong with it, a face reads the keys under
// input and leaves the rest alone, so that a fault is said once.
//
// What the package doesn't do: it creates nothing, and reads the environment only through the function that it is given.
// Specified in conversation.md, "The record", and tui.md, "The input box".
package place

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
)

// Places are where wisp keeps things.
type Places struct {
	// Home holds threads, audit and history.
	Home string
	// Configuration is the person's file.
	Configuration string
}

// Find reads the environment; see conversation.md, "The record".
func Find(env func(string) string) (Places, error) {
	if home := env("WISP_HOME"); home != "" {
		home, err := filepath.Abs(home)
		return Places{home, filepath.Join(home, "config.json")}, err
	}
	person := env("HOME")
	state, config := env("XDG_STATE_HOME"), env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(state) {
		state = filepath.Join(person, ".local", "state")
	}
	if !filepath.IsAbs(config) {
		config = filepath.Join(person, ".config")
	}
	if !filepath.IsAbs(state) || !filepath.IsAbs(config) {
		return Places{}, errors.New("neither HOME nor WISP_HOME says where wisp may keep its threads: set one")
	}
	return Places{filepath.Join(state, "wisp"), filepath.Join(config, "wisp", "config.json")}, nil
}

// Editor is the person's, as a shell reads it.
func Editor(env func(string) string) string {
	for _, name := range []string{env("VISUAL"), env("EDITOR")} {
		if name != "" {
			return name
		}
	}
	return "vi"
}

// Input is the settings of the input box.
type Input struct {
	// WhileBusy is "hold", where typing waits for what runs, or "queue", where a prompt can be sent meanwhile.
	WhileBusy string `json:"whileBusy"`
	// ConfirmQuit asks for a second Ctrl-C before an idle wisp quits.
	ConfirmQuit bool `json:"confirmQuit"`
}

// Check says what is wrong with the settings; nil where nothing is.
func (i Input) Check() error {
	switch i.WhileBusy {
	case "", "hold", "queue":
		return nil
	}
	return fmt.Errorf("input.whileBusy must be \"hold\" or \"queue\", not %q: typing is held while something runs", i.WhileBusy)
}

// ReadInput reads the input settings of a configuration file. A file that can't be read gives the defaults: that it can't
// is the engine's to say.
func ReadInput(path string) Input {
	var c struct {
		Input Input `json:"input"`
	}
	text, _, err := ReadFile(path)
	if err != nil {
		return Input{}
	}
	v, err := Parse(text)
	if err != nil {
		return Input{}
	}
	v.Standardize()
	if json.Unmarshal(v.Pack(), &c) != nil || c.Input.Check() != nil {
		return Input{}
	}
	return c.Input
}
