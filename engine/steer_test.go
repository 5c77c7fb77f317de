package engine

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wisp/engine/model"
	"wisp/engine/thread"
	"wisp/protocol"
)

// served runs a conversation and returns the face's end; what is sent back is read by see, until the exit line.
func served(t *testing.T, c Config, see func(protocol.Out)) (face *protocol.Face, end func()) {
	t.Helper()
	conn, face := protocol.Pipe()
	var running sync.WaitGroup
	running.Go(func() { Serve(context.Background(), conn, c) })
	running.Go(func() {
		for m, err := face.Read(); err == nil; m, err = face.Read() {
			see(m)
		}
	})
	return face, func() {
		face.CloseInput()
		running.Wait()
	}
}

// Prompts into turns that begin, go on and end all the while: each is told to the model once, in the order in which they came,
// whether a turn took it or it became one of its own.
func TestSteeringLosesNothing(t *testing.T) {
	t.Parallel()
	const sent = 150
	var told []string
	last := make(chan struct{})
	c := client(func(_ context.Context, r model.Request) iter.Seq2[model.Piece, error] {
		newest := r.Messages[len(r.Messages)-1].Text
		told = nil
		for _, m := range r.Messages {
			for word := range strings.FieldsSeq(m.Text) {
				if m.Role == model.User && strings.HasPrefix(word, "n") {
					told = append(told, word)
				}
			}
		}
		done := strings.Contains(newest, fmt.Sprintf("n%d", sent-1))
		return func(yield func(model.Piece, error) bool) {
			yield(model.Piece{Text: "Yes."}, nil)
			if done {
				close(last)
			}
		}
	})
	queue := []protocol.Pending{{}}
	steered := 0
	face, end := served(t, testConfig(t, c), func(m protocol.Out) {
		switch m := m.(type) {
		case protocol.Queue:
			queue = m.Pending
		case protocol.Event:
			if strings.Contains(string(m.Details), `"steer":true`) {
				steered++
			}
		}
	})
	for i := range sent {
		face.Write(protocol.Prompt{Text: fmt.Sprintf("n%d", i), Steer: true})
	}
	<-last
	end()
	var want []string
	for i := range sent {
		want = append(want, fmt.Sprintf("n%d", i))
	}
	if !slices.Equal(told, want) {
		t.Errorf("the model was told %v", told)
	}
	if steered == 0 || steered == sent || len(queue) != 0 {
		t.Errorf("%d of %d prompts were steered, and %d wait at the end", steered, sent, len(queue))
	}
}

// A prompt that came too late for its turn, and so waits behind another, isn't overtaken by the next one.
func TestSteersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	var h held
	h.add(protocol.Prompt{Text: "plain"}, false)
	h.add(protocol.Prompt{Text: "late", Steer: true}, true)
	h.add(protocol.Command{Line: "ls"}, false)
	h.unsteer()
	if taken := h.steering(); len(taken) != 0 {
		t.Fatalf("taken by the next turn: %v", taken)
	}
	h.add(protocol.Prompt{Text: "later", Steer: true}, true)
	var texts []string
	for _, p := range h.steering() {
		texts = append(texts, p.Text)
	}
	if !slices.Equal(texts, []string{"late", "later"}) || len(h.lines) != 2 || h.bytes != heldSize(h.lines[0].line)+heldSize(h.lines[1].line) {
		t.Errorf("taken: %v; left: %v, %d bytes", texts, h.lines, h.bytes)
	}
}

// slowModels is a machine whose search for a model takes a while.
type slowModels struct {
	fakeModels
	found chan struct{}
}

func (m slowModels) Find(ctx context.Context) (string, string) {
	<-m.found
	return m.fakeModels.Find(ctx)
}

// A prompt that waits for a model to be found stands in the queue, and can be edited and dropped there.
func TestQueueBeforeTheModel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		models := slowModels{found: make(chan struct{})}
		models.client = func(_ context.Context, r model.Request) iter.Seq2[model.Piece, error] {
			return func(yield func(model.Piece, error) bool) {
				yield(model.Piece{Text: "You said: " + r.Messages[0].Text}, nil)
			}
		}
		c := testConfig(t, nil)
		c.Model, c.Models = "", models
		var said []string
		face, end := served(t, c, func(m protocol.Out) {
			switch m := m.(type) {
			case protocol.Queue:
				said = append(said, fmt.Sprint("queue ", m.Pending))
			case protocol.Delta:
				said = append(said, m.Text)
			case protocol.Note:
				said = append(said, m.Request+" "+m.Text)
			}
		})
		for _, m := range []protocol.In{
			protocol.Prompt{Text: "one", Steer: true}, protocol.Prompt{Text: "two"},
			protocol.QueueAction{Action: "edit", Item: "q1", Text: "the first"},
			protocol.QueueAction{ID: protocol.ID{ID: "d"}, Action: "drop"},
			protocol.QueueAction{ID: protocol.ID{ID: "s"}, Action: "send", Item: "q1"},
		} {
			face.Write(m)
			synctest.Wait()
		}
		close(models.found)
		synctest.Wait()
		end()
		want := []string{
			"queue [{q1 prompt one}]", "queue [{q1 prompt one} {q2 prompt two}]", "queue [{q1 prompt the first} {q2 prompt two}]",
			"d dropped q2, which was not sent: two", "queue [{q1 prompt the first}]",
			"s no model is found yet: what waits is sent when one is",
			" there is nothing else", "queue []", "You said: the first",
		}
		if !slices.Equal(said, want) {
			t.Errorf("said:\n%s\nwant:\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
		}
	})
}

