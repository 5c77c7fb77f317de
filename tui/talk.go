package tui

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui/markdown"
)

// block is what stands in the scrollback as one, apart from the next by an empty row.
type block string

// talk turns the engine's messages into rows for the scrollback, and holds what is still open: the reply that is being
// written, the thinking, the calls that run. It keeps no rows that have been printed, and of its cards the newest maxCards.
type talk struct {
	look    look
	rows    []string // finished, and not taken yet
	last    block    // what the newest row belongs to; "" at the start
	reply   *markdown.Stream
	thought *thought
	open    []*card          // that run, in the order they began
	tasks   []*task          // that go on in the background, in the order they began
	done    []*card          // that have ended, for Ctrl-O
	moved   map[string]*card // typed commands that go on in the background, by task
	earlier bool             // the head of the history has been shown
}

// thought is a model's thinking while it goes on.
type thought struct {
	text string // the newest maxKeptID bytes
	size int
}

// take gives the finished rows away.
func (t *talk) take() []string {
	rows := t.rows
	t.rows = nil
	return rows
}

// add puts rows of a block below what stands there.
func (t *talk) add(b block, rows ...string) {
	if len(rows) == 0 {
		return
	}
	if t.last != "" && t.last != b {
		t.rows = append(t.rows, "")
	}
	t.last = b
	t.rows = append(t.rows, rows...)
}

// apart makes what comes next a block of its own, though it is of the same kind.
func (t *talk) apart() {
	if t.last != "" {
		t.last = "apart"
	}
}

// resize lays out anew what is open.
func (t *talk) resize(l look) {
	t.look = l
	if t.reply != nil {
		t.reply.Resize(l.width)
	}
}

// say shows sentences of wisp's own. Where a role has a ground, each row has it to its end.
func (t *talk) say(role phrase.Role, text string) {
	t.settle() // what is being written goes on below
	rows := t.look.words(text, t.look.width)
	if role == phrase.Amber {
		for i := range rows {
			rows[i] += fill
		}
	}
	t.add("said", t.look.paint(role, rows...)...)
}

// note shows a note by its level.
func (t *talk) note(level, text string) {
	switch level {
	case "error":
		t.say(phrase.Failure, text)
	case "warning":
		t.say(phrase.Amber, text)
	default:
		t.say(phrase.Faint, text)
	}
}

// promptRows is how much of a long prompt its stripe has.
const promptRows = 20

// prompt is the stripe of a prompt of so many bytes that was sent.
func (t *talk) prompt(text string, bytes int) {
	t.endReply()
	t.apart()
	rows := t.look.stripe(phrase.Sent, " > ", text)
	if len(rows) > promptRows+1 || bytes > len(text) {
		rows = rows[:min(len(rows), promptRows)]
		more := fmt.Sprintf("   … it goes on: %d bytes in all", bytes)
		rows = append(rows, t.look.style.Paint(phrase.Sent, phrase.Clip(more, t.look.width)+fill))
	}
	t.add("prompt", rows...)
}

// command is the stripe of a typed command.
func (t *talk) command(marker, line string) {
	t.endReply()
	t.apart()
	role := phrase.CommandSent
	if strings.HasPrefix(marker, "!!") {
		role = phrase.OutsideSent
	}
	before := " " + marker + " "
	if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "&") {
		before = " " + marker // these are marks too
	}
	t.add("command", t.look.stripe(role, before, strings.TrimPrefix(line, " "))...)
}

// result is what a slash command printed.
func (t *talk) result(text string) {
	t.settle()
	t.apart()
	t.add("result", t.look.words(text, t.look.width)...)
}

// delta is a piece of the reply.
func (t *talk) delta(m protocol.Delta) {
	t.endThought()
	if t.reply == nil {
		t.apart()
		t.reply = markdown.New(t.look.markdown(), t.look.width)
	}
	if m.Dropped > 0 {
		t.reply.Add(fmt.Sprintf("\n\n… %d bytes of the reply could not be shown in time\n\n", m.Dropped))
	}
	t.reply.Add(m.Text)
}

// settle moves what has been finished of the reply to the rows.
func (t *talk) settle() {
	if t.reply != nil {
		t.add("reply", t.reply.Finished()...)
	}
}

// endReply finishes the reply, where one is being written.
func (t *talk) endReply() {
	if t.reply != nil {
		t.add("reply", t.reply.Finished()...)
		t.add("reply", t.reply.End()...)
		t.reply = nil
	}
}

