// Package export writes a conversation for reading elsewhere: as Markdown for people, as JSON for programs.
//
// Both are a pure function of the record's entries, in their order. The Markdown has a heading for each prompt, replies as
// they are, calls and commands with how they ended, and of outputs what the record holds: the text that the model read, or the
// first and the last line. A text that could end its own block, or begin another, is kept in a longer fence or escaped. The
// JSON is one object with the entries as they stand in the record (docs: its fields are thread.Entry's).
//
// What was masked in the record is masked here; the caller gives one more mask, for a record that is older than a secret.
//
// What the package doesn't do: it opens no file and no thread, reads no stored output, and leaves nothing out but what the person
// kept from the model's context with `!-`, whose output is never in the record's text either.
package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"wisp/engine/thread"
)

// Head is what stands above the entries.
type Head struct {
	Thread    string    `json:"thread"`
	Title     string    `json:"title"`
	Directory string    `json:"directory"`
	Created   time.Time `json:"created"`
}

// JSON writes an object of the head's fields and the list entries. mask is given each entry's JSON.
func JSON(to io.Writer, h Head, entries []thread.Entry, mask func(json.RawMessage) json.RawMessage) error {
	w := bufio.NewWriter(to)
	head, err := plain(h)
	if err != nil {
		return err
	}
	head = mask(head)
	fmt.Fprintf(w, "%s,\"entries\":[", head[:len(head)-1])
	for i := range entries {
		raw, err := plain(&entries[i])
		if err != nil {
			return err
		}
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n")
		w.Write(mask(raw))
	}
	w.WriteString("\n]}\n")
	return w.Flush()
}

// plain is a value as JSON with <, > and & as they are.
func plain(v any) (json.RawMessage, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n")), err
}

// Markdown writes a document.
func Markdown(to io.Writer, h Head, entries []thread.Entry, mask func(string) string) error {
	w := writer{Writer: bufio.NewWriter(to), mask: mask}
	title := h.Title
	if title == "" {
		title = "A conversation"
	}
	w.printf("# %s\n\n", inline(mask(title)))
	w.printf("Thread %s, begun %s in %s.\n", h.Thread, h.Created.UTC().Format("2006-01-02 15:04 UTC"), code(mask(h.Directory)))
	for _, e := range entries {
		w.entry(e)
	}
	return w.Flush()
}

// writer writes Markdown; its first fault is told by Flush.
type writer struct {
	*bufio.Writer
	mask func(string) string
}

func (w writer) printf(format string, a ...any) { fmt.Fprintf(w, format, a...) }

// entry writes one entry, and nothing of a kind that is wisp's own.
func (w writer) entry(e thread.Entry) {
	text := strings.TrimRight(w.mask(e.Text), "\n")
	switch {
	case e.Kind == thread.Prompt:
		w.printf("\n## Turn %d\n\n%s\n", e.Turn, quoted(text))
		for _, a := range e.Attachments {
			w.printf("\nAttached %s:\n\n%s", code(w.mask(a.Name)), fenced(w.mask(a.Text)))
		}
	case e.Kind == thread.Reply && text != "":
		w.printf("\n%s\n", text)
		if e.Cut {
			w.printf("\n*(cut short)*\n")
		}
	case e.Kind == thread.Reasoning && text != "":
		w.printf("\n<details><summary>Thinking</summary>\n\n%s\n</details>\n", fenced(text))
	case e.Kind == thread.CallKind && e.Call != nil:
		w.printf("\n**%s** %s\n", inline(e.Call.Name), code(w.mask(string(e.Call.Arguments))))
	case e.Kind == thread.OutputKind && e.Output != nil:
		w.output(e.Output, e.Output.Text)
	case e.Kind == thread.CommandKind && e.Command != nil && !e.Command.Running:
		w.command(e)
	case e.Kind == thread.StopKind && e.Stop != nil:
		w.printf("\n*The turn ended: %s*\n", inline(w.mask(e.Stop.Reason)))
	case e.Kind == thread.Notice && text != "", e.Kind == thread.Summary && text != "":
		w.printf("\n*%s: %s*\n", e.Kind, inline(text))
	case e.Kind == thread.ModelKind, e.Kind == thread.Directory:
		w.printf("\n*The %s is now %s*\n", e.Kind, code(text))
	}
}

// command writes a typed command and how it ended.
func (w writer) command(e thread.Entry) {
	c := e.Command
	how := fmt.Sprintf("exit %d", c.ExitStatus)
	switch {
	case c.Decision != "" && c.Decision != "allowed":
		how = "not run: " + c.Rule
	case c.Failure != "":
		how = "not run: " + c.Failure
	case c.Lost:
		how = "wisp was killed while it ran"
	case c.Stopped:
		how += ", stopped"
	}
	w.printf("\nYou ran %s in %s: %s\n", code(w.mask(c.Line)), code(w.mask(c.Directory)), inline(w.mask(how)))
	if e.Output == nil || c.Private {
		return
	}
	text := e.Output.Text
	if text == "" && e.Output.First != e.Output.Last {
		text = e.Output.First + "\n…\n" + e.Output.Last
	} else if text == "" {
		text = e.Output.First
	}
	w.output(e.Output, text)
}

// output writes what was printed, as far as the record has it.
func (w writer) output(o *thread.Output, text string) {
	if text = w.mask(text); strings.TrimSpace(text) != "" {
		w.printf("\n%s", fenced(text))
	}
	if o.ID != "" && o.Bytes > int64(len(text)) {
		w.printf("\n*%d lines, %d bytes in all*\n", o.Lines, o.Bytes)
	}
}

// fenced is a block of code that the text can't end.
func fenced(text string) string {
	fence := strings.Repeat("`", max(3, longest(text)+1))
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// code is a text within a line, as code, that it can't end.
func code(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	ticks := strings.Repeat("`", longest(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || text == "" {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// longest is the longest run of backquotes in a text.
func longest(text string) int {
	most, run := 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		most = max(most, run)
	}
	return most
}

// inline is a text as one line of prose: what Markdown would act upon is escaped.
func inline(text string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if strings.ContainsRune("\\`*_[]<>#|!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// quoted is the person's words, each row behind a mark.
func quoted(text string) string { return "> " + strings.ReplaceAll(text, "\n", "\n> ") }
