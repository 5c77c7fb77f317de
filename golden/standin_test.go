package golden

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"wisp/engine"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/sandbox"
	"wisp/protocol"
)

// standIn is a model in a test's hands: it answers from its request alone, counts as a server would, refuses what is longer than its
// window, and keeps what a strict server would refuse.
type standIn struct {
	window int
	answer func(r model.Request) model.Message
	distil func(r model.Request) string // what it makes of a record that it is to condense

	mu        sync.Mutex
	requests  int
	overflows int
	distilled int
	unlawful  string
	last      model.Request
}

// bytesPerToken is what the stand-in counts by: fewer than wisp estimates, as for code.
const bytesPerToken = 3.6

// Stream implements model.Client.
func (s *standIn) Stream(_ context.Context, r model.Request) iter.Seq2[model.Piece, error] {
	return func(yield func(model.Piece, error) bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests++
		tokens := int(float64(len(said(r))) / bytesPerToken)
		if why := lawful(r.Messages); why != "" && s.unlawful == "" {
			s.unlawful = why
		}
		if tokens > s.window {
			s.overflows++
			yield(model.Piece{}, &model.Error{Kind: model.Overflow, Message: fmt.Sprintf("%d tokens are more than %d", tokens, s.window)})
			return
		}
		var m model.Message
		if strings.HasPrefix(r.Instructions, "You condense the record") {
			s.distilled++
			m.Text = s.distil(r)
		} else {
			s.last = r
			m = s.answer(r)
		}
		ok := m.Text == "" || yield(model.Piece{Text: m.Text}, nil)
		for i := range m.Calls {
			ok = ok && yield(model.Piece{Call: &m.Calls[i]}, nil)
		}
		_ = ok && yield(model.Piece{Usage: &model.Usage{Input: tokens, Output: len(m.Text)/4 + 1}}, nil) && yield(model.Piece{End: true}, nil)
	}
}

// Describe implements model.Describer.
func (s *standIn) Describe(context.Context) (model.Info, error) {
	return model.Info{Window: s.window, Tools: true}, nil
}

// said is all that a request says, in its order.
func said(r model.Request) string {
	var b strings.Builder
	b.WriteString(r.Instructions)
	for _, t := range r.Tools {
		b.WriteString(t.Name + t.Description + string(t.Schema))
	}
	for _, m := range r.Messages {
		b.WriteString("\n" + m.Text + m.Call + m.Name)
		for _, c := range m.Calls {
			b.WriteString(c.ID + c.Name + string(c.Arguments))
		}
	}
	return b.String()
}

// lawful says what a strict server would refuse in messages; "" where it takes them.
func lawful(messages []model.Message) string {
	var waiting []string
	last := model.Role("")
	for i, m := range messages {
		switch {
		case i == 0 && m.Role != model.User, m.Role == last && m.Role != model.Answer, m.Role != model.Answer && len(waiting) > 0:
			return fmt.Sprintf("message %d: %s after %s, %d answers are due", i, m.Role, last, len(waiting))
		case strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0:
			return fmt.Sprintf("message %d is empty", i)
		case m.Role == model.Answer && (len(waiting) == 0 || waiting[0] != m.Call):
			return fmt.Sprintf("message %d answers %q", i, m.Call)
		}
		if m.Role == model.Answer {
			waiting = waiting[1:]
		}
		for _, c := range m.Calls {
			if !json.Valid(c.Arguments) {
				return fmt.Sprintf("message %d: arguments %s", i, c.Arguments)
			}
			waiting = append(waiting, c.ID)
		}
		last = m.Role
	}
	if len(waiting) > 0 {
		return fmt.Sprintf("%d answers never come", len(waiting))
	}
	return ""
}

// party is a conversation over the wire with a model, prompt by prompt.
type party struct {
	t     *testing.T
	home  string
	face  *protocol.Face
	notes []string // what the person was told
	reply string   // of the newest turn
}

