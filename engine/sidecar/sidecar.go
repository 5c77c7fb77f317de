// Package sidecar is what can be rebuilt from the records: each thread's index.json, with its title and counts, and
// for each directory a file that names its newest thread, so that `wisp chat --continue` reads no other thread.
//
// All of it may be deleted at any time: what is missing, stale or damaged is made again from the records when asked
// for. An index is stale where the record has another size than the one it was made from. Files are written whole,
// by a rename, 0600 in 0700 folders, and never synced; a write that fails costs only the time to rebuild, so callers
// may ignore the errors of [Touch].
//
// What the package doesn't do: it holds nothing that isn't in a record, keeps nothing in memory, takes no lock (the
// last writer wins, with the same content), and opens no record for writing. Specified in conversation.md, "The
// record".
package sidecar

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"wisp/engine/thread"
)

// maxTitle is how many characters of the first prompt make the title: what fits a line of a list.
const maxTitle = 72

// Info is what a list of threads shows of one.
type Info struct {
	Thread    string    `json:"thread"`
	Directory string    `json:"directory"` // where the conversation is now
	Title     string    `json:"title"`     // the person's own, the first prompt's first line, or the first typed command; "" without any
	Named     bool      `json:"named"`     // the title is the person's own
	Created   time.Time `json:"created"`
	Last      time.Time `json:"last"` // the newest entry's time
	Entries   int       `json:"entries"`
	Prompts   int       `json:"prompts"`
	Commands  int       `json:"commands"` // that the person typed
	Size      int64     `json:"size"`     // of the record that this was made from, in bytes

	Problem string `json:"-"` // why the record can't be read; the rest is what is known without it
}

// Add counts entries that were appended to the record.
func (i *Info) Add(entries ...thread.Entry) {
	for _, e := range entries {
		i.Entries++
		i.Last = e.Time
		switch e.Kind {
		case thread.Prompt:
			if i.Prompts == 0 && !i.Named {
				i.Title = firstLine(e.Text)
			}
			i.Prompts++
		case thread.CommandKind:
			if e.Command != nil && e.Command.Running {
				continue // its end counts
			}
			i.Commands++
			if i.Title == "" && e.Command != nil && !e.Command.Private {
				i.Title = firstLine("! " + e.Command.Line)
			}
		case thread.Directory:
			i.Directory = e.Text
		case thread.Notice:
			if title := firstLine(e.Title); title != "" {
				i.Title, i.Named = title, true
			}
		}
	}
}

// Start returns the Info of a thread that has no entries.
func Start(h thread.Header) Info {
	return Info{Thread: h.Thread, Directory: h.Directory, Created: h.Created, Last: h.Created}
}

// Touch writes the thread's index and names it as the newest of info.Directory.
func Touch(home string, info Info) error {
	folder, err := thread.Folder(home, info.Thread)
	if err != nil {
		return err
	}
	if listed, err := thread.Stat(home, info.Thread); err == nil {
		info.Size = listed.Size
	}
	err = write(filepath.Join(folder, "index.json"), info)
	newest, path := latest{Directory: info.Directory, Thread: info.Thread}, latestPath(home, info.Directory)
	var known latest
	if load(path, &known) && known == newest { // as it mostly is: reading costs a tenth of a rename
		return err
	}
	return errors.Join(err, write(path, newest))
}

// Read returns what is known of one thread, from its index or else from its record.
func Read(home, id string) (Info, error) {
	listed, err := thread.Stat(home, id)
	if err != nil {
		return Info{}, err
	}
	return read(home, listed), nil
}

func read(home string, listed thread.Listed) Info {
	folder, err := thread.Folder(home, listed.Thread)
	if err != nil {
		return problem(listed, err)
	}
	path := filepath.Join(folder, "index.json")
	var info Info
	if load(path, &info) && info.Thread == listed.Thread && info.Size == listed.Size {
		return info
	}
	h, err := thread.Read(home, listed.Thread)
	if err != nil {
		return problem(listed, err)
	}
	info = Start(h.Header)
	info.Thread, info.Size = listed.Thread, listed.Size
	info.Add(h.Entries...)
	write(path, info) // it can be made again
	return info
}

func problem(listed thread.Listed, err error) Info {
	info := Start(listed.Header)
	info.Last, info.Size, info.Problem = listed.Modified, listed.Size, err.Error()
	return info
}

// All returns what is known of all threads, the last written first.
func All(home string) ([]Info, error) {
	listed, err := thread.List(home)
	if err != nil {
		return nil, err
	}
	all := make([]Info, len(listed))
	for i, l := range listed {
		all[i] = read(home, l)
	}
	return all, nil
}

// Find returns the threads that text names: the one whose id it is, else those whose title it is, else those whose id begins so
// or whose title has it in it, whatever the letter case.
func Find(all []Info, text string) []Info {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	lower := strings.ToLower(text)
	var found, exact []Info
	for _, info := range all {
		id := strings.ToLower(info.Thread)
		if id == lower {
			return []Info{info}
		}
		if strings.EqualFold(info.Title, text) {
			exact = append(exact, info)
		}
		if strings.HasPrefix(id, lower) || strings.Contains(strings.ToLower(info.Title), lower) {
			found = append(found, info)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return found
}

// latest names the newest thread of a directory.
type latest struct {
	Directory string `json:"directory"`
	Thread    string `json:"thread"`
}

// Latest returns the newest thread of a directory, [thread.ErrNotFound] where it has none. It reads no other thread
// where the sidecar knows, and the first lines of all where it doesn't.
func Latest(home, directory string) (string, error) {
	path := latestPath(home, directory)
	var known latest
	if load(path, &known) && known.Directory == directory && isOf(home, known.Thread, directory) {
		return known.Thread, nil
	}
	listed, err := thread.List(home)
	if err != nil {
		return "", err
	}
	for _, l := range listed {
		if l.Directory == directory {
			write(path, latest{Directory: directory, Thread: l.Thread}) // it can be made again
			return l.Thread, nil
		}
	}
	return "", fmt.Errorf("no thread of %s: %w", directory, thread.ErrNotFound)
}

// isOf says whether the thread is there, and started in the directory or moved to it.
func isOf(home, id, directory string) bool {
	listed, err := thread.Stat(home, id)
	if err != nil {
		return !errors.Is(err, thread.ErrNotFound) // it is there: opening it says what is wrong
	}
	return listed.Problem != "" || listed.Directory == directory || read(home, listed).Directory == directory
}

func latestPath(home, directory string) string {
	sum := sha256.Sum256([]byte(directory))
	return filepath.Join(home, "latest", hex.EncodeToString(sum[:16])+".json")
}

func load(path string, into any) bool {
	data, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(data, into) == nil
}

// write puts v at path whole or not at all.
func write(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("sidecar %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("sidecar %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".sidecar-*") // 0600
	if err != nil {
		return fmt.Errorf("sidecar %w", err)
	}
	_, err = temp.Write(append(data, '\n'))
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
		return fmt.Errorf("sidecar %w", err)
	}
	return nil
}

// firstLine returns the first line that isn't blank, without control characters, cut on a character.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, line))
	if runes := []rune(line); len(runes) > maxTitle {
		return string(runes[:maxTitle-1]) + "…"
	}
	return line
}
