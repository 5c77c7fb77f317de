package compose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"wisp/engine/model"
	"wisp/engine/thread"
)

// NextPrompt stands for the prompt that the person hasn't written yet.
const NextPrompt = "(your next prompt stands here)"

// View is a request with the entries that each of its messages is made of: what the context view shows.
type View struct {
	Request model.Request
	// Entries are their numbers, a list for each message; 0 is a prompt that isn't written yet.
	Entries [][]int

	// Mask masks a request as it is sent; nil masks nothing. Markdown gives it what it shows.
	Mask func(model.Request) model.Request

	earlier, now int // bytes of the two blocks
}

// View returns the request that these entries make, as Request does, with where its messages come from.
func (c Composer) View(entries []thread.Entry) View { return c.view(c.build(entries, newest(entries))) }

// Next returns the request that the person's next prompt will make; [NextPrompt] stands where its text will.
func (c Composer) Next(entries []thread.Entry) View {
	turn := 1
	for i := range entries {
		turn = max(turn, entries[i].Turn+1) // as the engine counts: a damaged record's turns may go back
	}
	b := c.build(entries, turn)
	b.prompt(&thread.Entry{Kind: thread.Prompt, Turn: turn, Text: NextPrompt})
	return c.view(b)
}

func (c Composer) view(b builder) View {
	return View{
		Request: model.Request{Instructions: c.Instructions, Messages: b.messages, Tools: slices.Clone(c.Tools), Window: c.Window},
		Entries: b.origins, earlier: b.earlier, now: b.block,
	}
}

// Part is a part of a request, with what it takes.
type Part struct {
	Name   string
	Tokens int
}

// Parts are what a request is made of, those that are there.
func (v View) Parts() []Part {
	outputs, rest := 0, -tokens(v.earlier)-tokens(v.now)
	for _, m := range v.Request.Messages {
		if m.Role == model.Answer {
			outputs += messageTokens(m)
		} else {
			rest += messageTokens(m)
		}
	}
	tools := 0
	for _, t := range v.Request.Tools {
		tools += toolTokens(t)
	}
	all := []Part{
		{"instructions", tokens(len(v.Request.Instructions))}, {"tools", tools}, {"what stands for earlier turns, and permanent facts", tokens(v.earlier)},
		{"prompts, commands, replies and calls", max(rest, 0)}, {"outputs of calls", outputs}, {"the task, and facts of the session", tokens(v.now)},
	}
	return slices.DeleteFunc(all, func(p Part) bool { return p.Tokens == 0 })
}

// Tokens estimates how many tokens the whole request is.
func (v View) Tokens() int {
	sum := tokens(len(v.Request.Instructions))
	for _, t := range v.Request.Tools {
		sum += toolTokens(t)
	}
	for _, m := range v.Request.Messages {
		sum += messageTokens(m)
	}
	return sum
}

// tokens is the estimate that holds everywhere: one for each four bytes.
func tokens(bytes int) int { return (bytes + 3) / 4 }

func toolTokens(t model.Tool) int { return tokens(len(t.Name) + len(t.Description) + len(t.Schema)) }

func messageTokens(m model.Message) int {
	bytes := len(m.Text) + len(m.Call) + len(m.Name)
	for _, c := range m.Calls {
		bytes += len(c.ID) + len(c.Name) + len(c.Arguments) + len(c.Extra)
	}
	return tokens(bytes)
}

// The bounds of what the Markdown shows of a request.
const (
	// mostText is to how many bytes a text is shown whole; of a longer one the middle is left out.
	mostText = 64 << 10
	// leastText is to how many bytes texts are cut, at the least, before messages are left out.
	leastText = 512
)

// Markdown shows the request to a person: the head, then instructions, tools, and each message with its entries, its size,
// and its text in a fence that nothing in it can end. It takes at most bound bytes as a string of JSON. Where the whole is
// longer, the middle of long texts is left out, then the oldest messages are; both are counted in its place.
func (v View) Markdown(head string, bound int) string {
	if v.Mask != nil {
		v.Request.Instructions = v.Mask(model.Request{Instructions: v.Request.Instructions}).Instructions
	}
	all := v.Request.Messages
	text := mostText
	if len(all)*len("\n## 1 · user · 1 token\n") > bound {
		text = leastText // messages must be left out, however short their texts are
	}
	masked := map[int]model.Message{}
	for {
		p := page{bound: bound, text: text}
		p.add(head)
		v.preface(&p)
		rows := v.newest(&p, masked)
		if len(rows) < len(all) && text > leastText {
			text /= 2
			continue
		}
		if left := len(all) - len(rows); left > 0 {
			p.add(unshown(left))
		}
		for _, row := range slices.Backward(rows) {
			p.add(row)
		}
		return p.b.String()
	}
}

// preface puts on a page what stands before the messages.
func (v View) preface(p *page) {
	if text := v.Request.Instructions; text != "" {
		p.heading("Instructions", tokens(len(text)))
		p.fenced("", text)
	}
	if all := v.Request.Tools; len(all) > 0 {
		sum := 0
		rows := "\n| Tool | Tokens |\n| --- | ---: |\n"
		for _, t := range all {
			sum += toolTokens(t)
			rows += fmt.Sprintf("| `%s` | %d |\n", name(t.Name), toolTokens(t))
		}
		p.heading("Tools", sum)
		p.add(rows)
	}
}