// newParty begins one with a client.
func newParty(t *testing.T, client model.Client) *party {
	settings := engine.Defaults()
	settings.Sandbox.Means, settings.Mode = sandbox.None, gate.YesMode
	p := &party{t: t, home: t.TempDir()}
	conn, face := protocol.Pipe()
	p.face = face
	var serving sync.WaitGroup
	serving.Go(func() {
		engine.Serve(context.Background(), conn, engine.Config{
			Version: "dev", Home: p.home, Directory: t.TempDir(), Shell: "/bin/sh", PID: 1, Now: time.Now, Person: p.home,
			Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin"}, Model: "scripted:party", Models: oneModel{client}, Settings: settings,
		})
	})
	t.Cleanup(func() {
		face.CloseInput()
		for _, err := face.Read(); err == nil; _, err = face.Read() {
		}
		serving.Wait()
	})
	return p
}

// prompt sends a prompt, waits for the end of its turn, and returns how that ended.
func (p *party) prompt(text string) (outcome, reason string) {
	p.t.Helper()
	must(p.t, p.face.Write(protocol.Prompt{Text: text}), "prompt")
	p.reply = ""
	for {
		m, err := p.face.Read()
		must(p.t, err, "the engine's line")
		switch m := m.(type) {
		case protocol.Delta:
			p.reply += m.Text
		case protocol.Note:
			p.notes = append(p.notes, m.Text)
		case protocol.Turn:
			if m.Phase == "end" {
				return m.Outcome, m.Reason
			}
		}
	}
}

// A thousand turns on a small window: no overflow, no request that a strict server refuses, and the task is in each one.
func TestThousandTurns(t *testing.T) {
	t.Parallel()
	const task = "Our task is to port the parser to Go and keep its tests green."
	s := &standIn{window: 8192}
	forgot, turn := 0, 0
	s.answer = func(r model.Request) model.Message {
		if !strings.Contains(said(r), task) || !strings.Contains(r.Messages[len(r.Messages)-1].Text+said(r), fmt.Sprintf("step %d", turn)) {
			forgot++
		}
		last := r.Messages[len(r.Messages)-1]
		switch {
		case last.Role == model.User && turn%3 == 0:
			return model.Message{Text: "I look.", Calls: []model.Call{{ID: "a", Name: "list_files", Arguments: json.RawMessage(`{"path":"."}`)}}}
		case last.Role == model.User && turn%7 == 0:
			command, _ := json.Marshal(map[string]string{"command": fmt.Sprintf("seq 1 %d", turn)})
			return model.Message{Calls: []model.Call{{ID: "b", Name: "shell", Arguments: command}, {ID: "b", Name: "shell", Arguments: command}}}
		}
		return model.Message{Text: strings.Repeat(fmt.Sprintf("Step %d is done, as you asked. ", turn), 1+turn%40)}
	}
	s.distil = func(model.Request) string {
		if s.distilled%3 == 0 {
			return "I'd rather talk of something else."
		}
		return fmt.Sprintf("SUMMARY:\nThe port goes on: %d steps are done and the tests are green so far.\nFACTS:\n- parser | step | %d\n", turn, turn)
	}
	p := newParty(t, s)
	for turn = 1; turn <= 1000; turn++ {
		text := fmt.Sprintf("Go on with step %d.%s", turn, strings.Repeat(" Mind the details.", turn%13))
		if turn == 1 {
			text = task + " This is step 1."
		}
		if outcome, reason := p.prompt(text); outcome != "ok" {
			t.Fatalf("turn %d: %s: %s", turn, outcome, reason)
		}
	}
	t.Logf("%d requests, %d condensations, %d overflows", s.requests, s.distilled, s.overflows)
	if s.overflows > 0 || s.unlawful != "" || forgot > 0 || s.distilled < 10 {
		t.Errorf("%d overflows, %q is unlawful, the task or the request was lost %d times, %d condensations", s.overflows, s.unlawful, forgot, s.distilled)
	}
}

// planted finds what was said of a name in a text, the newest.
func planted(text, name string) string {
	newest, at := "", -1
	for _, form := range []string{`(?i)\b%s (?:is|is now) ([a-z]*\d[\w.-]*)`, `(?i)%s = ([a-z]*\d[\w.-]*)`} {
		for _, found := range regexp.MustCompile(fmt.Sprintf(form, regexp.QuoteMeta(name))).FindAllStringSubmatchIndex(text, -1) {
			if found[0] > at {
				newest, at = strings.TrimRight(text[found[2]:found[3]], ".-"), found[0]
			}
		}
	}
	return newest
}
