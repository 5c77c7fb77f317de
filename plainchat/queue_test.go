package plainchat

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"

	"wisp/protocol"
)

// page is what a face prints on, for who waits for something of it.
type page struct {
	mu   sync.Mutex
	wake *sync.Cond
	text bytes.Buffer
}

func newPage() *page {
	p := &page{}
	p.wake = sync.NewCond(&p.mu)
	return p
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wake.Broadcast()
	return p.text.Write(b)
}

// wait waits until a text stands there.
func (p *page) wait(text string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !strings.Contains(p.text.String(), text) {
		p.wake.Wait()
	}
	return p.text.String()
}

// A line that comes as a turn begins that nobody asked for is sent when that has ended. What waits for the next message is said in
// one line, each time that it changes, and nothing is shown live of a task.
func TestNoticeTurn(t *testing.T) {
	t.Parallel()
	f, face := startFake(t, func(f *fake, m protocol.In) {
		if l, ok := m.(protocol.Line); ok {
			f.say(protocol.Result{Text: "did " + l.Text, Request: l.ID.ID}, protocol.Status{})
		}
	})
	in, typed := io.Pipe()
	seen := newPage()
	var running sync.WaitGroup
	running.Go(func() { Run(Config{Face: face, In: in, Out: seen, Err: seen}) })
	io.WriteString(typed, "one\n")
	seen.wait("did one")
	notice := protocol.Pending{ID: "q1", Kind: "notice", Text: "t1 ended"}
	f.say(protocol.Queue{Pending: []protocol.Pending{notice}, Held: true}, protocol.Queue{Pending: []protocol.Pending{notice}, Held: true},
		protocol.Queue{Pending: []protocol.Pending{notice, notice}, Held: true}, protocol.Queue{}, protocol.Queue{Pending: []protocol.Pending{notice}})
	f.say(protocol.Event{Kind: "process.start", Call: "a", Details: []byte(`{"task":"t1"}`)}, protocol.Output{Of: "a", Stream: "stdout", Text: "live\n"})
	f.say(protocol.Turn{Phase: "start", Turn: 2, Origin: "notice"}, protocol.Note{Level: "info", Text: "it has begun"})
	seen.wait("it has begun")
	io.WriteString(typed, "two\n")
	f.say(protocol.Turn{Phase: "end", Turn: 2, Origin: "notice", Outcome: "ok"}, protocol.Activity{}, protocol.Status{})
	got := seen.wait("did two")
	typed.Close()
	running.Wait()
	const one, two = "1 background result · sent with your next message\n", "2 background results · sent with your next message\n"
	if strings.Count(got, one) != 1 || strings.Count(got, two) != 1 || strings.Contains(got, "live") {
		t.Errorf("%s", got)
	}
}
