// Package box is the input box: what is typed and how it is meant, its completions, its search through the history, and
// how all that is drawn. Specified in tui.md, "The input box".
//
// A [Box] is a struct with plain methods. [Box.Key] and [Box.Paste] apply what came from the terminal and return an [Ask]:
// what the box can't do itself. [Box.Rows] makes the rows to draw and says where the cursor stands. While something runs
// and the box is closed, keys go to a [Held] instead, which applies them when it ends.
//
// The box has a mode. A `!` at its start makes what is typed a command, a second one a command outside the sandbox;
// Backspace at the start goes back, and the text stays. The mark is no part of the text, so that an editor, a search or a
// paste can't double it: [Ask.Line] is the line as the engine reads it.
//
// A paste is text, whatever is in it, and never sends; a long one is folded to a label, and whole when it is sent. What
// was typed is sent exactly, and is lost by nothing: what is cleared, and a draft that is left for an older line, stand in
// the history. A key costs what its row is long, never what the text or the history is.
//
// What the package doesn't do: it sends, reads and writes nothing, keeps no time, asks for no completion by itself, and
// knows of what runs only what it is told with each call ([State]).
package box

import (
	"strings"

	"wisp/edit"
)

// MaxText bounds the text, in bytes. With every character of it escaped, a line still fits into the wire's 16 MiB.
const MaxText = 2 << 20

// foldOver is the length, in characters, over which a paste is folded.
const foldOver = 10_000

// Mode is how the text is meant.
type Mode int

// The modes.
const (
	Prompt  Mode = iota // for the model; a slash command where it starts with a slash
	Command             // after `!`
	Outside             // after `!!`: outside the sandbox
)

// Mark is what a person types before a line of that mode.
func (m Mode) Mark() string { return "!!"[:m] }

// Box is the input box. One goroutine uses it.
type Box struct {
	text     edit.Editor
	search   search
	menu     menu
	asked    asked
	pending  int // notices and prompts that wait
	columns  int // of the text when it was drawn last: the lines that Up and Down move by
	prefixed bool
	quoting  bool // the next key is text, whatever it is
	applying bool // what was held is applied: nothing is asked and nothing sent
}

// State is what the face says of itself.
type State struct {
	// Busy is what is done now, in a few words; "" while nothing runs.
	Busy string
	// Open says that the box stays open while something runs: what is sent goes into the queue.
	Open bool
	// Held says how many keys wait ([Held.Words]).
	Held string
	// Spin is counted on with each drawing while something runs.
	Spin int
	// Most is how many rows the box may take; 0 for as many as it likes.
	Most int
	// Hint stands in an empty box.
	Hint string
	// Attaches says that a command can be given the face's terminal.
	Attaches bool
	// ASCII draws with plain characters.
	ASCII bool
}

// Kind is what an [Ask] asks for.
type Kind int

// The kinds. Those that take no text leave the box as it is.
const (
	None        Kind = iota
	Send             // Line, or Text as it is where the mode is Prompt and it is no Slash; the box is empty now
	Steer            // the same, for the turn that runs
	Attach           // run the command Text on the face's terminal
	Complete         // completions for Line at Cursor, to be given to [Box.Completed] with Number
	Interrupt        // Ctrl-C
	Quit             // Ctrl-D in an empty box
	Editor           // Text in the person's editor, to be given back to [Box.Edited]
	Background       // the command that runs
	Suspend          // Ctrl-Z
	Redraw           // Ctrl-L
	Cards            // Ctrl-O
	Context          // Ctrl-T
	Keys             // `?`
	SendNotices      // what waits, now
	DropNotice       // the newest that waits
	Say              // Text is a sentence for the person: what was refused and why
)

// Ask is what a key asks of the face.
type Ask struct {
	// Kind says which fields count.
	Kind Kind
	// Mode is the text's.
	Mode Mode
	// Text is what was typed, without a mark.
	Text string
	// Line is the same as the engine reads a typed line, with its mark.
	Line string
	// Slash says that a prompt is a slash command.
	Slash bool
	// Save says that Entry, which was sent, is to be written to the history's file.
	Save bool
	// Entry is how the history has it.
	Entry edit.Entry
	// Cursor is where it stands in Line, in characters.
	Cursor int
	// Number tells one request for completions from another.
	Number int
}

