package compose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"wisp/engine/thread"
)

const (
	// wholeAnswer is to how many bytes an output is carried whole for ever, and how long the reference to a longer one is at most.
	wholeAnswer = 640

	// referredPart bounds the arguments, the first and the last line within a reference, in bytes, so that all have room.
	referredPart = 120
)

// answer returns an output as the model reads it: whole in its own turn or where it is short, else as a reference.
func (b *builder) answer(a answer) string {
	o := a.output
	if strings.TrimSpace(o.Output.Text) == "" {
		return noOutput
	}
	own := o.Turn == b.current && (o.Number > b.frame.References || b.frame.References == 0)
	if !own && len(o.Output.Text) > wholeAnswer { // as data it is no shorter
		return b.composer.reference(a)
	}
	if text := inert(o.Output.Text); own || len(text) <= wholeAnswer {
		return text
	}
	return b.composer.reference(a)
}

// Referred is what becomes of the newest turn's outputs once another begins. Those that a condensation made references aren't in it.
type Referred struct {
	First, Last int // the entries of the first and the last
	Outputs     int
	Bytes       int // of all of them, as they are carried now
	Told        int // and as references
}

// Referred looks at the newest turn alone.
func (c Composer) Referred(entries []thread.Entry) (r Referred) {
	turn, from, done := newest(entries), len(entries), 0
	for from > 0 && entries[from-1].Turn == turn {
		if from--; entries[from].Condensation != nil {
			done = max(done, entries[from].Condensation.References)
		}
	}
	now, then := builder{composer: c, current: turn}, builder{composer: c, current: turn + 1}
	for _, i := range items(entries[from:]) {
		if i.step == nil {
			continue
		}
		for _, a := range i.step.answered() {
			whole, told := len(now.answer(a)), len(then.answer(a))
			if a.output.Number <= done || told == whole {
				continue
			}
			if r.Outputs++; r.First == 0 {
				r.First = a.output.Number
			}
			r.Last, r.Bytes, r.Told = a.output.Number, r.Bytes+whole, r.Told+told
		}
	}
	return r
}

// reference tells an output in short, and how to see all of it. It depends on the entries alone.
func (c Composer) reference(a answer) string {
	o := a.output.Output
	lines, size := o.Lines, o.Bytes
	if size == 0 {
		lines, size = int64(strings.Count(strings.TrimRight(o.Text, "\n"), "\n")+1), int64(len(o.Text))
	}
	parts := []string{fmt.Sprintf("entry %d", a.output.Number), name(a.call.Call.Name)}
	if at := a.output.Time; !at.IsZero() {
		parts = append(parts, at.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	parts = append(parts, outcome(o), counted(lines, "line", "lines"), counted(size, "byte", "bytes"))
	text := "[output told in short: " + strings.Join(parts, ", ") + ". "
	if c.Memory {
		text += fmt.Sprintf("memory \"recall entry %d\" shows it whole]", a.output.Number)
	} else {
		text += "Make the call again where you need all of it]"
	}
	if said := bytes.TrimSpace(a.call.Call.Arguments); len(said) > 0 {
		text += "\nArguments: " + clipped(inert(string(said)), referredPart)
	}
	first, last := edges(*o)
	if first != "" {
		text += "\nFirst line: " + clipped(inert(first), referredPart)
	}
	if last != "" && last != first {
		text += "\nLast line: " + clipped(inert(last), referredPart)
	}
	return clipped(text, wholeAnswer-len(" …"))
}

// outcome is how a call ended, in a word or two.
func outcome(o *thread.Output) string {
	switch {
	case o.Stopped:
		return "stopped by the person"
	case o.Exit != nil:
		return fmt.Sprintf("exit %d", *o.Exit)
	case o.Failed:
		return "failed"
	}
	return "done"
}

// shortened cuts the middle of a text of an entry that a condensation found no other way to make room of.
func (b *builder) shortened(number int, text string) string {
	most := b.frame.Texts
	if most == 0 || number > b.frame.References || len(text) <= most {
		return text
	}
	recall := ""
	if b.composer.Memory {
		recall = fmt.Sprintf(": memory \"recall entry %d\" shows it whole", number)
	}
	head, tail := cutText(text, most/2), fromEnd(text, most/2)
	return fmt.Sprintf("%s\n[%d bytes are left out here%s]\n%s", head, len(text)-len(head)-len(tail), recall, tail)
}

// fromEnd returns the last n bytes of a text, or a few less, so that no character is cut.
func fromEnd(text string, n int) string {
	at := max(len(text)-n, 0)
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return text[at:]
}

// arguments returns a call's arguments as an object, its long texts cut where a condensation asks for it.
func (b *builder) arguments(e *thread.Entry) json.RawMessage {
	raw := arguments(e.Call.Arguments)
	most := b.frame.Texts
	if most == 0 || e.Number > b.frame.References || len(raw) <= most {
		return raw
	}
	var object map[string]any
	if json.Unmarshal(raw, &object) != nil {
		return raw
	}
	for key, value := range object {
		if text, ok := value.(string); !ok {
			if short, err := json.Marshal(value); err != nil || len(short) > wholeAnswer {
				object[key] = "(left out: it was long)"
			}
		} else if len(text) > wholeAnswer {
			object[key] = clipped(text, wholeAnswer) + fmt.Sprintf(" (%d bytes in all)", len(text))
		}
	}
	short, err := json.Marshal(object) // its keys in order
	if err != nil || len(short) > len(raw) {
		return raw
	}
	return short
}
