package golden

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"wisp/engine"
	"wisp/golden/terminal"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui"
	"wisp/tui/panel"
)

// The screen that stories are seen on, and the mark above what of a conversation it shows.
const (
	storyColumns, storyRows = 80, 24
	screenMark              = "--- screen ---"
)

// screen plays the story with the Bubble Tea face and returns what is seen at its end: the conversation, with a mark above
// its last 24 rows; or the panel that is open.
func (w *stage) screen() string {
	f := newFace(w.t, storyColumns, storyRows)
	c := w.config()
	for _, part := range splitAt(w.story.in, "restart") {
		f.leave()
		w.watched(f, c, part)
		c.Continue = true
	}
	return w.seen(f.Screen())
}

// watched is one run of the face.
func (w *stage) watched(f *face, c engine.Config, script []string) {
	wire, ended := w.start(c)
	look := f.config(phrase.Style{Depth: phrase.True})
	look.Engine = tui.Engine{Face: wire, End: func() tui.Death {
		ended()
		return tui.Death{How: "exit status 0"}
	}}
	if hello, ok := jsonLine(script[0])["history"].(float64); ok { // the face says hello by itself
		look.Entries, script = int(hello), script[1:]
	}
	from := len(w.out)
	f.run(look)
	mode := ""
	w.wait(from, "the first status", func(l map[string]any) bool {
		mode, _ = l["mode"].(string)
		return l["type"] == "status" && l["model"] != nil
	})
	f.Wait("the first status", func(s terminal.Screen) bool { return open(s) && s.Contains(" · "+mode) })
	w.follow(script, func(line string) { w.act(f, line) })
	switch {
	case slices.Contains(script, "close"):
		f.leave()
	case slices.ContainsFunc(w.out[from:], func(line string) bool { return jsonLine(line)["type"] == "exit" }):
		f.Wait("the terminal given back", left)
	default:
		f.Wait("an open box, or a panel", idleFace)
	}
}

func jsonLine(line string) map[string]any {
	var l map[string]any
	json.Unmarshal([]byte(line), &l)
	return l
}

// act does a line of the story as a person at the terminal would. What only a program can send, a person can't.
func (w *stage) act(f *face, line string) {
	if line == "press" {
		f.Key("ctrl+c")
		return
	}
	if !strings.HasPrefix(line, "{") {
		if s := f.Wait("a box that takes a line, or a panel", idleFace); s.Alt {
			f.Key("esc")
		}
	}
	if rows, ok := strings.CutPrefix(line, "rows "); ok {
		f.Wait("a box that takes a line", open)
		f.Paste(strings.ReplaceAll(rows, `\n`, "\n"))
		f.WaitGone(hint)
		f.Key("enter")
		return
	}
	if !strings.HasPrefix(line, "{") {
		f.write(line)
		f.Key("enter")
		return
	}
	var m protocol.In
	var fault *protocol.Fault
	if m, fault = protocol.DecodeIn([]byte(line)); fault != nil || !w.send(f, m) {
		w.t.Fatalf("nobody can type %s: a story with such a line has no side `screen`", line)
	}
}

// send does a message of the wire by keys; false where no keys send it.
func (w *stage) send(f *face, m protocol.In) bool {
	switch m := m.(type) {
	case protocol.Prompt:
		if strings.ContainsAny(m.Text[:1], "!/") || m.Steer || len(m.Attachments) > 0 {
			return false
		}
		f.write(m.Text)
		f.Key("enter")
	case protocol.Line:
		f.write(m.Text)
		f.Key("enter")
	case protocol.Interrupt:
		f.Key("ctrl+c")
	case protocol.Answer:
		key, ok := map[string]string{"once": "y", "session": "s", "project": "p", "always": "a", "no": "n"}[m.Decision]
		if !ok || m.Reason != "" {
			return false
		}
		f.Wait("an approval", func(s terminal.Screen) bool { return asking(s) && s.Contains(phrase.ApprovalKeys) })
		f.pass(panel.ReadTime)
		f.Key(key)
	case protocol.Choose:
		f.Wait("a choice", asking)
		w.choose(f, m)
	case protocol.Quit:
		f.Wait("an open box", open)
		f.Key("ctrl+d")
	default:
		return false
	}
	return true
}

// idleFace is met when nothing is under way and nothing is asked. It is not met between a line's Enter and its end.
func idleFace(s terminal.Screen) bool { return open(s) || panelled(s) }

// choose takes an option by its number, types another value, or leaves the choice.
func (w *stage) choose(f *face, m protocol.Choose) {
	if m.Value == nil {
		f.Key("esc")
		return
	}
	w.mu.Lock()
	asked := protocol.Choice{}
	for _, line := range w.out {
		if message, _, err := protocol.DecodeOut([]byte(line)); err == nil {
			if c, ok := message.(protocol.Choice); ok && c.Choice == m.Choice {
				asked = c
			}
		}
	}
	w.mu.Unlock()
	if i := slices.IndexFunc(asked.Options, func(o protocol.Option) bool { return o.Value == *m.Value }); i >= 0 {
		f.Key(fmt.Sprint(i + 1))
		return
	}
	f.Type(*m.Value)
	f.Key("enter")
}

// outcomeTime is the time in the line of an outcome: it is left out where there was next to none.
var outcomeTime = regexp.MustCompile(`(?m)^( *↳.*) · \d+(\.\d+)? s$`)

// seen is a screen as a story tells it. How much of a conversation stands on the screen hangs on how high the band was
// meanwhile, which is the machine's matter: so the mark stands above the last rows, as many as there can be.
func (w *stage) seen(s terminal.Screen) string {
	rows := s.History()
	if s.Alt {
		rows = s.Rows
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	if !s.Alt {
		rows = slices.Insert(rows, max(len(rows)-storyRows, 0), screenMark)
	}
	text := outcomeTime.ReplaceAllString(strings.Join(rows, "\n")+"\n", "$1")
	return strings.ReplaceAll(w.normal(text), filepath.Base(w.work), "WORK")
}
