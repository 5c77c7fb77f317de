package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/thread"
	"wisp/engine/undo"
	"wisp/tools"
	"wisp/tools/change"
)

const (
	// lookPatience bounds a look at the files before and after a command: a tree that takes longer is seen in part.
	lookPatience = time.Second
	// mostTold bounds how many files a command is said to have changed, one by one.
	mostTold = 100
	// mostDiff bounds what /diff shows, in bytes.
	mostDiff = 128 << 10
)

// keeps gives a call what keeps the files that it changes.
func (t *turn) keeps(c *tools.Call) {
	c.Keep = t.journal.Keep
	c.Wrote = func(path string) { t.journal.Wrote(t.turn, path) }
}

// watch looks at the files before a command that may change some, and returns what finds those that it changed.
func (t *turn) watch(ctx context.Context, call string, p gate.Plan, v gate.Verdict) (done func()) {
	if p.Class != gate.Run || v.Level <= gate.Low || !t.watched() {
		return func() {}
	}
	ctx = context.WithoutCancel(ctx) // what a stopped command changed can be taken back too
	within, end := context.WithTimeout(ctx, lookPatience)
	defer end()
	look := t.journal.Look(within, tools.Watched(within, t.directory))
	return func() {
		within, end := context.WithTimeout(ctx, lookPatience)
		defer end()
		look.Files = tools.Watched(within, t.directory)
		for i, path := range look.After(within, t.turn) {
			if i == mostTold {
				return
			}
			t.commits.commit(happened{events: []event{t.written(call, audit.FileWriteDetails{Tool: p.Tool, Path: path})}})
		}
	}
}

// watched says whether the conversation's directory is one that a project may be in, and no place where everything is.
func (t *turn) watched() bool {
	return t.directory != t.config.Person && len(t.directory) > 1 && !strings.HasPrefix(t.config.Person, t.directory+"/")
}

// written is the event that a file was changed, for the audit.
func (t *turn) written(call string, d audit.FileWriteDetails) event {
	e := t.event("", audit.Event{Kind: audit.FileWrite, Call: call, Details: d})
	e.silent = true
	return e
}

// slashUndo takes the newest turn's changes back, or returns them.
func (s *Session) slashUndo(action, request string) {
	journal := s.commits.changes()
	do := journal.Undo
	if action == "redo" {
		do = journal.Redo
	}
	r, err := do()
	switch {
	case errors.Is(err, undo.ErrNothing) && action == "redo":
		s.result(request, "there is nothing to return: nothing was taken back, or something was changed since")
		return
	case errors.Is(err, undo.ErrNothing):
		s.result(request, "there is nothing to take back: no turn of this conversation changed a file that wisp saw")
		return
	case err != nil:
		s.note("error", request, "/%s: %v", action, err)
		return
	}
	d := audit.FileUndoDetails{Action: action, Of: r.Turn, Restored: []string{}, Left: []string{}}
	verb := "taken back"
	if action == "redo" {
		verb = "returned"
	}
	lines := []string{fmt.Sprintf("turn %d: %s", r.Turn, verb)}
	for _, path := range r.Restored {
		d.Restored = append(d.Restored, path)
		lines = append(lines, "  "+s.near(path))
	}
	for _, left := range r.Left {
		d.Left = append(d.Left, left.Path)
		lines = append(lines, fmt.Sprintf("  %s: left as it is, %s", s.near(left.Path), left.Why))
	}
	h := happened{events: []event{{request: request, silent: true, Event: audit.Event{Kind: audit.FileUndo, Turn: s.state.turn, Details: d}}}}
	if len(r.Restored) > 0 { // the model would work on with what it wrote
		h.entries = []thread.Entry{{Kind: thread.Notice, Turn: s.state.turn, Person: true, Text: fmt.Sprintf(
			"The changes of turn %d were %s by the person, in %s: read a file again before you change it.", r.Turn, verb, s.nearAll(r.Restored))}}
	}
	s.commits.commit(h)
	s.result(request, strings.Join(lines, "\n"))
	s.look(0)
}

// slashDiff shows what the newest turn that changed files did.
func (s *Session) slashDiff(request string) {
	turn, all := s.commits.changes().Changes()
	if turn == 0 {
		s.result(request, "no turn of this conversation changed a file that wisp saw")
		return
	}
	var b strings.Builder
	for _, c := range all {
		name := s.near(c.Path)
		switch {
		case c.Large:
			fmt.Fprintf(&b, "%s: changed; what it held was too large to be kept\n", name)
		case c.After == nil:
			fmt.Fprintf(&b, "%s: deleted\n", name)
		default:
			diff, _ := change.Diff(name, c.Before, c.After)
			b.WriteString(diff)
		}
		if b.Len() > mostDiff {
			fmt.Fprintf(&b, "… %d files in all\n", len(all))
			break
		}
	}
	s.result(request, s.config.Secrets.Text(strings.TrimSuffix(b.String(), "\n")))
}

// near is a path as it is told: relative to the conversation's directory where it lies within.
func (s *Session) near(path string) string {
	if relative, err := filepath.Rel(s.state.directory, path); err == nil && filepath.IsLocal(relative) {
		return relative
	}
	return path
}

// nearAll are the first of some paths, in one line.
func (s *Session) nearAll(paths []string) string {
	const most = 20
	var names []string
	for i, path := range paths {
		if i == most {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", len(paths)-i)
		}
		names = append(names, s.near(path))
	}
	return strings.Join(names, ", ")
}
