// Package approvals is the file of answers that last: what a person approved for a project, or for always, for 30 days.
//
// The file is approvals.json in wisp's home, 0600. Every wisp on the machine reads and writes it: a write is made under a
// lock and takes the place of the whole file, and a reader looks at the file again when it has changed, so that what one
// process revokes is gone in the others at once. A project is one directory, exactly: what was approved in it is asked again in a
// directory below. An answer that is given again is renewed, and one that has expired covers nothing and goes with the next
// write.
//
// A file that can't be trusted allows nothing and is never written over: one that isn't as this package writes it, that
// somebody else can write, or that a newer wisp wrote. Each method returns a sentence then that says what to do; [Store.Clear]
// moves the file aside.
//
// What the package doesn't do: it decides nothing about a command, masks no secret (who adds an answer does), resolves no
// path, and reads no clock but the one it is given. Levels and scopes are the words of the wire. Specified in guard.md,
// "Approval".
package approvals

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// FileName is the file's name in wisp's home.
	FileName = "approvals.json"

	// Lifetime is how long an answer lasts.
	Lifetime = 30 * 24 * time.Hour

	// MaxApprovals is how many are kept; the oldest go. Nobody answers so many questions in 30 days.
	MaxApprovals = 1000

	// MaxPattern bounds a pattern, in bytes: a script of 4 KiB in one line is a thing to look at each time.
	MaxPattern = 4 << 10
)

// The scopes of an answer that lasts.
const (
	Project = "project" // one directory
	Always  = "always"
)

// The levels of risk that an answer can last for. What is high is asked each session.
const (
	Low      = "low"
	Moderate = "moderate"
)

// Approval is one answer that lasts.
type Approval struct {
	// ID is eight letters and digits, made of what the answer is for: it stays when the answer is renewed.
	ID string `json:"id"`
	// Pattern is what the gate asked for: `git push *`, or a command's exact text.
	Pattern string `json:"pattern"`
	// Level is Low or Moderate: the answer covers it and what is below.
	Level string `json:"level"`
	// Scope is Project or Always.
	Scope string `json:"scope"`
	// Directory is a project's: absolute, without links. "" for always.
	Directory string `json:"directory"`
	// Identity is what the command's programs and scripts were when it was approved, in hexadecimal; "" where nothing was bound.
	Identity string `json:"identity"`
	// Made is when the person answered last; Expires is when the answer ends.
	Made    time.Time `json:"made"`
	Expires time.Time `json:"expires"`
}

// Store is the file, seen by one process. Any goroutine may use it.
type Store struct {
	path string
	now  func() time.Time

	mu   sync.Mutex
	file *os.File    // what was read last, open so that its number isn't given to another file; nil where there was none
	info fs.FileInfo // of it
	read []Approval  // what it holds
}

// Open returns the file at a path. Nothing is read, and nothing is made, before it is asked for.
func Open(path string, now func() time.Time) *Store { return &Store{path: path, now: now} }

// Covering returns the highest level that is approved for a pattern in a directory, with programs of that identity; "" where
// none is. An error means that the file allows nothing.
func (s *Store) Covering(pattern, directory, identity string) (level string, err error) {
	all, err := s.List()
	for _, a := range all {
		switch {
		case a.Pattern != pattern, a.Scope == Project && a.Directory != directory:
		case a.Identity != "" && a.Identity != identity:
		default:
			level = higher(level, a.Level)
		}
	}
	return level, err
}

// List returns the answers that hold, the newest first.
func (s *Store) List() ([]Approval, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.look(); err != nil {
		return nil, err
	}
	return s.holding(s.read), nil
}

// Add keeps an answer from now on for 30 days: its ID and times are made here. One for the same pattern, scope, directory and
// identity is renewed, and keeps the higher level of the two. On an error nothing was kept.
func (s *Store) Add(a Approval) error {
	a.Made = s.now().UTC().Truncate(time.Second)
	a.Expires = a.Made.Add(Lifetime)
	if err := a.check(); err != nil {
		return err
	}
	a.ID = a.id()
	return s.change(func(all []Approval) []Approval {
		rest := slices.DeleteFunc(all, func(old Approval) bool {
			if old.key() != a.key() {
				return false
			}
			a.Level = higher(a.Level, old.Level)
			return true
		})
		return append([]Approval{a}, rest...)
	})
}

