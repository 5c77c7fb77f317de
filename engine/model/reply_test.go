package model

import (
	"errors"
	"strings"
	"testing"
)

// told is a reply to a request that offers shell and read_file, as one line: pieces, then how it ended.
func told(t *testing.T, say func(p *Reply)) string {
	t.Helper()
	var b strings.Builder
	r := Request{Tools: []Tool{{Name: "shell"}, {Name: "read_file"}}}
	p := NewReply(r, "m at http://x", func(piece Piece, err error) bool {
		switch {
		case err != nil:
			b.WriteString("[error " + err.Error() + "]")
		case piece.Call != nil:
			b.WriteString("[call " + piece.Call.Name + string(piece.Call.Arguments) + "]")
		case piece.Reasoning != "":
			b.WriteString("(" + piece.Reasoning + ")")
		case piece.Note != "":
			b.WriteString("[note]")
		case piece.End:
			b.WriteString("[end]")
		default:
			b.WriteString(piece.Text)
		}
		return true
	})
	say(p)
	return b.String()
}

func TestThinkingApart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<think>hm</think>\n\nYes.":       "(hm)Yes.[end]",
		"\n <think>hm</think>Yes.":        "(hm)Yes.[end]",
		"<think>hm":                       "(hm)[end]",
		"Yes <think>no</think>.":          "Yes <think>no.[end]",
		"</think>\n\nYes.":                "Yes.[end]",
		"hm\n</think>\nYes.":              "hm\n\nYes.[end]",
		"The tag `</think>` ends it.":     "The tag `</think>` ends it.[end]",
		"a < b":                           "a < b[end]",
		"<thin ice":                       "<thin ice[end]",
		"ends with </thi":                 "ends with </thi[end]",
		"<think></think>Yes.":             "Yes.[end]",
		"  leading blanks stay":           "  leading blanks stay[end]",
		"<think>a</think>b</think>c":      "(a)bc[end]",
		"<think>a < b </ c</think>\n\n d": "(a < b </ c)d[end]",
	} {
		for _, size := range []int{1, 3, 1000} {
			got := told(t, func(p *Reply) {
				for rest := text; rest != ""; {
					n := min(size, len(rest))
					p.Text(rest[:n])
					rest = rest[n:]
				}
				p.End("")
			})
			got = strings.ReplaceAll(got, ")(", "")
			if got != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, size, got, want)
			}
		}
	}
}

func TestCallsWrittenAsText(t *testing.T) {
	t.Parallel()
	const call = `{"name":"shell","arguments":{"command":"ls"}}`
	const want = `[call shell{"command":"ls"}][end]`
	for text, want := range map[string]string{
		call: want,
		"\n" + `{ "arguments": {"command":"ls"}, "name": "shell" }` + "\n": want,
		"<tool_call>\n" + call + "\n</tool_call>":                          want,
		"<tool_call>" + call: want,
		"<tool_call>" + call + "</tool_call>\n<tool_call>" + call + "</tool_call>": want[:len(want)-5] + want,
		"```json\n" + call + "\n```": want,
		"```\n" + call + "\n```\n":   want,
		"[TOOL_CALLS][" + call + "]": want,
		`[TOOL_CALLS] [{"name":"shell","arguments":{"command":"ls"},"id":"a12345678"}]`: want,
		`[TOOL_CALLS]shell[ARGS]{"command":"ls"}`:                                       want,
		"<|python_tag|>" + call:                                                         want,
		`<|python_tag|>{"name":"shell","parameters":{"command":"ls"}}<|eom_id|>`:        want,
		`{"name":"shell","arguments":"{\"command\":\"ls\"}"}`:                           want,
		"<think>so</think>" + call:                                                      "(so)" + want,
		"I run it: " + call:                                                             "I run it: " + call + "[end]",
		call + " is what I would run":                                                   call + " is what I would run[end]",
		`{"name":"rm_all","arguments":{}}`:                                              `{"name":"rm_all","arguments":{}}[end]`,
		`{"name":"shell","arguments":{},"note":"x"}`:                                    `{"name":"shell","arguments":{},"note":"x"}[end]`,
		`{"name":"shell"}`:                                                              `{"name":"shell"}[end]`,
		"```go\nfunc main() {}\n```":                                                    "```go\nfunc main() {}\n```[end]",
		"```json\n" + call + "\n```\nDone.":                                             "```json\n" + call + "\n```\nDone.[end]",
		"<tool_call>nonsense</tool_call>":                                               "<tool_call>nonsense</tool_call>[end]",
		`{"name":"shell","name":"shell","arguments":{}}`:                                `{"name":"shell","name":"shell","arguments":{}}[end]`,
	} {
		for _, size := range []int{1, 1000} {
			got := told(t, func(p *Reply) {
				for rest := text; rest != ""; {
					n := min(size, len(rest))
					p.Text(rest[:n])
					rest = rest[n:]
				}
				p.End("")
			})
			if got = strings.ReplaceAll(got, ")(", ""); got != want {
				t.Errorf("%q in pieces of %d:\n%q, want\n%q", text, size, got, want)
			}
		}
	}
}

