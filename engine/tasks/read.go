package tasks

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"time"

	"wisp/engine/proc"
	"wisp/engine/stop"
)

const (
	// gathering is how long a read that waited for output waits for more of it: a program prints line by line.
	gathering = 50 * time.Millisecond
	// standing is how long an unfinished line is as it is before it is shown.
	standing = 100 * time.Millisecond
)

// Wait is what a read waits for.
type Wait int

// The waits.
const (
	AtOnce    Wait = iota // for nothing
	ForOutput             // for some output that wasn't read, or the end
	ForExit               // for the end
)

// Reading is what the model is told of a task that it reads.
type Reading struct {
	Task
	Text    string // what was printed since the last read: its end
	Omitted int64  // bytes before that
	Open    string // the unfinished line, where it stands
	Binary  bool   // it is no text
	Problem string // why there is no text, though there was output
	Early   bool   // the wait was ended before its time
}

// Reach returns a task that the conversation's model may reach: one of this conversation, that isn't kept from it.
func (s *Set) Reach(id string) (t Task, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.reach(id); k != nil {
		return k.Task, true
	}
	return Task{}, false
}

// Reachable returns the tasks that the conversation's model may reach, oldest first.
func (s *Set) Reachable() []Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Task
	for _, k := range s.all {
		if k.Thread == s.thread && !k.Private {
			all = append(all, k.Task)
		}
	}
	return all
}

// Unread is how many bytes of an ended task's output the model hasn't read.
func (s *Set) Unread(id string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.reach(id); k != nil && k.Over() {
		return max(k.Outcome.Output.Bytes-k.read, 0)
	}
	return 0
}

func (s *Set) reach(id string) *kept {
	if k := s.find(id); k != nil && k.Thread == s.thread && !k.Private {
		return k
	}
	return nil
}

// Read waits as it is told to, as long as ctx lasts and early isn't closed, and returns what of a task the model hasn't read yet: at
// most most bytes of its end. An end that it returns is told with that. Where ctx ends for another reason than its time, nothing
// counts as read. ok is false where the model can't reach such a task.
func (s *Set) Read(ctx context.Context, id string, w Wait, most int, early <-chan struct{}) (r Reading, ok bool) {
	s.mu.Lock()
	k := s.reach(id)
	s.mu.Unlock()
	if k == nil {
		return Reading{}, false
	}
	r.Early = s.wait(ctx, k, w, early)
	for {
		if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
			r.Task, _ = s.Find(id)
			return r, true
		}
		s.mu.Lock()
		r.Task = k.Task
		view, read := k.View, k.read
		if k.Over() {
			s.ended(k, &r, most)
			return r, true
		}
		s.mu.Unlock()
		seen, runs := view.Since(read, most)
		if !runs && pause(ctx, k) { // it has just ended, and what it printed is read with that
			continue
		}
		if seen.Text == "" && seen.Open != "" {
			seen = stands(ctx, k, view, read, most, seen)
		}
		r.Text, r.Omitted, r.Open, r.Binary = seen.Text, seen.Omitted, seen.Open, seen.Binary
		s.mu.Lock()
		k.read = max(k.read, seen.Total)
		s.mu.Unlock()
		return r, true
	}
}

// ended is the reading of a task that has ended, which is told with it. The lock is held, and released.
func (s *Set) ended(k *kept, r *Reading, most int) {
	o := k.Outcome.Output
	unread := max(o.Bytes-k.read, 0)
	k.read, k.told = max(k.read, o.Bytes), true
	s.notices.drop(func(n Notice) bool { return n.Task.ID == k.ID && n.Lines == nil })
	last := k.last
	s.mu.Unlock()
	switch {
	case o.Binary:
		r.Binary = true
		return
	case unread == 0:
		return
	}
	n := min(unread, int64(most))
	if last != "" {
		r.Text = last[max(int64(len(last))-n, 0):]
	} else if text, err := proc.Ending(r.Spool, n); err == nil {
		r.Text = text
	} else if !errors.Is(err, fs.ErrNotExist) {
		r.Problem = "its output can't be read: " + err.Error()
	} else {
		r.Problem = "its output was not kept"
	}
	r.Omitted = unread - int64(len(r.Text))
}

