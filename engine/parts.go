package engine

import (
	"fmt"
	"strings"

	"wisp/engine/compose"
	"wisp/engine/stop"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// slashCompact condenses the conversation now, as far as it may be. It is an activity that can be stopped.
func (s *Session) slashCompact(focus, request string) {
	if _, client := s.model.now(); client == nil {
		s.note("error", request, "no model is chosen to write the summary: /models lists those that can be used, /model NAME takes one")
		s.settled()
		return
	}
	by := s.speaker(request)
	within := s.run.begin(s.machine.lookups, request, false, doing{phrase: phrase.Condensing, kind: "condensing"})
	s.beside(listed{s.listEnded}, func() any {
		done := by.condense(within, by.byHand(focus))
		stopped := stop.Stopped(within)
		return listed{func() {
			s.run.end()
			s.state.stats.of(by.model).add(by.requests)
			s.state.measured = by.measured
			switch {
			case stopped:
				s.note("info", request, "%s", phrase.StoppedByYou)
			case !done:
				s.note("info", request, "there is nothing to condense: the newest turn stays as it is, and there is little before it")
			}
			s.settled()
		}}
	})
}

// byHand is a condensation that the person asks for: every turn that may go does, whatever room there is.
func (s *speaker) byHand(focus string) condensing {
	how := condensing{reason: byHand, focus: focus, all: true}
	window := s.window
	if window == 0 {
		window = max(s.composer.View(s.commits.entries()).Tokens(), smallWindow)
	}
	how.room = s.room(window)
	return how
}

// slashView shows a part of what the next request carries, or of what the model did.
func (s *Session) slashView(name, request string) {
	c := s.contexts()
	var view func() protocol.View
	switch name {
	case "summary":
		view = c.summary
	case "thinking":
		view = c.thinking
	default:
		view = c.tokens
	}
	s.later(func() any {
		v := view()
		v.Turns, v.Request = c.turns, request
		return listed{func() {
			s.out.post(v)
			s.settled()
		}}
	})
}

// summary is what stands for the turns that are told in short.
func (c contexts) summary() protocol.View {
	text := compose.Earlier(c.entries)
	if text == "" {
		text = "Every turn is carried as it was: nothing has been condensed yet.\n"
	}
	return protocol.View{Kind: "summary", Text: clip("# Summary\n\n"+text, maxViewText/6)}
}

// thinking is what the model thought in the newest turn in which it did.
func (c contexts) thinking() protocol.View {
	var parts []string
	turn := 0
	for i := len(c.entries) - 1; i >= 0 && (turn == 0 || c.entries[i].Turn == turn); i-- {
		if e := &c.entries[i]; e.Kind == thread.Reasoning && strings.TrimSpace(e.Text) != "" {
			turn = e.Turn
			parts = append([]string{fmt.Sprintf("## Step %d\n\n%s\n", e.Step, strings.TrimSpace(e.Text))}, parts...)
		}
	}
	if turn == 0 {
		return protocol.View{Kind: "thinking", Text: "# Thinking\n\nThe model has shown none in this conversation.\n"}
	}
	text := fmt.Sprintf("# Thinking of turn %d\n\n%s", turn, strings.Join(parts, "\n"))
	return protocol.View{Kind: "thinking", Turn: turn, Text: clip(text, maxViewText/6)}
}

// tokens is what the next request holds, part by part.
func (c contexts) tokens() protocol.View {
	_, v := c.upcoming()
	var b strings.Builder
	b.WriteString("# Tokens of the next request\n\n| Part | Tokens |\n| --- | ---: |\n")
	for _, p := range v.Parts() {
		fmt.Fprintf(&b, "| %s | %d |\n", p.Name, p.Tokens)
	}
	fmt.Fprintf(&b, "| all, at four bytes a token | %d |\n\n", v.Tokens())
	if c.window > 0 {
		n := c.measured.tokens(v.Tokens())
		fmt.Fprintf(&b, "The window has %d tokens; the request takes about %.0f %% of it, and past %d %% it is condensed first.\n", c.window, 100*float64(n)/float64(c.window), fullPercent)
	} else {
		b.WriteString("The model's window isn't known: the request is condensed where its server finds it too long.\n")
	}
	if c.counted != nil {
		fmt.Fprintf(&b, "The server counted %d tokens for the last request and its reply.\n", *c.counted)
	}
	return protocol.View{Kind: "stats", Text: b.String()}
}