func TestTextIsHeldNoLongerThanNeeded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"title"`, "```go\n", "```json\n[", `{"name":"wisp"`, "[1", "<b>", "Hello", "<|x", "``x"} {
		p := NewReply(Request{Tools: []Tool{{Name: "shell"}}}, "", nil)
		shown := ""
		p.yield = func(piece Piece, _ error) bool { shown += piece.Text; return true }
		p.Text(text)
		if shown != text {
			t.Errorf("%q is held back: %q", text, shown)
		}
	}
}

func TestTheSameCallTwiceIsOne(t *testing.T) {
	t.Parallel()
	got := told(t, func(p *Reply) {
		p.Text(`<tool_call>{"name":"shell","arguments":{"command": "ls"}}</tool_call>`)
		p.Parts(Part{ID: "a", Name: "shell", Arguments: []byte(`"{\"command\":\"ls\"}"`)})
		p.End("")
	})
	if got != `[call shell{"command":"ls"}][end]` {
		t.Error(got)
	}
}

func TestReplyEnds(t *testing.T) {
	t.Parallel()
	nothing := told(t, func(p *Reply) { p.Text(" \n"); p.End("") })
	if !strings.Contains(nothing, "[error m at http://x answered with nothing") {
		t.Error(nothing)
	}
	cut := told(t, func(p *Reply) {
		p.Text("some words")
		p.Parts(Part{Name: "shell"})
		p.Fail(errors.New("lost"))
		p.Text("more")
		p.End("")
	})
	if cut != "some words[error lost]" {
		t.Error(cut)
	}
	held := told(t, func(p *Reply) { p.Text(`{"name":"sh`); p.Fail(errors.New("lost")) })
	if held != `{"name":"sh[error lost]` {
		t.Error(held)
	}
	if limit := told(t, func(p *Reply) { p.Text("a"); p.Limit(); p.End("") }); limit != "a[note][end]" {
		t.Error(limit)
	}
	if thinking := told(t, func(p *Reply) { p.Reasoning("hm"); p.End("") }); thinking != "(hm)[end]" {
		t.Error(thinking)
	}
}

func TestNoteAboutACutPrompt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bytes, input int
		noted        bool
	}{{60_000, 2051, true}, {60_000, 12_000, false}, {60_000, 0, false}, {15_000, 100, false}} {
		noted := false
		p := NewReply(Request{Instructions: strings.Repeat("x", c.bytes)}, "m", func(piece Piece, _ error) bool {
			noted = noted || strings.Contains(piece.Note, "context size") && strings.Contains(piece.Note, "HINT")
			return true
		})
		p.Text("hi")
		p.Usage(Usage{Input: c.input})
		p.End("HINT")
		if noted != c.noted {
			t.Errorf("%d bytes, %d tokens read: noted %v", c.bytes, c.input, noted)
		}
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	n := 0
	p := NewReply(Request{}, "m", func(Piece, error) bool { n++; return false })
	if p.Text("a") || p.Text("b") || p.Note("c") {
		t.Error("goes on")
	}
	p.Fail(errors.New("x"))
	p.End("")
	if n != 1 {
		t.Errorf("yielded %d times", n)
	}
}

func FuzzReply(f *testing.F) {
	f.Add("<think>a</think>```json\n{\"name\":\"shell\",\"arguments\":{}}\n```", 3)
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = max(1, size)
		var all, text2 string
		collect := func(into *string) *Reply {
			return NewReply(Request{Tools: []Tool{{Name: "shell"}}}, "m", func(p Piece, _ error) bool {
				*into += p.Text + p.Reasoning
				return true
			})
		}
		whole := collect(&all)
		whole.Text(text)
		whole.End("")
		cut := collect(&text2)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			cut.Text(rest[:n])
			rest = rest[n:]
		}
		cut.End("")
		if all != text2 {
			t.Errorf("whole %q, in pieces %q", all, text2)
		}
	})
}
