package pty

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wisp/engine/gate"
)

func TestHowManyRun(t *testing.T) {
	t.Parallel()
	total := &Total{}
	one, two, three := newSet(t, Config{Total: total}), newSet(t, Config{Total: total}), newSet(t, Config{Total: total})
	dir := t.TempDir()
	start := func(s *Set) (*Session, error) {
		return s.Start(Start{Cleared: cleared("sleep 931", dir), Env: os.Environ()})
	}
	for i := range mostRunning {
		for _, s := range []*Set{one, two} {
			if _, err := start(s); err != nil {
				t.Fatalf("%d: %v", i, err)
			}
		}
	}
	if _, err := start(one); err == nil || !strings.Contains(err.Error(), "in this chat") {
		t.Errorf("a fifth: %v", err)
	}
	if _, err := start(three); err == nil || !strings.Contains(err.Error(), "in all") {
		t.Errorf("a ninth: %v", err)
	}
	first, ok := one.Find("s1")
	if !ok || one.Running() != mostRunning {
		t.Fatal("no s1")
	}
	first.Kill()
	if _, err := start(three); err != nil {
		t.Errorf("after one ended: %v", err)
	}
	if _, ok := three.Find("s2"); ok {
		t.Error("another chat's is reached")
	}
	one.Close()
	if _, err := start(one); err == nil || one.Running() != 0 {
		t.Errorf("after the end: %v, %d run", err, one.Running())
	}
	for _, i := range one.List() {
		if i.State != Killed {
			t.Errorf("%+v", i)
		}
	}
}

func TestFinishedAreKept(t *testing.T) {
	t.Parallel()
	s := newSet(t, Config{})
	dir := t.TempDir()
	for range mostFinished + 3 {
		p := beginIn(t, s, "echo x", dir)
		<-p.Gone()
	}
	must(t, eventually("the oldest are forgotten", func() bool { return len(s.List()) == mostFinished }))
	list := s.List()
	if list[0].ID != "s4" || list[len(list)-1].ID != "s19" || list[0].Unread != 2 {
		t.Errorf("%+v", list)
	}
	last, _ := s.Find("s19")
	if got := last.Read(context.Background(), 0, Wait{}).Text; got != "x\n" || last.Screen().Rows[0] != "x" {
		t.Errorf("%q", got)
	}
}

func TestWhatIsNotStarted(t *testing.T) {
	t.Parallel()
	s := newSet(t, Config{})
	dir := t.TempDir()
	for name, o := range map[string]Start{
		"nothing cleared": {},
		"a shell":         {Cleared: cleared("exec bash -i", dir)},
		"a shell by PATH": {Cleared: cleared("tool", dir), Env: []string{"PATH=."}},
		"no directory":    {Cleared: cleared("ls", dir+"/none")},
		"too wide":        {Cleared: cleared("ls", dir), Columns: 501},
		"flat":            {Cleared: cleared("ls", dir), Rows: -1},
	} {
		if name == "a shell by PATH" {
			must(t, os.Symlink("/bin/sh", dir+"/tool"))
		}
		if one, err := s.Start(o); err == nil {
			t.Errorf("%s: %+v", name, one.Info())
		}
	}
	if _, err := s.Start(Start{Cleared: gate.Cleared{}}); err == nil || s.Running() != 0 || !s.config.Groups.Idle() {
		t.Errorf("%v, %d run", err, s.Running())
	}
}

// The time of a session, by a clock that a test holds.
func TestOverstayed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		touches []time.Duration // after the beginning
		ends    time.Duration   // by itself; 0: not
		after   time.Duration
		why     string
	}{
		{"untouched", nil, 0, untouched, "15 minutes"},
		{"touched", []time.Duration{10 * time.Minute, 24 * time.Minute}, 0, 39 * time.Minute, "15 minutes"},
		{"always touched", every(10*time.Minute, 3*time.Hour), 0, longest, "2 hours"},
		{"over", nil, time.Minute, time.Minute, ""},
		{"over at last", every(time.Minute, 3*time.Hour), longest - time.Second, longest - time.Second, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				var mu sync.Mutex
				last := began
				ended := make(chan struct{})
				var work sync.WaitGroup
				for _, at := range c.touches {
					time.AfterFunc(at, func() {
						mu.Lock()
						defer mu.Unlock()
						last = time.Now()
					})
				}
				if c.ends > 0 {
					time.AfterFunc(c.ends, func() { close(ended) })
				}
				work.Go(func() {
					why := overstayed(time.Now, began, func() time.Time {
						mu.Lock()
						defer mu.Unlock()
						return last
					}, ended)
					if took := time.Since(began); took != c.after || !strings.Contains(why, c.why) || (why == "") != (c.why == "") {
						t.Errorf("after %v: %q", took, why)
					}
				})
				work.Wait()
			})
		})
	}
}

func every(d, until time.Duration) (all []time.Duration) {
	for at := d; at < until; at += d {
		all = append(all, at)
	}
	return all
}

// A clock that runs ahead ends a session that nobody uses.
func TestIdleIsEnded(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	ahead := time.Duration(0)
	s := newSet(t, Config{Clock: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		ahead += 16 * time.Minute // at each look
		return time.Now().Add(ahead)
	}})
	p := beginIn(t, s, "sleep 941", t.TempDir())
	select {
	case <-p.Gone():
	case <-time.After(limit):
		t.Fatal("it goes on")
	}
	if i := p.Info(); i.State != Killed || !strings.Contains(i.Why, "15 minutes") {
		t.Errorf("%+v", i)
	}
}
