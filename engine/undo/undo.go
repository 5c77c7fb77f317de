// Package undo remembers what the model changed of files, turn by turn, and takes it back.
//
// A [Journal] is one conversation's. A tool that changes a file says so before ([Journal.Keep]) and after ([Journal.Wrote]); of a
// command, a [Look] before it and another after it find what it changed in the directories that are watched. What a file held
// goes into one append-only file, and what was changed into a second, so that a conversation that is resumed can still be taken
// back. Nothing is made before the first change.
//
// [Journal.Undo] takes the newest turn with changes back, file by file, and [Journal.Redo] returns it. A file that isn't as the
// turn left it is left alone and named: somebody changed it since. Where somebody did in the middle of a turn, what the turn did
// after that is taken back alone.
//
// Bounds: files of up to 4 MiB, 256 MiB of what they held, 20 000 files in a look; what is past them is said and can't be taken
// back. What the package doesn't do: it doesn't choose the files of a look (its caller does, leaving out what .gitignore
// excludes), runs nothing, asks nobody. Specified in machine-tools.md, "Undo".
package undo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

const (
	// MostBytes is the largest file that can be taken back, in bytes.
	MostBytes = 4 << 20
	// mostKept bounds what files held, in bytes, all turns together: past it changes are told, and can't be taken back.
	mostKept = 256 << 20
	// mostLooked bounds how many files a look sees.
	mostLooked = 20_000
	// mostTurns is how many turns can be taken back, one after the other.
	mostTurns = 100
)

// ErrNothing says that no turn is left to take back, or none to return.
var ErrNothing = errors.New("there is nothing to take back")

// state is what is at a path: a file, a link, or nothing. The zero value is nothing.
type state struct {
	Kind string      `json:"kind,omitempty"` // file, link; "" for nothing
	Mode fs.FileMode `json:"mode,omitempty"`
	Sum  string      `json:"sum,omitempty"` // of what it holds
	At   int64       `json:"at"`            // where that is kept; -1 where it isn't, and less for what is in memory
	Size int64       `json:"size,omitempty"`

	looked bool // it is kept for the looks of this process alone
}

// same says that two states look the same to a person.
func (s state) same(t state) bool { return s.Kind == t.Kind && s.Mode == t.Mode && s.Sum == t.Sum }

// touched is one file as a turn found it and left it.
type touched struct {
	Turn   int    `json:"turn"`
	Path   string `json:"path"`
	Before state  `json:"before"`
	After  state  `json:"after"`
}

// Journal is what was changed in one conversation. Any goroutine may use it.
type Journal struct {
	mu      sync.Mutex
	store   store
	turns   []*changes          // oldest first
	undone  []*changes          // what Redo returns, the newest last
	pending map[string]state    // what Keep kept, until Wrote
	known   map[string]snapshot // files that were looked at, as they were then
	loaded  bool
}

// changes are one turn's, in the order of their first.
type changes struct {
	turn  int
	files []touched
}

// Open returns the journal that is kept in a directory. It reads and makes nothing yet. What holds a secret goes on no disk, and
// can be taken back as long as this process has the journal open; secret may be nil.
func Open(directory string, secret func(text []byte) bool) *Journal {
	return &Journal{store: store{directory: directory, secret: secret}, pending: map[string]state{}, known: map[string]snapshot{}}
}

// Keep keeps a file as it is, before it is changed.
func (j *Journal) Keep(path string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.load()
	s, err := j.hold(path, false)
	if err != nil {
		return err
	}
	j.pending[path] = s
	return nil
}

// Wrote says that a turn changed a file that was kept.
func (j *Journal) Wrote(turn int, path string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before, ok := j.pending[path]
	delete(j.pending, path)
	if !ok {
		return
	}
	after, err := j.hold(path, false)
	if err != nil {
		return
	}
	j.add(touched{turn, path, before, after})
}

// hold is what is at a path now, with what it holds kept, or kept for looks alone. A file that is too large is no error: it can't
// be taken back.
func (j *Journal) hold(path string, looked bool) (state, error) {
	keep := j.store.put
	if looked {
		keep = j.store.glance
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return state{At: -1}, nil
	case err != nil:
		return state{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		if err != nil {
			return state{}, err
		}
		return keep("link", 0, []byte(to))
	case !info.Mode().IsRegular():
		return state{}, &fs.PathError{Op: "keep", Path: path, Err: errors.New("no regular file")}
	}
	s := state{Kind: "file", Mode: info.Mode().Perm(), At: -1, Size: info.Size()}
	if info.Size() > MostBytes {
		s.Sum = "large " + info.ModTime().String()
		return s, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return state{}, err
	}
	return keep("file", info.Mode().Perm(), text)
}

// add takes a change in. What was undone can't be returned after it.
func (j *Journal) add(t touched) {
	if t.Before.same(t.After) {
		return
	}
	j.undone = nil
	t.Before, t.After = j.store.promote(t.Before), j.store.promote(t.After)
	n := len(j.turns)
	if n == 0 || j.turns[n-1].turn != t.Turn {
		j.turns = append(j.turns, &changes{turn: t.Turn})
		if len(j.turns) > mostTurns {
			j.turns = j.turns[1:]
		}
	}
	j.turns[len(j.turns)-1].join(t)
	j.store.log(t)
}

// join puts a change behind what the turn did to that file before. Where somebody else changed it between, only what came after
// that is the turn's to take back.
func (c *changes) join(t touched) {
	i := slices.IndexFunc(c.files, func(have touched) bool { return have.Path == t.Path })
	switch {
	case i < 0:
		c.files = append(c.files, t)
	case c.files[i].After.same(t.Before):
		c.files[i].After = t.After
	default:
		c.files[i] = t
	}
}

// load reads what a conversation that is resumed had changed.
func (j *Journal) load() {
	if j.loaded {
		return
	}
	j.loaded = true
	for _, t := range j.store.load() {
		if t.Turn < 0 { // a turn that was taken back
			j.drop(-t.Turn)
			continue
		}
		n := len(j.turns)
		if n == 0 || j.turns[n-1].turn != t.Turn {
			j.turns = append(j.turns, &changes{turn: t.Turn})
		}
		j.turns[len(j.turns)-1].join(t)
	}
	if extra := len(j.turns) - mostTurns; extra > 0 {
		j.turns = j.turns[extra:]
	}
}

// drop forgets a turn's changes.
func (j *Journal) drop(turn int) {
	j.turns = slices.DeleteFunc(j.turns, func(c *changes) bool { return c.turn == turn })
}

// Close lets go of the files. The journal may be used again.
func (j *Journal) Close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.store.close()
	clear(j.known)
}

