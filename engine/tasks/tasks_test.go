package tasks

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"wisp/engine/proc"
	"wisp/engine/stop"
)

// add adds a task that must be taken.
func add(t *testing.T, s *Set, line string) (id string, ctx context.Context) {
	t.Helper()
	ctx, by := stop.New(context.Background())
	id, err := s.Add(Task{Line: line}, by)
	if err != nil {
		t.Fatal(err)
	}
	return id, ctx
}

func state(t *testing.T, s *Set, id string) Task {
	t.Helper()
	found, ok := s.Find(id)
	if !ok {
		t.Fatalf("%s is forgotten", id)
	}
	return found
}

// A task runs, is stopping once that was asked for, and its outcome alone makes it stopped or ended: once, whatever is said later.
func TestStates(t *testing.T) {
	t.Parallel()
	var s Set
	exits, killed := proc.Outcome{ExitStatus: 3}, proc.Outcome{ExitStatus: -15, Stopped: true}
	for name, c := range map[string]struct {
		presses int
		outcome proc.Outcome
		want    State
	}{
		"by itself":             {0, exits, Ended},
		"stopped":               {1, killed, Stopped},
		"killed":                {2, killed, Stopped},
		"by the end":            {0, killed, Stopped},
		"just before it was":    {1, exits, Ended},
		"stopped, with its own": {1, proc.Outcome{Stopped: true}, Stopped},
	} {
		id, ctx := add(t, &s, name)
		want := Running
		for range c.presses {
			s.Stop(id)
			want = Stopping
		}
		if got := state(t, &s, id); got.State != want || got.Over() || stop.Stopped(ctx) != (c.presses > 0) {
			t.Errorf("%s: %s while it runs", name, got.State)
		}
		select {
		case <-stop.Killed(ctx):
			if c.presses < 2 {
				t.Errorf("%s: killed after %d presses", name, c.presses)
			}
		default:
			if c.presses == 2 {
				t.Errorf("%s: not killed", name)
			}
		}
		s.End(id, c.outcome, "")
		s.End(id, proc.Outcome{ExitStatus: 7}, "")
		s.End(id, killed, "")
		after, _ := s.Stop(id)
		if got := state(t, &s, id); got.State != c.want || got.Outcome.ExitStatus != c.outcome.ExitStatus || after.State != c.want || !got.Over() {
			t.Errorf("%s: ended as %+v, %+v after another stop", name, got, after)
		}
	}
	if _, ok := s.Stop("t99"); ok {
		t.Error("a task that isn't there was stopped")
	}
	s.End("t99", exits, "")
}

// Stops and ends that come together leave each task with the state of its outcome.
func TestStopAgainstEnd(t *testing.T) {
	t.Parallel()
	var s Set
	var both sync.WaitGroup
	for i := range 200 {
		id, ctx := add(t, &s, "x")
		both.Go(func() { s.Stop(id) })
		both.Go(func() { s.End(id, proc.Outcome{Stopped: ctx.Err() != nil, ExitStatus: i}, "") })
		both.Go(func() {
			for _, x := range s.List() {
				if x.Over() != (x.State == Stopped || x.State == Ended) || (x.State == Stopped) != x.Outcome.Stopped {
					t.Errorf("%+v", x)
				}
			}
		})
		both.Wait()
		if got := state(t, &s, id); !got.Over() || got.Outcome.ExitStatus != i || (got.State == Stopped) != got.Outcome.Stopped {
			t.Fatalf("%+v", got)
		}
	}
}

// As many run as may, as many are remembered as may be, and little is kept of each.
func TestBounds(t *testing.T) {
	t.Parallel()
	var s Set
	first, _ := add(t, &s, strings.Repeat("ä", maxLine))
	for range maxRunning - 1 {
		add(t, &s, "x")
	}
	_, by := stop.New(context.Background())
	if id, err := s.Add(Task{}, by); err == nil || !strings.Contains(err.Error(), "256 tasks run already") {
		t.Errorf("%q, %v", id, err)
	}
	big := proc.Outcome{Output: proc.Output{Text: "much", Lines: 1}, Stdout: proc.Tail{Text: "much"}, Stderr: proc.Tail{Text: "much"}}
	s.End(first, big, "")
	got := state(t, &s, first)
	if len(got.Line) > maxLine+len("…") || got.Outcome.Output.Text+got.Outcome.Stdout.Text+got.Outcome.Stderr.Text != "" || got.Outcome.Output.Lines != 1 {
		t.Errorf("kept of it: %d bytes, %+v", len(got.Line), got.Outcome)
	}
	for range maxEnded {
		id, _ := add(t, &s, "x")
		s.End(id, big, "")
	}
	all := s.List()
	if _, ok := s.Find(first); ok || len(all) != maxRunning-1+maxEnded {
		t.Errorf("%d are remembered, the first %v", len(all), ok)
	}
	if newest := fmt.Sprintf("t%d", maxRunning+maxEnded); all[len(all)-1].ID != newest || all[0].ID != "t2" || all[0].Over() {
		t.Errorf("from %+v to %s, want t2 to %s", all[0], all[len(all)-1].ID, newest)
	}
}

// The session's end kills all, with its cause, and takes none in.
func TestClose(t *testing.T) {
	t.Parallel()
	var s Set
	_, ctx := add(t, &s, "x")
	ended, _ := add(t, &s, "y")
	s.End(ended, proc.Outcome{}, "")
	s.Close(stop.ErrInputClosed)
	<-stop.Killed(ctx)
	if context.Cause(ctx) != stop.ErrInputClosed || s.List()[0].State != Stopping || s.List()[1].State != Ended {
		t.Errorf("%v, %+v", context.Cause(ctx), s.List())
	}
	_, by := stop.New(context.Background())
	if _, err := s.Add(Task{}, by); err == nil {
		t.Error("one was taken in after the end")
	}
}