// reasoning is a piece of thinking.
func (t *talk) reasoning(m protocol.Reasoning) {
	if t.thought == nil && (m.Text != "" || m.Dropped > 0) {
		t.endReply()
		t.thought = &thought{}
	}
	if t.thought != nil {
		t.thought.size += len(m.Text) + m.Dropped
		t.thought.text += m.Text
		if n := len(t.thought.text) - maxKeptID; n > maxKeptID {
			t.thought.text = strings.ToValidUTF8(t.thought.text[n:], "")
		}
	}
	if m.Phase == "end" {
		t.endThought()
	}
}

// endThought folds the thinking to a line; Ctrl-O opens it.
func (t *talk) endThought() {
	th := t.thought
	if th == nil {
		return
	}
	t.thought = nil
	if strings.TrimSpace(th.text) == "" {
		return
	}
	c := &card{head: "thinking", text: th.text, outcome: fmt.Sprintf("thought, %d bytes", th.size)}
	t.keep(c)
	t.apart()
	t.add("thought", t.look.style.Paint(phrase.Faint, phrase.Clip("thought · "+firstLine(th.text), t.look.width)))
}

// band is what is open, as the band shows it in at most so many rows.
func (t *talk) band(most int) []string {
	var rows []string
	if t.reply != nil {
		rows = append(rows, t.reply.Open(most)...)
	}
	if th := t.thought; th != nil {
		line := lastLine(th.text)
		const head = "thinking · "
		rows = append(rows, t.look.style.Paint(phrase.Faint, phrase.Clip(head+endOfRow(line, t.look.width-len(head)), t.look.width)))
	}
	for _, c := range t.open {
		rows = append(rows, c.live(t.look)...)
	}
	if len(rows) > 0 && t.last != "" && !t.continues() {
		rows = append([]string{""}, rows...)
	}
	below := t.background(most / 2)
	if len(below) > 0 && (len(rows) > 0 || t.last != "") {
		below = append([]string{""}, below...)
	}
	return append(newest(rows, most-len(below)), below...)
}

// continues says whether what is open goes on from the newest row.
func (t *talk) continues() bool {
	switch {
	case t.reply != nil:
		return t.last == "reply"
	case len(t.open) > 0:
		return t.open[0].typed
	}
	return false
}

// keep puts a card among those that Ctrl-O walks.
func (t *talk) keep(c *card) {
	if c.output != nil && c.output.ID != "" && len(c.output.Text) > maxKept {
		c.output.Text = "" // the engine has the whole
	}
	t.done = append(t.done, c)
	if len(t.done) > maxCards {
		t.done = append(t.done[:0], t.done[1:]...)
	}
}

// running is the open card of an id; nil where there is none.
func (t *talk) running(id string) *card {
	for _, c := range t.open {
		if c.id == id {
			return c
		}
	}
	return nil
}

// begin opens a card.
func (t *talk) begin(c *card) {
	t.endThought()
	t.endReply()
	t.open = append(t.open, c)
}

// end closes a card and prints it.
func (t *talk) end(c *card) {
	for i, o := range t.open {
		if o == c {
			t.open = append(t.open[:i], t.open[i+1:]...)
			break
		}
	}
	t.settle()
	if c.typed {
		t.add("command", c.rest(t.look)...)
		t.apart()
	} else {
		t.apart()
		t.add("card", c.whole(t.look)...)
	}
	t.keep(c)
}

// over closes what is still open when a turn or a command has ended.
func (t *talk) over() {
	t.endThought()
	t.endReply()
	for len(t.open) > 0 {
		t.end(t.open[0])
	}
}

// details are the fields of an event's details that a face reads.
type details struct {
	Tool       string  `json:"tool"`
	Task       string  `json:"task"`
	Command    string  `json:"command"`
	Text       string  `json:"text"`
	Bytes      int     `json:"bytes"`
	Arguments  string  `json:"arguments"`
	Origin     string  `json:"origin"`
	ExitStatus int     `json:"exitStatus"`
	Seconds    float64 `json:"seconds"`
	Failed     bool    `json:"failed"`
	Outside    bool    `json:"outside"`
}

// read takes the details of an event; another version's that can't be read are left out.
func read(raw json.RawMessage) details {
	var d details
	if json.Unmarshal(raw, &d) != nil {
		return details{}
	}
	return d
}

// firstLine is the first line of a text that isn't blank.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return phrase.Inert(untab(line))
}

// lastLine is the last line of a text that isn't blank.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return phrase.Inert(untab(text[strings.LastIndexByte(text, '\n')+1:]))
}

// endOfRow is the end of a row, in at most so many cells: of what grows, that is what is new.
func endOfRow(row string, cells int) string {
	const more = "…"
	if displaywidth.String(row) <= cells {
		return row
	}
	for row != "" && displaywidth.String(row) > cells-1 {
		_, size := utf8.DecodeRuneInString(row)
		row = row[size:]
	}
	return more + row
}
