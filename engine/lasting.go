package engine

import (
	"errors"
	"path/filepath"
	"sync"

	"wisp/engine/approvals"
	"wisp/engine/gate"
	"wisp/engine/secret"
)

// lasting is the file of answers that last as the gate knows it: in its levels and scopes. A pattern that holds a secret is
// neither kept nor looked for: the secret isn't put down, and its mask would stand for other commands too. Any goroutine may ask.
type lasting struct {
	store   *approvals.Store
	secrets *secret.Mask
	note    func(text string) // tells the person

	mu   sync.Mutex
	told string // what they were told last of the file
}

// newApprovals is the file in wisp's home, which isn't read before it is asked for.
func newApprovals(c *Config) *approvals.Store {
	return approvals.Open(filepath.Join(c.Home, approvals.FileName), c.Now)
}

func newLasting(store *approvals.Store, secrets *secret.Mask, note func(text string)) *lasting {
	return &lasting{store: store, secrets: secrets, note: note}
}

// Covers says whether an answer that lasts covers a pattern at a level. A file that can't be trusted covers nothing, and the person
// is told, once for each thing that is wrong with it.
func (l *lasting) Covers(pattern, directory string, level gate.Level, identity string) bool {
	if level == gate.High || l.secrets.Text(pattern) != pattern {
		return false
	}
	real, err := filepath.EvalSymlinks(directory)
	if err != nil {
		real = "" // no project's
	}
	word, err := l.store.Covering(pattern, real, identity)
	if err != nil {
		l.tell(err.Error())
		return false
	}
	return word != "" && levelOf(word) >= level
}

// Keep keeps an answer for the project or for always. An error says why it isn't kept.
func (l *lasting) Keep(pattern, directory string, level gate.Level, scope gate.Scope, identity string) error {
	if l.secrets.Text(pattern) != pattern {
		return errors.New("the command holds a secret, which isn't put down")
	}
	a := approvals.Approval{Pattern: pattern, Level: level.String(), Scope: string(scope), Identity: identity}
	var err error
	if scope == gate.Project {
		a.Directory, err = filepath.EvalSymlinks(directory)
	}
	if err == nil {
		err = l.store.Add(a)
	}
	return err
}

// tell tells the person what is wrong with the file, where it wasn't that before.
func (l *lasting) tell(text string) {
	l.mu.Lock()
	before := l.told
	l.told = text
	l.mu.Unlock()
	if before != text {
		l.note(text)
	}
}

// levelOf is a level by its word.
func levelOf(word string) gate.Level {
	switch word {
	case approvals.Low:
		return gate.Low
	case approvals.Moderate:
		return gate.Moderate
	}
	return gate.Unrated
}