// New returns an empty box with a history.
func New(past *edit.History) *Box {
	if past == nil {
		past = &edit.History{}
	}
	return &Box{text: edit.Editor{Past: past, Read: read}}
}

// Text returns the text, folded pastes whole and without a mark.
func (b *Box) Text() string { return b.text.String() }

// Mode returns how it is meant.
func (b *Box) Mode() Mode { return Mode(b.text.Mark()) }

// Mark returns the mode's mark: "", "!" or "!!".
func (b *Box) Mark() string { return b.Mode().Mark() }

// Restore puts a text and its mark into the box, as an earlier session left them.
func (b *Box) Restore(mark, text string) {
	if len(text) <= MaxText {
		b.text.Restore(text, min(strings.Count(mark, "!"), int(Outside)))
	}
}

// Pending says how many notices and prompts wait.
func (b *Box) Pending(n int) { b.pending = n }

// Clear empties the box; Up brings back what was in it. It says false where it was empty already.
func (b *Box) Clear() bool {
	b.leave()
	if b.text.Empty() && b.Mode() == Prompt {
		return false
	}
	b.keepDraft()
	mode := b.Mode()
	if text := b.text.Take(); text != "" {
		b.text.Past.Keep(entry(mode, text))
	}
	return true
}

// keepDraft keeps what was being typed before an entry of the history was shown, since that is what is taken now.
func (b *Box) keepDraft() {
	if text, mark, ok := b.text.Draft(); ok && strings.TrimSpace(text) != "" {
		b.text.Past.Keep(entry(Mode(mark), text))
	}
}

// leave ends what stands over the text: a menu, a search, a key that waits for another.
func (b *Box) leave() {
	b.menu, b.search, b.prefixed, b.quoting = menu{}, search{}, false, false
}

// take empties the box for what is to be done with its text.
func (b *Box) take(kind Kind) Ask {
	if b.applying {
		return Ask{}
	}
	b.keepDraft()
	mode := b.Mode()
	text := b.text.Take()
	ask := Ask{Kind: kind, Mode: mode, Text: text, Line: line(mode, text), Entry: entry(mode, text)}
	ask.Slash = mode == Prompt && strings.HasPrefix(trim(text), "/")
	ask.Save = strings.TrimSpace(text) != "" && b.text.Past.Add(ask.Entry)
	return ask
}

// trim leaves out the blanks that the engine passes over before it reads a line's marks.
func trim(line string) string { return strings.TrimLeft(line, " \t\r\n") }

// line is a text as a person would type it with its mark. A command that begins with a `!` itself is kept off its mark by
// a blank, which the engine passes over.
func line(m Mode, text string) string {
	if m == Command && bang(text) {
		return "! " + text
	}
	return m.Mark() + text
}

// bang says whether a text begins with a `!`, after blanks or none.
func bang(text string) bool { return strings.HasPrefix(strings.TrimLeft(text, " "), "!") }

// entry is a text in the history; a prompt that would be read as a command says that it is none.
func entry(m Mode, text string) edit.Entry {
	return edit.Entry{Line: line(m, text), Prompt: m == Prompt && strings.HasPrefix(trim(text), "!")}
}

// read is an entry's text and mode: the other way of entry, for lines of the plain chat too.
func read(e edit.Entry) (text string, mark int, ok bool) {
	if e.Prompt || !strings.HasPrefix(trim(e.Line), "!") {
		return e.Line, int(Prompt), true
	}
	m, rest := marks(Prompt, trim(e.Line))
	if m == Command && bang(rest) { // it was kept off
		rest = rest[1:]
	}
	return rest, int(m), true
}

// marks takes the marks off a text that came as one piece. They say how it is meant, and never lower or add to what the box
// says already, so that a `!` typed before a pasted `!make` is not read as `!!`.
func marks(m Mode, text string) (Mode, string) {
	for _, n := range []Mode{Outside, Command} {
		if rest, ok := strings.CutPrefix(text, n.Mark()); ok {
			return max(m, n), rest
		}
	}
	return m, text
}
