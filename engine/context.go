package engine

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"wisp/engine/compose"
	"wisp/engine/model"
	"wisp/engine/thread"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

const (
	// maxViewText bounds a view's text as it stands on the wire: a line is 1 MiB, and its other fields need little.
	maxViewText = protocol.MaxOut - 4<<10
	// maxTurnRows bounds the table of turns: a row is 200 bytes or less.
	maxTurnRows = 2000
	// promptColumns is what a row shows of a prompt.
	promptColumns = 60
)

// slashContext shows what the next request carries, what the last one of a turn did, or the turns. It reads the record and
// costs the model nothing. A long record takes a moment to compose, so that is done beside the loop.
func (s *Session) slashContext(arguments, request string) {
	c := s.contexts()
	var view func() protocol.View
	switch arguments {
	case "", "next":
		view = c.next
	case "turns":
		view = c.table
	default:
		turn, err := strconv.Atoi(arguments)
		cut, known, replied := lastRequest(c.entries, turn)
		if err != nil || !known {
			s.note("error", request, "%s", c.unknown(arguments, err == nil))
			s.settled()
			return
		}
		view = func() protocol.View { return c.turn(turn, cut, replied) }
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

// contexts is what the views are made of: values that the loop took at one moment.
type contexts struct {
	entries  []thread.Entry
	composer compose.Composer
	turns    int // the newest turn's number
	running  int // the turn that is under way; 0 where none is
	model    string
	window   int
	counted  *int // what the server counted for the last request and its reply
	measured measured
	mask     func(model.Request) model.Request
	usage    map[int]model.Usage
}

func (s *Session) contexts() contexts {
	s.lookAtGuides("")
	c := contexts{
		entries: s.commits.entries(), composer: s.composer(), turns: s.state.turn, window: s.model.window(),
		counted: s.state.used, measured: s.state.measured, mask: s.commits.maskRequest, usage: maps.Clone(s.state.stats.byTurn),
	}
	c.model, _ = s.model.now()
	if s.run.turning() {
		tools := c.composer.Tools // it may have found more since it began
		c.running, c.composer = c.turns, s.state.composing
		c.composer.Tools = tools
	} else if e, ok := s.pendingMode(); ok { // goes before the next prompt
		e.Number = 1
		if n := len(c.entries); n > 0 {
			e.Number += c.entries[n-1].Number
		}
		c.entries = append(c.entries, e)
	}
	return c
}

// unknown says which turns there are to one who asked for another.
func (c contexts) unknown(asked string, number bool) string {
	turns := fmt.Sprintf("the turns are 1 to %d, and /context turns lists them", c.turns)
	switch c.turns {
	case 0:
		turns = "there are no turns yet, and /context shows what the first request will carry"
	case 1:
		turns = "turn 1 is the only one"
	}
	if number {
		return fmt.Sprintf("there is no turn %s in the record: %s", clip(asked, 20), turns)
	}
	return fmt.Sprintf("/context takes next, turns, or a turn's number, and %q is none of them: %s", clip(asked, 20), turns)
}

// next is the request that comes next: the running turn's as far as it is known, else that of the person's next prompt.
func (c contexts) next() protocol.View {
	what, v := c.upcoming()
	head := "# Context of the next request\n\n" + what + c.size(v)
	if c.counted != nil {
		head += fmt.Sprintf(" The model's server counted %d tokens for the last request and its reply.", *c.counted)
	}
	return protocol.View{Kind: "context", Text: v.Markdown(head+"\n", maxViewText)}
}

// upcoming is the request that comes next, as it is sent unless it is condensed first, and what it is in words.
func (c contexts) upcoming() (what string, v compose.View) {
	if c.running > 0 && begun(c.entries, c.running) {
		what, v = fmt.Sprintf("Turn %d is under way, and this is its next request as far as it is known", c.running), c.composer.View(c.entries)
	} else {
		what, v = "What goes with your next prompt", c.composer.Next(c.entries)
	}
	v.Mask = c.mask
	return what, v
}

// begun says whether the record has the prompt of the newest turn.
func begun(entries []thread.Entry, turn int) bool {
	for i := len(entries) - 1; i >= 0 && entries[i].Turn == turn; i-- {
		if opens(entries[i]) {
			return true
		}
	}
	return false
}

// turn is the last request of a turn.
func (c contexts) turn(turn, cut int, replied bool) protocol.View {
	v := c.composer.View(c.entries[:cut])
	v.Mask = c.mask
	what := "Its last request that had a reply"
	if !replied {
		what = "Its request, which has no reply"
	}
	head := fmt.Sprintf("# Context of turn %d\n\n%s, with the instructions and tools of now%s\n", turn, what, c.size(v))
	return protocol.View{Kind: "context", Turn: turn, Text: v.Markdown(head, maxViewText)}
}

// size says how large a request is, and for which model.
func (c contexts) size(v compose.View) string {
	n := v.Tokens()
	text := fmt.Sprintf(": about %d tokens (4 bytes are taken for one)", n)
	if c.window > 0 {
		text += fmt.Sprintf(", %.1f %% of the window of %d", 100*float64(n)/float64(c.window), c.window)
	}
	if c.model == "" {
		return text + ". No model is chosen yet."
	}
	return text + ". Model: " + phrase.Row(c.model, promptColumns) + "."
}

// lastRequest is how many entries went into the last request of a turn that had a reply: all before the first entry of that
// reply. A turn that was not replied to has its one request, up to its prompt. known is false where the record has no such turn.
func lastRequest(entries []thread.Entry, turn int) (cut int, known, replied bool) {
	step := -1
	var newest openings
	for i, e := range entries {
		begun := newest.begins(e)
		if e.Turn != turn {
			continue
		}
		switch e.Kind {
		case thread.Prompt, thread.Notice:
			if step < 0 && (e.Kind == thread.Prompt || begun) {
				cut, known = i+1, true
			}
		case thread.Reply, thread.Reasoning, thread.CallKind:
			if e.Step > step {
				cut, known, step = i, true, e.Step
			}
		}
	}
	return cut, known, step >= 0
}

// row is a turn as the table has it.
type row struct {
	turn        int
	prompt      string
	first, last int    // its entries, by number
	outcome     string // Markdown
}

// table lists the turns.
func (c contexts) table() protocol.View {
	rows := c.rows()
	var b strings.Builder
	b.WriteString("# Turns\n\n")
	if len(rows) == 0 {
		b.WriteString("There are none yet.\n")
		return protocol.View{Kind: "turns", Text: b.String()}
	}
	if left := len(rows) - maxTurnRows; left > 0 {
		fmt.Fprintf(&b, "*… %d turns before these are not shown …*\n\n", left)
		rows = rows[left:]
	}
	b.WriteString("| Turn | Prompt | Entries | Tokens in | Tokens out | Outcome |\n| ---: | --- | --- | ---: | ---: | --- |\n")
	for _, r := range rows {
		in, out := "–", "–"
		if u, known := c.usage[r.turn]; known {
			in, out = strconv.Itoa(u.Input), strconv.Itoa(u.Output)
		}
		fmt.Fprintf(&b, "| %d | %s | %d–%d | %s | %s | %s |\n", r.turn, cell(r.prompt), r.first, r.last, in, out, r.outcome)
	}
	return protocol.View{Kind: "turns", Text: b.String()}
}

// rows are the turns in the order of the record.
func (c contexts) rows() []row {
	var rows []row
	var newest openings
	asked := false // the newest turn has its prompt
	for _, e := range c.entries {
		if newest.begins(e) {
			asked = false
			r := row{turn: e.Turn, prompt: firstLine(e.Text), first: e.Number, outcome: turnOK}
			if e.Turn == c.running {
				r.outcome = "under way"
			}
			rows = append(rows, r)
		}
		if len(rows) == 0 {
			continue
		}
		r := &rows[len(rows)-1]
		if e.Kind == thread.Prompt && !asked {
			r.prompt, asked = firstLine(e.Text), true
		}
		switch e.Kind {
		case thread.Prompt, thread.Notice, thread.Reply, thread.Reasoning, thread.CallKind, thread.OutputKind:
			r.last = e.Number
		case thread.StopKind:
			r.last, r.outcome = e.Number, ending(e.Stop)
		}
	}
	return rows
}

// openings finds the entries that turns begin with, in the order of the record: a prompt, or a notice.
type openings struct{ turn int }

// begins says whether a turn begins with an entry; all before it were asked about.
func (o *openings) begins(e thread.Entry) bool {
	if !opens(e) || e.Turn <= o.turn {
		return false
	}
	o.turn = e.Turn
	return true
}

// opens says whether a turn may begin with an entry.
func opens(e thread.Entry) bool {
	return e.Kind == thread.Prompt || e.Kind == thread.Notice && len(e.Tasks) > 0
}

// ending is why a turn ended before it was done.
func ending(s *thread.Stop) string {
	if s == nil || s.Person {
		return phrase.StoppedByYou
	}
	return cell(s.Reason)
}

// cell is a text within a table: one row of it as code, so that Markdown in it is text, with its bars escaped.
func cell(text string) string {
	text = phrase.Row(text, promptColumns)
	if text == "" {
		return ""
	}
	return strings.ReplaceAll(compose.Code(text), "|", `\|`)
}
