package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"

	"wisp/engine/gate"
	"wisp/tools/change"
)

// editor is what the tools that change a file have in common: what would be written is made with the plan, shown with the
// question, and written as it was shown or not at all.
type editor struct {
	machine Machine
	name    string // the tool's
	title   string

	mu      sync.Mutex
	planned planned
}

// planned is one change that waits to be cleared: the newest, since a model's calls are done one after the other.
type planned struct {
	call   string
	target target
	made
}

// made is what a tool makes of a file.
type made struct {
	text   []byte
	places int            // that were changed
	told   string         // what became of it, for the model, where no count of places says it
	diff   string         // as the person is to see it; "": the whole file's
	lines  change.Changes // where there is a diff
}

// plan makes the change of a call, without writing it.
func (e *editor) plan(call Call, path string, make func(t target) (made, error)) (gate.Plan, error) {
	if path == "" {
		return gate.Plan{}, errors.New("path is empty: name the file to change")
	}
	absolute, err := resolve(e.machine, call.Directory, path)
	if err != nil {
		return gate.Plan{}, err
	}
	t, err := openTarget(call.Directory, absolute)
	if err != nil {
		return gate.Plan{}, err
	}
	name := shownPath(call.Directory, absolute)
	if e.machine.Seen.changed(t.real, t.stamp) {
		return gate.Plan{}, fmt.Errorf("%s has changed since you read it: read it again, then change it", name)
	}
	m, err := make(t)
	if err != nil {
		return gate.Plan{}, fmt.Errorf("%s: %w", name, err)
	}
	if m.diff == "" {
		before := t.text
		if t.there && before == nil {
			before = []byte{}
		}
		m.diff, m.lines = change.Diff(name, before, m.text)
	}
	p := planned{call: call.ID, target: t, made: m}
	e.mu.Lock()
	e.planned = p
	e.mu.Unlock()
	return gate.Plan{Tool: e.name, Class: gate.Edit, Directory: call.Directory, Paths: []string{absolute}, Title: e.title, Detail: p.diff}, nil
}

// take returns the change that was planned for a call, once.
func (e *editor) take(call Call) (planned, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.planned
	e.planned = planned{}
	return p, p.call == call.ID && p.target.path != ""
}

// write writes what was planned and cleared.
func (e *editor) write(ctx context.Context, cleared gate.Cleared, call Call) (planned, Result) {
	p, ok := e.take(call)
	path, valid := clearedPath(cleared)
	name := shownPath(call.Directory, p.target.path)
	switch {
	case !valid || !ok || path != p.target.path:
		return p, failed("the change was not cleared: nothing was written")
	case ctx.Err() != nil:
		return p, ended(ctx, "%s was not changed", name)
	case !p.target.still():
		return p, failed("%s changed while the question was open: nothing was written. Read it again", name)
	}
	if call.Keep != nil {
		if err := call.Keep(p.target.real); err != nil {
			return p, failed("%s was not changed, for what it is now couldn't be kept for /undo: %v", name, bare(err))
		}
	}
	if err := p.target.save(p.text); err != nil {
		return p, failed("%s can't be written: %v. It is as it was", name, bare(err))
	}
	if call.Wrote != nil {
		call.Wrote(p.target.real)
	}
	if info, err := os.Stat(p.target.real); err == nil {
		e.machine.Seen.note(p.target.real, stampOf(info))
	}
	return p, Result{Changed: &Changed{Path: p.target.real, Diff: p.diff, Added: p.lines.Added, Removed: p.lines.Removed, Made: !p.target.there}, Lines: int64(p.lines.Added + p.lines.Removed), Bytes: int64(len(p.text))}
}

// bare is an error without the path that it names, which may be another than the one that was asked for.
func bare(err error) error {
	var at *fs.PathError
	var links *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &links):
		err = links.Err
	}
	if errors.Is(err, syscall.ENOSPC) {
		return errors.New("the disk is full")
	}
	return err
}

// counts says how large a change is: "+3 -1".
func counts(c change.Changes) string {
	var parts []string
	if c.Added > 0 || c.Removed == 0 {
		parts = append(parts, fmt.Sprintf("+%d", c.Added))
	}
	if c.Removed > 0 {
		parts = append(parts, fmt.Sprintf("-%d", c.Removed))
	}
	return strings.Join(parts, " ")
}
