package golden

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"wisp/golden/terminal"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui"
)

// talker is an engine in a test's hands: it says what the test has it say, and keeps what it hears.
type talker struct {
	t    *testing.T
	conn *protocol.Conn
	seq  int64

	mu     sync.Mutex
	wake   *sync.Cond
	heard  []protocol.In
	late   bool
	free   chan struct{} // closed when it may end with its input
	ending sync.Once
}

func newTalker(t *testing.T) (*talker, *protocol.Face) {
	conn, face := protocol.Pipe()
	k := &talker{t: t, conn: conn, free: make(chan struct{})}
	k.wake = sync.NewCond(&k.mu)
	var listening sync.WaitGroup
	listening.Go(k.listen)
	t.Cleanup(func() {
		k.mayEnd()
		conn.Close()
		listening.Wait()
	})
	return k, face
}

// listen hears what the face says, and ends as an engine does when that ends.
func (k *talker) listen() {
	for {
		m, err := k.conn.Read()
		if err != nil {
			break
		}
		k.mu.Lock()
		k.heard = append(k.heard, m)
		k.wake.Broadcast()
		k.mu.Unlock()
	}
	<-k.free
	k.say(protocol.Exit{Reason: "the end of input"})
	k.conn.Close()
}

// mayEnd lets it end when its input has ended.
func (k *talker) mayEnd() { k.ending.Do(func() { close(k.free) }) }

// say says messages, in order.
func (k *talker) say(messages ...protocol.Out) {
	for _, m := range messages {
		k.seq++
		if err := k.conn.Write(protocol.AppendOut(nil, k.seq, m)); err != nil && err != io.ErrClosedPipe {
			k.t.Errorf("the face doesn't read: %v", err)
		}
	}
}

// hear waits for a message of a kind, takes it out of what was heard, and returns it.
func hear[M protocol.In](k *talker) M {
	k.t.Helper()
	limit := time.AfterFunc(patience, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.late = true
		k.wake.Broadcast()
	})
	defer limit.Stop()
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		for i, m := range k.heard {
			if m, ok := m.(M); ok {
				k.heard = slices.Delete(k.heard, i, i+1)
				return m
			}
		}
		if k.late {
			k.t.Fatalf("the face never sent a %T; it sent %v", *new(M), k.heard)
		}
		k.wake.Wait()
	}
}

// scene is a face with a talker for its engine: what one says and a person types, and what is seen then.
type scene struct {
	*face
	*talker
}

// newScene starts a face; where change is not nil, it may change how.
func newScene(t *testing.T, columns, rows int, style phrase.Style, change func(*tui.Config)) *scene {
	p := &scene{face: newFace(t, columns, rows)}
	k, wire := newTalker(t)
	p.talker = k
	c := p.config(style)
	c.Directory = "/home/ada/words"
	c.Engine = tui.Engine{Face: wire, End: func() tui.Death {
		k.mayEnd()
		return tui.Death{How: "exit status 0"}
	}}
	if change != nil {
		change(&c)
	}
	p.run(c)
	t.Cleanup(func() {
		k.mayEnd()
		p.leave()
	})
	return p
}

// The models of a scene. Until settle says so it has none, so that the status line tells when all has been drawn.
const sceneModel = "ollama:qwen3"

// begin says what an engine says first.
func (p *scene) begin() {
	p.t().Helper()
	hear[protocol.Hello](p.talker)
	p.say(protocol.Ready{Protocol: protocol.Version, Version: "0.1.0", Session: "s", Thread: "words-1", Directory: "/home/ada/words", Sandbox: "landlock"})
	p.say(status(""))
	p.Wait("an open box", open)
}

func (p *scene) t() *testing.T { return p.face.t }

// status is a status line with all that one has.
func status(model string) protocol.Status {
	s := protocol.Status{
		Directory: "/home/ada/words", Branch: new("main"), Added: new(12), Removed: new(3), Mode: "ask", Approval: "moderate", Sandbox: "landlock",
		ContextUsed: new(2930), ContextWindow: new(32768),
	}
	if model != "" {
		s.Model = &model
	}
	return s
}

