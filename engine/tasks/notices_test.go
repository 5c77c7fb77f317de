package tasks

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/stop"
)

// begun adds a task of the model's that must be taken.
func begun(t testing.TB, s *Set) string {
	t.Helper()
	_, by := stop.New(context.Background())
	id, err := s.Add(Task{Line: "x", Origin: gate.Model}, by)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// over ends a task as its owner does.
func over(s *Set, id string, o proc.Outcome) {
	s.End(id, o, "")
	s.Announce(id)
}

// ids are the tasks that notices are about.
func ids(all []Notice) []string {
	var names []string
	for _, n := range all {
		names = append(names, n.Task.ID)
	}
	return names
}

// Ends that come within a moment of each other are told together, once nothing more has come; all the while more comes, they are told
// after a while all the same.
func TestTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s Set
		a, b, c := begun(t, &s), begun(t, &s), begun(t, &s)
		for _, id := range []string{a, b, c} {
			over(&s, id, proc.Outcome{})
			time.Sleep(50 * time.Millisecond)
			if n := s.Waiting(); len(n) != 0 {
				t.Errorf("told of %v before the others", ids(n))
			}
		}
		<-s.Settled()
		if got := ids(s.Waiting()); !slices.Equal(got, []string{a, b, c}) {
			t.Errorf("%v are told", got)
		}
		<-s.Changed()
		s.Take()
		since := time.Now()
		for len(s.Waiting()) == 0 {
			over(&s, begun(t, &s), proc.Outcome{})
			time.Sleep(quiet / 2)
		}
		if took := time.Since(since); took < longest || took > longest+quiet {
			t.Errorf("told after %v", took)
		}
		if s.Settled() != nil && len(s.Waiting()) == 0 {
			t.Error("it is gathered on")
		}
	})
}

// Who knows of an end already isn't told, and who is told is told once.
func TestAnnounce(t *testing.T) {
	t.Parallel()
	stopped := func(cause error) proc.Outcome { return proc.Outcome{Stopped: true, Cause: cause} }
	for name, c := range map[string]struct {
		task  Task
		end   proc.Outcome
		known func(s *Set, id string)
		told  bool
		left  bool
	}{
		"the model's":                 {task: Task{Origin: gate.Model}, told: true},
		"the person's":                {task: Task{Origin: gate.Person}, told: true},
		"a private one":               {task: Task{Origin: gate.Person, Private: true}},
		"of a conversation left":      {task: Task{Origin: gate.Model, Thread: "before"}, left: true},
		"the model's, by the person":  {task: Task{Origin: gate.Model}, end: stopped(stop.ErrPerson), told: true},
		"the person's, by the person": {task: Task{Origin: gate.Person}, end: stopped(stop.ErrPerson)},
		"by wisp":                     {task: Task{Origin: gate.Model}, end: stopped(stop.ErrInputClosed)},
		"out of time":                 {task: Task{Origin: gate.Model}, end: proc.Outcome{TimedOut: true, Cause: stop.ErrTimeout}, told: true},
		"killed by the model": {task: Task{Origin: gate.Model}, end: stopped(stop.ErrModel), known: func(s *Set, id string) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			s.Kill(ctx, id)
		}},
	} {
		var s Set
		_, by := stop.New(context.Background())
		id, _ := s.Add(c.task, by)
		if c.known != nil {
			c.known(&s, id)
		}
		s.End(id, c.end, "")
		_, left := s.Announce(id)
		if _, again := s.Announce(id); again {
			t.Errorf("%s: told twice", name)
		}
		if told, _ := s.Take(); (len(told) == 1) != c.told || left != c.left {
			t.Errorf("%s: told %v, left %v", name, ids(told), left)
		}
	}
}

// An end that the model reads is told with that, whether its notice waits already or not.
func TestReadIsTold(t *testing.T) {
	t.Parallel()
	for _, announced := range []bool{false, true} {
		var s Set
		id := begun(t, &s)
		s.End(id, proc.Outcome{ExitStatus: 3}, "")
		if announced {
			s.Announce(id)
		}
		if r, ok := s.Read(t.Context(), id, ForExit, 100, nil); !ok || r.State != Ended || r.Outcome.ExitStatus != 3 {
			t.Errorf("%+v", r)
		}
		s.Announce(id)
		if told, _ := s.Take(); len(told) != 0 {
			t.Errorf("announced %v: told again", announced)
		}
	}
	var s Set
	id := begun(t, &s)
	s.End(id, proc.Outcome{}, "")
	ctx, by := stop.New(t.Context())
	by.Press()
	s.Read(ctx, id, ForExit, 100, nil) // stopped: the model reads nothing of it
	s.Announce(id)
	if told, _ := s.Take(); len(told) != 1 {
		t.Error("a read that was stopped counts as read")
	}
}

// Notices wait up to a bound, and those that had no room are counted; one can be dropped; a conversation that is left takes its own.
func TestWaiting(t *testing.T) {
	t.Parallel()
	var s Set
	for range maxWaiting + 7 {
		over(&s, begun(t, &s), proc.Outcome{})
	}
	all, lost := s.Take()
	if len(all) != maxWaiting || lost != 7 || all[0].Task.ID != "t8" {
		t.Errorf("%d wait from %s, %d are lost", len(all), all[0].Task.ID, lost)
	}
	a, b := begun(t, &s), begun(t, &s)
	over(&s, a, proc.Outcome{})
	over(&s, b, proc.Outcome{})
	s.mu.Lock()
	number := s.notices.waiting[0].Number
	s.mu.Unlock()
	if n, ok := s.Drop(number); !ok || n.Task.ID != a {
		t.Errorf("dropped %+v", n)
	}
	if _, ok := s.Drop(number); ok {
		t.Error("dropped twice")
	}
	if left := s.Move("another"); !slices.Equal(ids(left), []string{b}) {
		t.Errorf("%v go with the conversation that is left", ids(left))
	}
	if all, _ := s.Take(); len(all) != 0 {
		t.Errorf("%v are told in another conversation", ids(all))
	}
}

// BenchmarkTogether is 200 tasks that end at once, from the first end until all are there to be told, in one.
func BenchmarkTogether(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		var s Set
		var all []string
		for range 200 {
			all = append(all, begun(b, &s))
		}
		b.StartTimer()
		for _, id := range all {
			over(&s, id, proc.Outcome{})
		}
		<-s.Changed()
		if told, _ := s.Take(); len(told) != 200 {
			b.Fatalf("%d are told", len(told))
		}
	}
}
