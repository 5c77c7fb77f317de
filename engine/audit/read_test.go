package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// commands are those of the lines that a snapshot yields.
func commands(t *testing.T, s *Snapshot) (all []string) {
	t.Helper()
	for line, err := range s.Lines() {
		must(t, err)
		e, err := line.Event()
		must(t, err)
		all = append(all, e.Details.(*CommandTypedDetails).Command)
	}
	return all
}

// next are the commands that came since; none where there is nothing new.
func next(t *testing.T, s *Snapshot) []string {
	t.Helper()
	more, err := s.Next()
	must(t, err)
	if !more {
		return nil
	}
	return commands(t, s)
}

func TestNextFollowsRotations(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	s, err := Read(path)
	must(t, err)
	defer func() { s.Close() }()
	if got := next(t, s); got != nil {
		t.Errorf("no log: %v", got)
	}
	l := open(t, path)
	l.config.MaxBytes = 1000
	count := 0
	for round := range 30 {
		var want []string
		for range round % 8 { // up to three rotations
			want = append(want, fmt.Sprint("command ", count))
			add(t, l, want[len(want)-1])
			count++
		}
		if got := next(t, s); !slices.Equal(got, want) {
			t.Errorf("round %d: %v, want %v", round, got, want)
		}
	}
	must(t, os.WriteFile(path+".new", nil, 0o600))
	must(t, os.Rename(path+".new", path)) // another file took its place
	add(t, l, "in the new one")
	if got := next(t, s); !slices.Equal(got, []string{"in the new one"}) {
		t.Errorf("%v", got)
	}
	must(t, os.Remove(path))
	if got := next(t, s); got != nil {
		t.Errorf("the log is gone: %v", got)
	}
	add(t, l, "begun again")
	if got := next(t, s); !slices.Equal(got, []string{"begun again"}) {
		t.Errorf("%v", got)
	}
}

func TestBackwardsAndFrom(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, path)
	l.config.MaxBytes = 3 * tailStep
	var want []string
	for i := range 100 {
		want = append(want, fmt.Sprint(i, strings.Repeat(" x", i*i%3000)))
		add(t, l, want[i])
	}
	s, err := Read(path)
	must(t, err)
	defer s.Close()
	if s.Files() < 3 {
		t.Errorf("%d files", s.Files())
	}
	i := len(want)
	var middle Line
	for line, err := range s.Backwards() {
		must(t, err)
		e, err := line.Event()
		must(t, err)
		i--
		if got := e.Details.(*CommandTypedDetails).Command; got != want[i] {
			t.Fatalf("event %d is %s", i, got)
		}
		if i == 17 {
			middle = line
		}
	}
	if i != 0 {
		t.Errorf("%d lines are missing", i)
	}
	s.From(middle)
	if got := commands(t, s); !slices.Equal(got, want[17:]) {
		t.Errorf("%d commands", len(got))
	}
	s.FromEnd()
	if got := commands(t, s); got != nil {
		t.Errorf("%v", got)
	}
}

// A file in the place of the log that isn't one is a fault, and nobody waits for it.
func TestReadWhatIsNoLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	must(t, os.Mkdir(path, 0o700))
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "no ordinary file") {
		t.Errorf("%v", err)
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, k := range Kinds() {
		if detailsOf(k) == nil {
			t.Errorf("%s has no details", k)
		}
		empty, err := json.Marshal(detailsOf(k))
		must(t, err)
		line, err := json.Marshal(Event{ID: "1", Kind: k, Details: json.RawMessage(empty)})
		must(t, err)
		e, err := Line{Text: line}.Event()
		must(t, err)
		if _, raw := e.Details.(json.RawMessage); raw {
			t.Errorf("%s is read as text", k)
		}
		_ = e.Phrase() // of empty details too
	}
	for name, want := range map[string]bool{"approval": true, "approval.*": true, "approval.asked": true, "app*": true, "*": true, "fact": true, "app": false, "": false, "approval.": false} {
		if Known(name) != want {
			t.Errorf("%q is known: %v", name, !want)
		}
	}
	if Kind("approvals").In("approval") || !ApprovalAsked.In("approval") || CommandTyped.In("command.outcome") {
		t.Error("a family is by whole words")
	}
}
