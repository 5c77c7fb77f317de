package pty

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wisp/engine/gate"
	"wisp/engine/group"
)

// limit bounds every wait in the tests; a wait ends as soon as its condition holds.
const limit = 20 * time.Second

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits until ok holds.
func eventually(what string, ok func() bool) error {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	over := time.After(limit)
	for !ok() {
		select {
		case <-tick.C:
		case <-over:
			return errors.New("never came: " + what)
		}
	}
	return nil
}

func cleared(command, dir string) gate.Cleared {
	g := gate.New(gate.Config{Unsafe: true})
	v := g.Check(context.Background(), gate.Request{Origin: gate.Person, Plan: gate.Plan{
		Class: gate.Run, Command: command, Shell: "/bin/sh", Directory: dir,
	}})
	return *v.Cleared
}

// marks makes the marks of sessions in one test process differ.
var marks atomic.Int64

func newSet(t testing.TB, c Config) *Set {
	t.Helper()
	if c.Groups == nil {
		c.Groups = group.New(group.Config{Mark: fmt.Sprintf("pty-%d-%d", os.Getpid(), marks.Add(1))})
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	s := NewSet(c)
	t.Cleanup(func() {
		s.Close()
		c.Groups.Close()
	})
	return s
}

// play is one session under test.
type play struct {
	*Session
	t    testing.TB
	all  string // what was read
	left string // what came with the text that was waited for last, after it
}

// begin starts a command in a Set of its own.
func begin(t testing.TB, command string) *play {
	t.Helper()
	return beginIn(t, newSet(t, Config{}), command, t.TempDir())
}

func beginIn(t testing.TB, set *Set, command, dir string) *play {
	t.Helper()
	s, err := set.Start(Start{Cleared: cleared(command, dir), Env: os.Environ()})
	must(t, err)
	return &play{Session: s, t: t}
}

// saw reads until the text was printed since the last call.
func (p *play) saw(text string) string {
	p.t.Helper()
	got := p.left
	err := eventually(text, func() bool {
		if strings.Contains(got, text) {
			return true
		}
		more := p.Read(context.Background(), MostCharacters, Wait{Longest: limit, For: text}).Text
		got, p.all = got+more, p.all+more
		return strings.Contains(got, text) || p.Over()
	})
	_, p.left, _ = strings.Cut(got, text)
	if err != nil || !strings.Contains(got, text) {
		p.t.Fatalf("%q was not printed: %q, the screen %q, %v", text, got, p.Screen().Rows, err)
	}
	return strings.TrimSuffix(got, p.left)
}

// shows waits until the screen has a text, and returns the screen.
func (p *play) shows(text string) string {
	p.t.Helper()
	var got string
	if err := eventually(text, func() bool {
		got = strings.Join(p.Screen().Rows, "\n")
		return strings.Contains(got, text)
	}); err != nil {
		p.t.Fatalf("the screen never had %q: %q", text, got)
	}
	return got
}

// types types, and fails where not all is taken.
func (p *play) types(i Input) Typed {
	p.t.Helper()
	r, _ := p.Type(context.Background(), i, Wait{})
	if r.Fault != "" || r.Left != 0 {
		p.t.Fatalf("%+v", r)
	}
	return r
}

func (p *play) text(text string)    { p.t.Helper(); p.types(Input{Text: text}) }
func (p *play) keys(keys ...string) { p.t.Helper(); p.types(Input{Keys: keys}) }

// rest reads to the end.
func (p *play) rest() string {
	p.t.Helper()
	select {
	case <-p.drained:
	case <-time.After(limit):
		p.t.Fatalf("it doesn't end; the screen is %q", p.Screen().Rows)
	}
	var b strings.Builder
	b.WriteString(p.left)
	p.left = ""
	for {
		page := p.Read(context.Background(), MostCharacters, Wait{})
		b.WriteString(page.Text)
		if page.Remain == 0 {
			return b.String()
		}
	}
}

// there says whether a program is installed, for the tables of programs.
func there(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func dead(pid int) bool {
	for _, p := range group.Processes() {
		if p.PID == pid {
			return false
		}
	}
	return true
}

func itoa(n int) string { return fmt.Sprint(n) }