// settle says the status line with the model, and waits until it is seen: all that was said before is seen then too.
func (p *scene) settle() {
	p.t().Helper()
	p.say(status(sceneModel))
	p.Wait("the model in the status line", settled)
}

func settled(s terminal.Screen) bool {
	return !s.Alt && slices.ContainsFunc(s.Rows, func(row string) bool { return strings.HasPrefix(row, " "+sceneModel) })
}

// prompt sends a prompt, and begins its turn.
func (p *scene) prompt(text string) (request string) {
	p.t().Helper()
	p.write(text)
	p.Key("enter")
	request = hear[protocol.Prompt](p.talker).ID.ID
	p.say(protocol.Turn{Phase: "start", Turn: 1, Origin: "person", Request: request})
	p.say(doing("waiting for the model", "model", 0, request))
	p.say(event("prompt", "", "", map[string]any{"origin": "person", "text": text}))
	return request
}

// line sends a typed command or a slash line.
func (p *scene) line(text string) (request string) {
	p.t().Helper()
	p.write(text)
	p.Key("enter")
	return hear[protocol.Line](p.talker).ID.ID
}

// command sends a typed command, which begins to run.
func (p *scene) command(text string, seconds float64) (request string) {
	p.t().Helper()
	request = p.line(text)
	line := strings.TrimLeft(text, "! ")
	a := doing("running "+line, "command", seconds, request)
	a.Command = &line
	p.say(a)
	return request
}

// ran is the end of a typed command, with what it printed.
func ran(request, line, text, output string, status int, seconds float64) []protocol.Out {
	e := event("command.typed", "c1", text, map[string]any{"id": "c1", "command": line, "exitStatus": status, "seconds": seconds})
	e.Request = request
	if output != "" {
		e.Output = stored(output)
	}
	return []protocol.Out{e, protocol.Activity{}}
}

// turned is the end of a turn.
func turned(seconds float64) []protocol.Out {
	return []protocol.Out{
		protocol.Turn{Phase: "end", Turn: 1, Origin: "person", Outcome: "ok", Seconds: &seconds, InputTokens: new(1204), OutputTokens: new(186)},
		protocol.Activity{},
	}
}

func doing(what, kind string, seconds float64, request string) protocol.Activity {
	return protocol.Activity{Doing: &what, Kind: &kind, Stoppable: true, ElapsedSeconds: seconds, Request: request}
}

// running is what the engine does while a call's command runs.
func running(line string, seconds float64) protocol.Activity {
	a := doing("running "+line, "tool", seconds, "")
	a.Command, a.Tool = &line, new("shell")
	return a
}

// event is an audit event; one without text is told in no line.
func event(kind, call, text string, details map[string]any) protocol.Event {
	raw, _ := json.Marshal(details)
	e := protocol.Event{Kind: kind, ID: "e", Call: call, Details: raw}
	if text != "" {
		e.Text = &text
	}
	return e
}

// called is a call that begins.
func called(id, tool, head string) protocol.Event {
	return event("tool.call", id, head, map[string]any{"tool": tool})
}

// answered is a call's end.
func answered(id, tool, text, output string, seconds float64) protocol.Event {
	e := event("tool.result", id, text, map[string]any{"tool": tool, "seconds": seconds, "failed": false})
	if output != "" {
		e.Output = stored(output)
	}
	return e
}

// background is a call whose command goes on in the background.
func background(id, task, line string) []protocol.Out {
	return []protocol.Out{
		called(id, "shell", "shell "+line), event("process.start", id, "", map[string]any{"task": task, "command": line, "origin": "model"}),
		answered(id, "shell", "↳ "+task+" goes on in the background · /jobs lists it", "", 0),
	}
}

// stored is an output that the engine has, whole.
func stored(text string) *protocol.Stored {
	return &protocol.Stored{ID: "3f9a1c20", Text: text, Lines: int64(strings.Count(text, "\n")), Bytes: int64(len(text)), ShownLines: 20}
}

func printed(of, text string) protocol.Output {
	return protocol.Output{Of: of, Stream: "stdout", Text: text}
}