// Revoke takes back the answer of that ID, or where there is none all those of that pattern, and returns what it took back.
func (s *Store) Revoke(name string) (gone []Approval, err error) {
	err = s.change(func(all []Approval) []Approval {
		rest := slices.DeleteFunc(slices.Clone(all), func(a Approval) bool { return a.ID == strings.ToLower(name) })
		if len(rest) == len(all) {
			rest = slices.DeleteFunc(rest, func(a Approval) bool { return a.Pattern == name })
		}
		for _, a := range all {
			if !slices.Contains(rest, a) {
				gone = append(gone, a)
			}
		}
		return rest
	})
	if err != nil {
		gone = nil
	}
	return gone, err
}

// Clear takes back all answers and returns how many held. A file that can't be trusted is moved aside, and aside is where it is
// then.
func (s *Store) Clear() (held int, aside string, err error) {
	err = s.change(func(all []Approval) []Approval {
		held = len(all)
		return nil
	})
	if untrusted := (*untrustedError)(nil); errors.As(err, &untrusted) {
		aside, err = s.moveAside()
		return 0, aside, err
	}
	if err != nil {
		held = 0
	}
	return held, "", err
}

// check says what is wrong with an answer; nil where it may be kept.
func (a Approval) check() error {
	switch {
	case a.Level == "high":
		return errors.New("what is high is never approved beyond the session")
	case a.Level != Low && a.Level != Moderate:
		return fmt.Errorf("level must be %q or %q, not %q", Low, Moderate, clip(a.Level))
	case a.Pattern == "":
		return errors.New("there is no pattern")
	case len(a.Pattern) > MaxPattern:
		return fmt.Errorf("a pattern of more than %d bytes isn't kept", MaxPattern)
	case !utf8.ValidString(a.Pattern) || !utf8.ValidString(a.Directory):
		return errors.New("what is not UTF-8 isn't kept")
	case a.Scope != Project && a.Scope != Always:
		return fmt.Errorf("scope must be %q or %q, not %q", Project, Always, clip(a.Scope))
	case a.Scope == Always && a.Directory != "":
		return errors.New("an answer for always has no directory")
	case a.Scope == Project && (!filepath.IsAbs(a.Directory) || filepath.Clean(a.Directory) != a.Directory):
		return fmt.Errorf("a project's directory must be a whole path, not %q", clip(a.Directory))
	case len(a.Identity) > maxIdentity || strings.Trim(a.Identity, "0123456789abcdef") != "":
		return fmt.Errorf("identity must be hexadecimal, not %q", clip(a.Identity))
	case !a.Expires.After(a.Made) || a.Expires.Sub(a.Made) > Lifetime:
		return fmt.Errorf("expires must come after made, by at most %d days", Lifetime/(24*time.Hour))
	}
	return nil
}

// maxIdentity bounds an identity, in digits: a SHA-512.
const maxIdentity = 128

// key is what an answer is for.
func (a Approval) key() [4]string { return [...]string{a.Scope, a.Directory, a.Identity, a.Pattern} }

// id is the answer's ID. Two of a thousand are the same once in two million times; then they are revoked together.
func (a Approval) id() string {
	key := a.key()
	sum := sha256.Sum256([]byte(strings.Join(key[:], "\x00")))
	digits := base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz") // Crockford's: none looks like another
	return digits.EncodeToString(sum[:5])
}

// holding are those that haven't expired, the newest first.
func (s *Store) holding(all []Approval) []Approval {
	now := s.now()
	hold := slices.DeleteFunc(slices.Clone(all), func(a Approval) bool { return !now.Before(a.Expires) })
	slices.SortStableFunc(hold, func(a, b Approval) int {
		return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.Pattern, b.Pattern), cmp.Compare(a.ID, b.ID))
	})
	return hold
}

// higher is the higher of two levels.
func higher(a, b string) string {
	switch {
	case a == Moderate || b == Moderate:
		return Moderate
	case a == Low || b == Low:
		return Low
	}
	return ""
}

// clip is a text for the middle of a sentence.
func clip(s string) string {
	const most = 40
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