// unshown says that messages are missing.
func unshown(n int) string {
	return fmt.Sprintf("\n*… %d messages before these are not shown: the view of an earlier turn shows them …*\n", n)
}

// newest returns as many of the messages as a page has room for, the newest first. What was masked for it is kept.
func (v View) newest(p *page, masked map[int]model.Message) (rows []string) {
	size := p.size
	for i := len(v.Request.Messages) - 1; i >= 0; i-- {
		m, ok := masked[i]
		if !ok {
			if m = v.Request.Messages[i]; v.Mask != nil {
				m = v.Mask(model.Request{Messages: []model.Message{m}}).Messages[0]
			}
			masked[i] = m
		}
		row, note := page{bound: p.bound, text: p.text}, 0
		v.message(&row, i, m)
		if i > 0 {
			note = encoded(unshown(i))
		}
		if size+row.size+note > p.bound {
			break
		}
		size, rows = size+row.size, append(rows, row.b.String())
	}
	return rows
}

// message puts one message on a page.
func (v View) message(p *page, i int, m model.Message) {
	title := fmt.Sprintf("%d · %s", i+1, m.Role)
	if m.Role == model.Answer {
		title += " to " + inlined(m.Call) + " of `" + name(m.Name) + "`"
	}
	p.heading(title, messageTokens(m), entriesText(v.Entries[i]))
	if m.Text != "" {
		p.fenced("", m.Text)
	}
	for _, c := range m.Calls {
		p.add("\nCall " + inlined(c.ID) + " of `" + c.Name + "`:\n")
		p.fenced("json", string(c.Arguments))
	}
}

// entriesText names entries in words, runs of them in short: "entries 3–5, 8".
func entriesText(numbers []int) string {
	var parts []string
	next := ""
	for i := 0; i < len(numbers); {
		n, end := numbers[i], i+1
		for end < len(numbers) && numbers[end] == numbers[end-1]+1 {
			end++
		}
		switch {
		case n == 0:
			next, end = "your next prompt", i+1
		case end-i == 1:
			parts = append(parts, strconv.Itoa(n))
		default:
			parts = append(parts, fmt.Sprintf("%d–%d", n, numbers[end-1]))
		}
		i = end
	}
	text := strings.Join(parts, ", ")
	switch {
	case len(parts) == 0:
		return next
	case len(parts) == 1 && !strings.Contains(text, "–"):
		text = "entry " + text
	default:
		text = "entries " + text
	}
	if next != "" {
		text += " and " + next
	}
	return text
}

// page is Markdown as it is written. What is past its bound is counted and not kept.
type page struct {
	bound int
	text  int // to how many bytes a text is shown whole
	b     strings.Builder
	size  int // as a string of JSON
}

func (p *page) add(text string) {
	p.size += encoded(text)
	if p.size <= p.bound {
		p.b.WriteString(text)
	}
}

// heading heads a part with its size and what else is to be said of it.
func (p *page) heading(title string, tokens int, more ...string) {
	text := fmt.Sprintf("\n## %s · %s", title, counted(int64(tokens), "token", "tokens"))
	for _, m := range more {
		if m != "" {
			text += " · " + m
		}
	}
	p.add(text + "\n")
}

// fenced shows a text as it is, in a fence that is longer than any in it; the middle of a long one is left out.
func (p *page) fenced(language, text string) {
	fence := fenceOf(text, 3)
	block := func(text string) { p.add("\n" + fence + language + "\n" + text + "\n" + fence + "\n") }
	if len(text) <= p.text {
		block(text)
		return
	}
	head, end := cutText(text, p.text/2), len(text)-p.text/2
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	block(head)
	p.add(fmt.Sprintf("\n*… %d bytes are not shown here …*\n", end-len(head)))
	block(text[end:])
}

// cutText returns the first n bytes of a text, or a few less, so that no character is cut.
func cutText(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// fenceOf returns backquotes: at least so many, and more than any run of them in the text.
func fenceOf(text string, least int) string {
	most, run := least-1, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return strings.Repeat("`", most+1)
}

// inlined shows what a model named, such as a call's id, within a line.
func inlined(text string) string {
	const most = 64
	return Code(strings.Join(strings.Fields(clipped(text, most)), " "))
}

// Code returns one line of text as Markdown's inline code, which nothing in it ends.
func Code(text string) string {
	fence := fenceOf(text, 1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// encoded is how many bytes a text takes within a line of the wire, where control characters are escaped.
func encoded(text string) int {
	size := 0
	for _, r := range text {
		switch {
		case r == '\n', r == '\t', r == '\r', r == '"', r == '\\':
			size += 2
		case r < ' ', r >= 0x7f && r <= 0x9f, r == 0x2028, r == 0x2029:
			size += 6
		default:
			size += utf8.RuneLen(r)
		}
	}
	return size
}
