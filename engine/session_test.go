package engine

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wisp/engine/model"
	"wisp/engine/stop"
	"wisp/protocol"
)

// client is a model made of a function.
type client func(ctx context.Context, r model.Request) iter.Seq2[model.Piece, error]

func (c client) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Piece, error] {
	return c(ctx, r)
}

type fakeModels struct{ client client }

func (f fakeModels) Open(string) (model.Client, error) { return f.client, nil }
func (f fakeModels) Find(ctx context.Context) (string, string) {
	return "fake:model", "there is nothing else"
}
func (f fakeModels) List(context.Context) []model.Info { return nil }

// hangs is a model that never answers, and keeps why each request ended.
func hangs(why *causes) client {
	return func(ctx context.Context, _ model.Request) iter.Seq2[model.Piece, error] {
		return func(yield func(model.Piece, error) bool) {
			if why.begun != nil {
				why.begun <- struct{}{}
			}
			<-ctx.Done()
			why.add(context.Cause(ctx))
			yield(model.Piece{}, context.Cause(ctx))
		}
	}
}

type causes struct {
	mu    sync.Mutex
	list  []error
	begun chan struct{} // where it isn't nil, each request that begins is sent here
}

func (c *causes) add(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, err)
}

func (c *causes) is(t *testing.T, want ...error) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.list) != len(want) {
		t.Fatalf("%d requests ended, want %d: %v", len(c.list), len(want), c.list)
	}
	for i, err := range c.list {
		if !errors.Is(err, want[i]) {
			t.Errorf("request %d ended with %v, want %v", i, err, want[i])
		}
	}
}

func testConfig(t *testing.T, c client) Config {
	return Config{
		Version: "test", Home: t.TempDir(), Directory: t.TempDir(), Shell: "/bin/sh", Now: time.Now,
		Env: []string{"PATH=/usr/bin:/bin"}, Model: "fake:model", Models: fakeModels{c}, Settings: Defaults(),
	}
}

// The interrupt overtakes: with a face that reads nothing and a second prompt that waits, it ends the first turn; the end
// of the input ends the second, and Serve ends though nothing was ever read.
func TestInterruptOvertakes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var why causes
		input, face := io.Pipe()
		_, out := io.Pipe() // nobody reads its other end
		status := -1
		var serving sync.WaitGroup
		serving.Go(func() {
			status = Serve(context.Background(), protocol.NewConn(input, out), testConfig(t, hangs(&why)))
		})
		send := func(m protocol.In) {
			face.Write(protocol.AppendIn(nil, m))
			synctest.Wait()
		}
		send(protocol.Prompt{Text: "first"})
		send(protocol.Prompt{Text: "second"})
		send(protocol.Interrupt{})
		why.is(t, stop.ErrPerson)
		face.Close()
		serving.Wait()
		why.is(t, stop.ErrPerson, stop.ErrInputClosed)
		if status != 0 {
			t.Errorf("status %d", status)
		}
	})
}

// A face that goes away ends the session and what runs, with status 0.
func TestBrokenFace(t *testing.T) {
	t.Parallel()
	why := causes{begun: make(chan struct{}, 1)}
	conn, face := protocol.Pipe()
	status := -1
	var serving sync.WaitGroup
	serving.Go(func() { status = Serve(context.Background(), conn, testConfig(t, hangs(&why))) })
	if err := face.Write(protocol.Prompt{Text: "first"}); err != nil {
		t.Fatal(err)
	}
	for {
		m, err := face.Read()
		if err != nil {
			t.Fatal(err)
		}
		if a, ok := m.(protocol.Activity); ok && a.Stoppable {
			break
		}
	}
	var reading sync.WaitGroup
	reading.Go(func() {
		for _, err := face.Read(); err == nil; _, err = face.Read() {
		}
	})
	<-why.begun
	face.Close()
	reading.Wait()
	serving.Wait()
	why.is(t, stop.ErrInputClosed)
	if status != 0 {
		t.Errorf("status %d", status)
	}
}

// A request that fails before its first piece is tried again four times with growing pauses, each said as a note; a stop
// ends the waiting.
func TestRetry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		busy := client(func(context.Context, model.Request) iter.Seq2[model.Piece, error] {
			tries++
			return func(yield func(model.Piece, error) bool) {
				yield(model.Piece{}, &model.Error{Kind: model.Busy, Message: "the server is busy", Status: 503})
			}
		})
		conn, face := protocol.Pipe()
		c := testConfig(t, busy)
		var serving sync.WaitGroup
		serving.Go(func() { Serve(context.Background(), conn, c) })
		var end protocol.Turn
		notes := 0
		face.Write(protocol.Prompt{Text: "hello"})
		for end.Phase != "end" {
			m, err := face.Read()
			if err != nil {
				t.Fatal(err)
			}
			switch m := m.(type) {
			case protocol.Turn:
				end = m
			case protocol.Note:
				notes++
			case protocol.Error:
				t.Errorf("a request that is tried again is a note, never an error: %+v", m)
			}
		}
		if tries != maxTries || notes != maxTries-1 {
			t.Errorf("%d tries and %d notes", tries, notes)
		}
		if end.Outcome != "error" || !strings.Contains(end.Reason, "busy") {
			t.Errorf("the turn ended with %+v", end)
		}
		face.Write(protocol.Prompt{Text: "again"})
		for stoppable := false; !stoppable; {
			m, err := face.Read()
			if err != nil {
				t.Fatal(err)
			}
			n, ok := m.(protocol.Note)
			stoppable = ok && strings.Contains(n.Text, "trying again")
		}
		face.Write(protocol.Interrupt{})
		for {
			m, err := face.Read()
			if err != nil {
				t.Fatal(err)
			}
			if turn, ok := m.(protocol.Turn); ok && turn.Phase == "end" {
				if turn.Outcome != "stopped" || turn.Reason != "stopped by you" {
					t.Errorf("the turn ended with %+v", turn)
				}
				break
			}
		}
		face.CloseInput()
		for {
			if _, err := face.Read(); err != nil {
				break
			}
		}
		serving.Wait()
	})
}
