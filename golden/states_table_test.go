package golden

import (
	"fmt"
	"os"
	"strings"

	"wisp/golden/terminal"
	"wisp/protocol"
	"wisp/tui"
)

// states are those of tui.md's tables, and what else a person meets.
func states() []state {
	return append(append(boxStates(), talkStates()...), overStates()...)
}

// boxStates are the input box's.
func boxStates() []state {
	typing := func(text string) func(*scene) {
		return func(p *scene) {
			p.begin()
			p.settle()
			p.write(text)
		}
	}
	return []state{
		{name: "empty", about: "A start: the box is empty and says what can be typed.", small: true,
			act: func(p *scene) { p.begin(); p.settle() }, seen: func(s terminal.Screen) bool { return settled(s) && open(s) }},
		{name: "typed", about: "A prompt is typed.", act: typing("explain main.go"), seen: has("main.go"), small: true},
		{name: "rows", about: "A prompt of eight rows: six are seen, and that there is more.",
			act: func(p *scene) {
				typing("one")(p)
				for _, word := range strings.Fields("two three four five six seven eight") {
					p.Key("alt+enter")
					p.Type(word)
				}
			}, seen: has("eight")},
		{name: "wide", about: "CJK, emoji and combining marks, wider than a row of the narrow screen.",
			act: typing("你好，世界 👩‍👩‍👧 e\u0301 한국어 日本語 ありがとう end"), seen: has("end")},
		{name: "command", about: "A command is typed: the mark has taken its place, and the colour.",
			act: typing("!git status -s"), seen: has("-s"), small: true},
		{name: "outside", about: "A command outside the sandbox is typed.", act: typing("!!make install"), seen: has("install"), small: true},
		{name: "pasted", about: "A paste of more than 10 000 characters is folded to a marker.",
			act: func(p *scene) {
				typing("why? ")(p)
				p.Paste(strings.Repeat("all work and no play\n", 600))
			}, seen: has("[paste 1")},
		{name: "held", about: "Something runs, and three keys are held.", small: true,
			act: func(p *scene) {
				p.begin()
				p.prompt("test it")
				p.say(called("a", "shell", "shell go test ./..."), running("go test ./...", 42))
				p.settle()
				p.Type("and")
			}, seen: has("3 keys held")},
		{name: "queue", about: "With the box left open while something runs: two prompts wait, and a third is typed.",
			change: func(c *tui.Config) { c.Queue = true },
			act: func(p *scene) {
				p.begin()
				p.prompt("test it")
				p.say(called("a", "shell", "shell go test ./..."), running("go test ./...", 3))
				p.say(protocol.Queue{Pending: []protocol.Pending{
					{ID: "q1", Kind: "prompt", Text: "then commit"}, {ID: "q2", Kind: "prompt", Text: "and push it to the branch that we talked about"},
				}})
				p.settle()
				p.Type("and thank you")
			}, seen: has("thank you")},
		{name: "background", about: "Two commands go on in the background: the end of what they print stands over the box, and so do the results that wait for the next message.",
			act: func(p *scene) {
				p.begin()
				p.prompt("start both")
				p.say(background("a", "t1", "npm run dev")...)
				p.say(printed("a", "ready in 300 ms\nlistening on :3000\n"))
				p.Wait("the first", has("listening")) // each height of the band is drawn, so that the rows above have moved as far
				p.say(background("b", "t2", "go test ./... -count=20")...)
				p.say(printed("b", "ok  \twords/count\t0.4s\nok  \twords/split\t0.2s\n"))
				p.Wait("the second", has("words/split"))
				p.say(turned(3)...)
				p.say(protocol.Queue{Held: true, Pending: []protocol.Pending{
					{ID: "q1", Kind: "notice", Text: "t3 make: exit 2"}, {ID: "q2", Kind: "notice", Text: "t4 make docs: exit 0"},
				}})
				p.settle()
			}, seen: has("2 background resul")},
		{name: "background_ended", about: "A command in the background has ended: its card, and the turn that this began.",
			act: func(p *scene) {
				p.begin()
				p.prompt("start it")
				p.say(background("a", "t1", "make all")...)
				p.say(printed("a", "cc -c a.c\n"))
				p.say(turned(3)...)
				e := event("process.end", "a", "↳ t1 make all: exit 2 · 42 s", map[string]any{"task": "t1", "command": "make all", "exitStatus": 2, "origin": "model"})
				e.Output = stored("cc -c a.c\na.c:3: error: expected ';'\n")
				p.say(e, protocol.Turn{Phase: "start", Turn: 2, Origin: "notice"}, event("process.notice", "", "the model is told: t1 make all: exit 2", nil),
					protocol.Delta{Turn: 2, Text: "A semicolon is missing."})
				p.say(turned(1)...)
				p.settle()
			}, seen: has("semicolon")},
		{name: "menu", about: "Tab has asked for completions, and there are several.",
			act: func(p *scene) {
				typing("/co")(p)
				p.Key("tab")
				c := hear[protocol.Complete](p.talker)
				p.say(protocol.Completions{Request: c.ID.ID, Candidates: []string{"/compact", "/context", "/continue"}})
			}, seen: has("/continue")},
		{name: "search", about: "Ctrl-R searches the history; what was found is a command, in its colour.", small: true,
			change: func(c *tui.Config) {
				os.WriteFile(c.History, []byte(`"! git log --oneline"`+"\n"+`"explain this"`+"\n"), 0o600)
			},
			act: func(p *scene) {
				p.begin()
				p.settle()
				p.Key("ctrl+r")
				p.Type("log")
			}, seen: has("search: log")},
	}
}

