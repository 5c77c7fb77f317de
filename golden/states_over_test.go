package golden

import (
	"strings"

	"wisp/golden/terminal"
	"wisp/protocol"
	"wisp/tui"
)

// asked is an approval as an engine asks for it.
var asked = protocol.Approval{
	Approval: "a1", Command: "git push origin main", Line: "git commit -am 'count words' && git push origin main",
	Segments: []string{"git commit -am 'count words'", "git push origin main"}, Pattern: "git push *", Directory: "/home/ada/words",
	Level: "high", Reasons: []string{"it changes what others have", "it uses the network"}, Title: "Run command",
}

// overStates are those with something in the box's place, or over all of the screen, and the ends.
func overStates() []state {
	return []state{
		{name: "approval", about: "An approval waits: nothing of it is cut.", small: true,
			act: func(p *scene) {
				p.begin()
				p.prompt("push it")
				p.say(called("a", "shell", "shell "+asked.Line))
				p.settle()
				a := doing("waiting for your approval", "approval", 0, "")
				a.Asking = true
				p.say(a, asked)
			}, seen: asking},
		{name: "choice", about: "A slash command asks: the option that holds now is marked.", small: true,
			act: func(p *scene) {
				p.begin()
				p.line("/model")
				p.settle()
				p.say(protocol.Choice{Choice: "m1", Title: "Which model?", Current: "ollama:qwen3", AcceptsText: true, Options: []protocol.Option{
					{Value: "ollama:qwen3:1.7b", Label: "ollama:qwen3:1.7b", Detail: "32768 tokens, tools"},
					{Value: "ollama:qwen3", Label: "ollama:qwen3", Detail: "32768 tokens, tools"},
					{Value: "openai:gpt-5", Label: "openai:gpt-5", Detail: "400000 tokens, tools"},
				}})
			}, seen: asking},
		{name: "typed_choice", about: "A choice is narrowed by what is typed, which would be an answer itself.",
			act: func(p *scene) {
				p.begin()
				p.line("/model")
				p.settle()
				p.say(protocol.Choice{Choice: "m1", Title: "Which model?", Current: "ollama:qwen3", AcceptsText: true, Options: []protocol.Option{
					{Value: "ollama:qwen3", Label: "ollama:qwen3", Detail: "32768 tokens, tools"}, {Value: "openai:gpt-5", Label: "openai:gpt-5"},
				}})
				p.Wait("the choice", asking)
				p.Type("gpt")
			}, seen: has(": gpt")},
		{name: "card", about: "Ctrl-O has opened the newest card: its output, whole, by the page.", small: true,
			act: func(p *scene) {
				p.begin()
				p.prompt("list it")
				p.say(called("a", "shell", "shell seq 1 9"), answered("a", "shell", "↳ exit 0", told(strings.Fields("1 2 3 4 5 6 7 8 9")...), 0.4))
				p.say(turned(1)...)
				p.settle()
				p.Key("ctrl+o")
				s := hear[protocol.Show](p.talker)
				p.say(protocol.Shown{Request: s.ID.ID, Output: "3f9a1c20", Text: told(strings.Fields("one two three four five six seven eight nine")...), Lines: 9})
			}, seen: withPanel("one")},
		{name: "keys", about: "The keys, which `?` opens in an empty box.", small: true,
			act: func(p *scene) {
				p.begin()
				p.settle()
				p.Type("?")
			}, seen: withPanel("Sending")},
		{name: "context", about: "The context of the next request, which Ctrl-T opens.",
			act: func(p *scene) {
				p.begin()
				p.settle()
				p.Key("ctrl+t")
				request := hear[protocol.Line](p.talker).ID.ID
				p.say(protocol.View{Kind: "context", Turns: 2, Request: request, Text: "# Context of the next request\n\nAbout 1177 tokens.\n\n" +
					"## Tools · 884 tokens\n\n| Tool | Tokens |\n| --- | ---: |\n| `shell` | 256 |\n| `read_file` | 179 |\n\n## 1 · user · 37 tokens\n\n```\nlook around\n```\n"})
			}, seen: withPanel("884")},
		{name: "leaving", about: "The face has been asked to leave, and waits for the engine's end.",
			act: func(p *scene) {
				p.begin()
				p.settle()
				p.end()
			}, seen: has("ending")},
		{name: "left", about: "The face has left: the conversation stays, and how to go on with it.",
			act: func(p *scene) {
				p.begin()
				p.prompt("hello")
				p.say(protocol.Delta{Turn: 1, Text: "Hello."})
				p.say(turned(1)...)
				p.settle()
				p.mayEnd()
				p.Key("ctrl+d")
			}, seen: left},
		{name: "died", about: "The engine has died with a prompt half typed: how it ended, its last words, and that the draft is kept.", small: true,
			change: func(c *tui.Config) {
				c.Engine.End = func() tui.Death {
					return tui.Death{How: "exit status 2", Words: []string{"panic: runtime error: index out of range", "goroutine 1 [running]:"}}
				}
			},
			act: func(p *scene) {
				p.begin()
				p.settle()
				p.write("half a thought")
				p.Wait("the text", func(s terminal.Screen) bool { return s.Contains("thought") })
				p.conn.Close()
			}, seen: left},
	}
}