// Left is a file that was left as it is, and why.
type Left struct{ Path, Why string }

// Report is what Undo or Redo did.
type Report struct {
	Turn     int      // whose changes they were
	Restored []string // absolute paths
	Left     []Left
}

// Undo takes the newest turn that changed something back. ErrNothing where there is none.
func (j *Journal) Undo() (Report, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.load()
	n := len(j.turns)
	if n == 0 {
		return Report{}, ErrNothing
	}
	c := j.turns[n-1]
	j.turns = j.turns[:n-1]
	back := &changes{turn: c.turn}
	r := Report{Turn: c.turn}
	for _, t := range slices.Backward(c.files) { // what was made last goes first, so that a directory is empty when it goes
		if why := j.restore(t.Path, t.After, t.Before); why != "" {
			r.Left = append(r.Left, Left{t.Path, why})
			continue
		}
		r.Restored = append(r.Restored, t.Path)
		back.files = append(back.files, touched{t.Turn, t.Path, t.After, t.Before})
	}
	slices.Reverse(back.files)
	j.undone = append(j.undone, back)
	j.store.log(touched{Turn: -c.turn})
	return r, nil
}

// Redo returns what the newest Undo took back. ErrNothing where there is none, or something was changed since.
func (j *Journal) Redo() (Report, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := len(j.undone)
	if n == 0 {
		return Report{}, ErrNothing
	}
	c := j.undone[n-1]
	j.undone = j.undone[:n-1]
	r := Report{Turn: c.turn}
	again := &changes{turn: c.turn}
	for _, t := range c.files {
		if why := j.restore(t.Path, t.After, t.Before); why != "" {
			r.Left = append(r.Left, Left{t.Path, why})
			continue
		}
		r.Restored = append(r.Restored, t.Path)
		done := touched{t.Turn, t.Path, t.After, t.Before}
		again.files = append(again.files, done)
		j.store.log(done)
	}
	if len(again.files) > 0 {
		j.turns = append(j.turns, again)
	}
	return r, nil
}

// restore makes a path what it was, where it is still what it became. It says why it can't.
func (j *Journal) restore(path string, is, to state) string {
	now, err := j.hold(path, false)
	switch {
	case err != nil:
		return "it can't be read"
	case !now.same(is):
		return "it was changed since"
	case to.Kind != "" && to.At == -1:
		return "what it held was not kept, for its size or a secret in it"
	}
	delete(j.known, path)
	if to.Kind == "" {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return bare(err)
		}
		return ""
	}
	text, err := j.store.get(to)
	if err != nil {
		return "what it held isn't kept any more"
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return bare(err)
	}
	return put(path, to, text)
}

// put writes a file or a link in the place of what is there: whole or not at all.
func put(path string, s state, text []byte) string {
	beside := path + ".wisp-undo"
	os.Remove(beside)
	var err error
	if s.Kind == "link" {
		err = os.Symlink(string(text), beside)
	} else if err = os.WriteFile(beside, text, 0o600); err == nil {
		err = os.Chmod(beside, s.Mode)
	}
	if err == nil {
		err = os.Rename(beside, path)
	}
	if err != nil {
		os.Remove(beside)
		return bare(err)
	}
	return ""
}

// bare is an error without the path, which is said beside it.
func bare(err error) string {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err.Error()
	case errors.As(err, &link):
		return link.Err.Error()
	}
	return err.Error()
}

// Change is a file as a turn found it and left it, for a diff. Before or After is nil where there was none; Large says that what
// it held isn't kept.
type Change struct {
	Path          string
	Before, After []byte
	Large         bool
}

// Changes returns what the newest turn that changed something did, and which it was; 0 and none where none did.
func (j *Journal) Changes() (turn int, all []Change) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.load()
	n := len(j.turns)
	if n == 0 {
		return 0, nil
	}
	c := j.turns[n-1]
	for _, t := range c.files {
		one := Change{Path: t.Path}
		var large [2]bool
		one.Before, large[0] = j.held(t.Before)
		one.After, large[1] = j.held(t.After)
		one.Large = large[0] || large[1]
		all = append(all, one)
	}
	return c.turn, all
}

// held is what a state held.
func (j *Journal) held(s state) (text []byte, large bool) {
	if s.Kind == "" {
		return nil, false
	}
	text, err := j.store.get(s)
	if text == nil {
		text = []byte{}
	}
	return text, err != nil
}