// table is a reply's Markdown that ends within a table, and reply one that has ended.
const (
	table = "The counts:\n\n| File | Words |\n| --- | ---: |\n| `a.txt` | 12 |\n| `日本.txt` | 1034 |\n| `long` | 9"
	reply = "# What it does\n\nIt **counts** the `words` in *files*, as [the docs](https://example.org/wc) say:\n\n" +
		"1. it reads,\n2. it counts\n   - lines\n   - words\n\n```go\nfunc main() {\n\tfmt.Println(count(os.Args)) // all of them\n}\n```\n\n> It is ~~slow~~ fast."
	change = `diff --git a/words.go b/words.go
--- a/words.go
+++ b/words.go
@@ -1,4 +1,4 @@ package words
 func Count(s string) int {
-	return len(strings.Split(s, " "))
+	return len(strings.Fields(s))
 }
`
)

// talkStates are the conversation's.
func talkStates() []state {
	return []state{
		{name: "call", about: "A call's command runs: its head, and the newest five lines that it has printed.", small: true,
			act: func(p *scene) {
				p.begin()
				p.prompt("test it")
				p.say(called("a", "shell", "shell go test ./..."), running("go test ./...", 3))
				for i := range 8 {
					p.say(printed("a", fmt.Sprintf("ok  \twords/part%d\t0.0%ds\n", i, i)))
				}
				p.settle()
			}},
		{name: "running", about: "A typed command runs: 20 lines are shown as they came, the newest below.",
			act: func(p *scene) {
				p.begin()
				request := p.command("! make", 12)
				var lines strings.Builder
				for i := range 30 {
					fmt.Fprintf(&lines, "cc -c part%d.c\n", i)
				}
				o := printed("c1", lines.String())
				o.Request = request
				p.say(o)
				p.settle()
			}},
		{name: "diff", about: "A typed command has printed a diff.",
			act: func(p *scene) {
				p.begin()
				request := p.command("! git diff", 0)
				p.say(ran(request, "git diff", "↳ exit 0", change, 0, 0.02)...)
				p.settle()
			}},
		{name: "failed", about: "A call's command has failed, after more lines than are shown: the last are.",
			act: func(p *scene) {
				p.begin()
				p.prompt("test it")
				p.say(called("a", "shell", "shell go test ./..."), running("go test ./...", 3))
				var lines strings.Builder
				for i := range 40 {
					fmt.Fprintf(&lines, "=== RUN Test%d\n", i)
				}
				out := stored(lines.String() + "FAIL\twords\t0.1s\n")
				outcome := event("command.outcome", "a", "↳ exit 1", map[string]any{"exitStatus": 1, "seconds": 2.5})
				outcome.Output = out
				p.say(outcome, event("tool.result", "a", "", map[string]any{"tool": "shell", "failed": true}),
					doing("waiting for the model", "model", 0, ""))
				p.settle()
			}},
		{name: "table", about: "A reply is being written, and stands within a table.", small: true,
			act: func(p *scene) {
				p.begin()
				p.prompt("count")
				p.say(protocol.Delta{Turn: 1, Text: table})
				p.settle()
			}},
		{name: "reply", about: "A reply has ended: headings, a list, code, a quote, a link; at the right what the turn took.",
			act: func(p *scene) {
				p.begin()
				p.prompt("what does it do?")
				p.say(protocol.Delta{Turn: 1, Text: reply})
				p.say(turned(3.2)...)
				p.settle()
			}},
		{name: "thinking", about: "The model thinks.",
			act: func(p *scene) {
				p.begin()
				request := p.prompt("think hard")
				p.say(doing("thinking", "thinking", 7, request), protocol.Reasoning{Turn: 1, Text: "They want the words counted.\nSo I must split at blanks, not at each one"})
				p.settle()
			}},
		{name: "notes", about: "What wisp says of itself: an error, a warning, a note.",
			act: func(p *scene) {
				p.begin()
				p.say(protocol.Note{Level: "error", Text: "the model's server answered 500: out of memory"},
					protocol.Note{Level: "warning", Text: "the window is nearly full: /compact makes room"},
					protocol.Note{Level: "info", Text: "the request is tried again in 2 s"})
				p.settle()
			}},
		{name: "stopping", about: "Ctrl-C was pressed once: what runs is being stopped.",
			act: func(p *scene) {
				p.begin()
				request := p.command("! sleep 100", 4)
				p.Key("ctrl+c")
				hear[protocol.Interrupt](p.talker)
				a := doing("running sleep 100", "command", 4, request)
				a.Stopping, a.Command = true, new("sleep 100")
				p.say(a)
				p.settle()
			}},
		{name: "stopped", about: "A turn was stopped: what had come stays.",
			act: func(p *scene) {
				p.begin()
				p.prompt("tell me")
				p.say(protocol.Delta{Turn: 1, Text: "Once upon a ti"})
				p.Key("ctrl+c")
				hear[protocol.Interrupt](p.talker)
				p.say(doing("stopping the turn", "model", 2, ""), protocol.Turn{Phase: "end", Turn: 1, Origin: "person", Outcome: "stopped", Reason: "stopped by you"}, protocol.Activity{})
				p.settle()
			}},
		{name: "full", about: "More than 80 % of the window are used.",
			act: func(p *scene) {
				p.begin()
				s := status(sceneModel)
				s.ContextUsed = new(27500)
				p.say(s)
			}},
		{name: "resumed", about: "A conversation goes on: what was said and run before is drawn again.",
			act: func(p *scene) {
				hear[protocol.Hello](p.talker)
				p.say(protocol.Ready{Version: "0.1.0", Thread: "words-1", Resumed: true, Directory: "/home/ada/words", Sandbox: "landlock"},
					protocol.Entry{Number: 1, Kind: "command", Text: "! ls\n↳ exit 0", Output: stored("a.txt\nb.txt\n")},
					protocol.Entry{Number: 2, Turn: 1, Kind: "prompt", Text: "what is in them?"},
					protocol.Entry{Number: 3, Turn: 1, Kind: "call", Text: "read_file a.txt"},
					protocol.Entry{Number: 4, Turn: 1, Kind: "output", Text: "↳ 1 line", Output: stored("     1\thello\n")},
					protocol.Entry{Number: 5, Turn: 1, Kind: "reply", Text: "A **greeting**."})
				p.settle()
			}},
	}
}