// A queue line stays small whatever waits: the newest prompts are whole, the rest has its start.
func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	var h held
	long := strings.Repeat("ä", maxQueueText/6)
	for range 100 {
		if !h.add(protocol.Prompt{Text: long}, false) {
			t.Fatal("not held")
		}
	}
	all := h.pending()
	size := 0
	for i, p := range all {
		size += len(p.Text)
		if whole := p.Text == long; whole != (i >= 97) || !whole && !strings.HasSuffix(p.Text, "ä… 87180 bytes left out") {
			t.Errorf("item %d: %d bytes, ending in %q", i, len(p.Text), p.Text[len(p.Text)-40:])
		}
	}
	if size > maxQueueText+100*(queueStart+40) {
		t.Errorf("%d bytes", size)
	}
	if at := h.find(""); at != 99 || h.lines[at].item != "q100" || h.find("q1") != 0 || h.find("q101") != -1 {
		t.Error("not found")
	}
	if h.replace(0, protocol.Prompt{Text: strings.Repeat("x", maxHeldBytes)}) {
		t.Error("a text beyond the bound was taken")
	}
}

// A person is called at the end of a turn that took long, unless they stopped it; through a face that carries notify alone.
func TestNotifyAtTheEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		takes    time.Duration
		fails    bool
		stop     bool
		carried  []string
		notified string
	}{
		"long":    {takes: 42 * time.Second, carried: []string{"notify"}, notified: "done in 42 s"},
		"short":   {takes: notifyAfter, carried: []string{"notify"}},
		"failed":  {takes: 11 * time.Second, fails: true, carried: []string{"notify"}, notified: "failed after 11 s: no words"},
		"stopped": {takes: time.Hour, stop: true, carried: []string{"notify"}},
		"no face": {takes: time.Minute, carried: []string{"interrupt"}},
		"unsaid":  {takes: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := client(func(ctx context.Context, _ model.Request) iter.Seq2[model.Piece, error] {
					return func(yield func(model.Piece, error) bool) {
						select {
						case <-time.After(test.takes):
						case <-ctx.Done():
						}
						if test.fails {
							yield(model.Piece{}, &model.Error{Message: "no words"})
						}
					}
				})
				var bodies []string
				face, end := served(t, testConfig(t, c), func(m protocol.Out) {
					if n, ok := m.(protocol.Notify); ok {
						bodies = append(bodies, n.Title+": "+n.Body)
					}
				})
				face.Write(protocol.Hello{Capabilities: test.carried})
				face.Write(protocol.Prompt{Text: "hello"})
				synctest.Wait()
				if test.stop {
					time.Sleep(notifyAfter + time.Second)
					face.Write(protocol.Interrupt{})
				}
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				end()
				var want []string
				if test.notified != "" {
					want = []string{"wisp: " + test.notified}
				}
				if !slices.Equal(bodies, want) {
					t.Errorf("notified: %q, want %q", bodies, want)
				}
			})
		})
	}
}

// A prompt into a turn is of that turn, also where a face asks for the last turns.
func TestLastTurnsCountsTurns(t *testing.T) {
	t.Parallel()
	entry := func(turn int, kind thread.Kind) thread.Entry { return thread.Entry{Turn: turn, Kind: kind} }
	entries := []thread.Entry{
		entry(1, thread.Prompt), entry(1, thread.Reply), entry(1, thread.CommandKind),
		entry(2, thread.Prompt), entry(2, thread.Reply), entry(2, thread.Prompt), entry(2, thread.Prompt), entry(2, thread.Reply),
		entry(3, thread.Prompt), entry(3, thread.Prompt),
	}
	for turns, want := range map[int]int{1: 8, 2: 2, 3: 0, 4: 0} {
		if got := lastTurns(entries, turns); got != want {
			t.Errorf("%d turns begin at %d, want %d", turns, got, want)
		}
	}
}