// wait waits for what a read waits for, and says whether it was ended early.
func (s *Set) wait(ctx context.Context, k *kept, w Wait, early <-chan struct{}) bool {
	for w != AtOnce {
		var some <-chan struct{}
		if w == ForOutput {
			some = k.feed.next() // before it is looked, so that nothing comes in between
			if s.prints(ctx, k) {
				return false
			}
		}
		select {
		case <-k.over:
			return false
		case <-ctx.Done():
			return false
		case <-early:
			return !isClosed(k.over)
		case <-some:
			pause(ctx, k)
		}
	}
	return false
}

// prints says whether there is something to read of a task: text, a line that stands unfinished, or its end.
func (s *Set) prints(ctx context.Context, k *kept) bool {
	s.mu.Lock()
	view, read := k.View, k.read
	s.mu.Unlock()
	if isClosed(k.over) {
		return true
	}
	seen, _ := view.Since(read, 0)
	if seen.Total <= read && seen.Open != "" {
		seen = stands(ctx, k, view, read, 0, seen)
	}
	return seen.Total > read || seen.Open != "" || seen.Binary
}

// pause waits for a moment, and says whether the task has ended then.
func pause(ctx context.Context, k *kept) bool {
	moment := time.NewTimer(gathering)
	defer moment.Stop()
	select {
	case <-moment.C:
	case <-k.over:
	case <-ctx.Done():
	}
	return isClosed(k.over)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// stands returns what is seen once an unfinished line has stood for a moment; one that is written on meanwhile isn't shown, since a
// part of it may be anything.
func stands(ctx context.Context, k *kept, view *proc.View, read int64, most int, before proc.Seen) proc.Seen {
	moment := time.NewTimer(standing)
	defer moment.Stop()
	select {
	case <-moment.C:
	case <-k.over:
	case <-ctx.Done():
	}
	after, _ := view.Since(read, most)
	if after.Read != before.Read {
		after.Open = ""
	}
	return after
}

// Kill ends a task for the model, which is not told of it again: SIGTERM, and SIGKILL after its time. It waits for the end as long
// as ctx lasts, and returns the task as it was and as it is. ok is false where the model can't reach such a task.
func (s *Set) Kill(ctx context.Context, id string) (before, after Task, ok bool) {
	s.mu.Lock()
	k := s.reach(id)
	if k == nil {
		s.mu.Unlock()
		return Task{}, Task{}, false
	}
	before = k.Task
	k.told = true
	s.notices.drop(func(n Notice) bool { return n.Task.ID == k.ID && n.Lines == nil })
	if !k.Over() {
		s.silence(k)
		k.State = Stopping
		k.stop.Halt(stop.ErrModel)
	}
	s.mu.Unlock()
	select {
	case <-k.over:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return before, k.Task, true
}

// feed is told what a task prints. Its lock is held by nobody who waits for another.
type feed struct {
	mu      sync.Mutex
	wake    chan struct{} // closed with the next output; nil where nobody waits for it
	monitor *monitor
}

// take takes what came; nothing where a line goes on that isn't finished.
func (f *feed) take(p []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.wake != nil {
		close(f.wake)
		f.wake = nil
	}
	if f.monitor != nil && len(p) > 0 {
		f.monitor.take(p)
	}
}

// next is closed with the next output.
func (f *feed) next() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.wake == nil {
		f.wake = make(chan struct{})
	}
	return f.wake
}

// set puts another monitor in the place of the one that there is, which is returned and does nothing more; nil is none.
func (f *feed) set(m *monitor) *monitor {
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.monitor
	f.monitor = m
	if old != nil && old.timer != nil {
		old.timer.Stop()
	}
	return old
}
