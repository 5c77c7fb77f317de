package compose

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"wisp/engine/model"
	"wisp/engine/thread"
)

func TestViewNamesItsEntries(t *testing.T) {
	t.Parallel()
	entries := numbered([]thread.Entry{
		command(0, "true", ""), prompt(1, "hi"), {Kind: thread.Reasoning, Turn: 1, Step: 1, Text: "hm"}, reply(1, 1, "looking"), call(1, 1, "a"),
		output(1, 1, "a", "A"), call(1, 1, "b"), output(1, 1, "b", "B"), reply(1, 2, " "), stop(1), directory("/new"),
	})
	v := Composer{}.Next(entries)
	want := [][]int{{1, 2}, {4, 5, 7}, {6}, {8}, {10, 11, 0}}
	if !reflect.DeepEqual(v.Entries, want) {
		t.Errorf("got %v, want %v of\n%s", v.Entries, want, shown(v.Request.Messages))
	}
	for numbers, want := range map[string]string{
		"1": "entry 1", "1,2": "entries 1–2", "4,5,7": "entries 4–5, 7", "10,11,0": "entries 10–11 and your next prompt",
		"0": "your next prompt", "": "", "3,0": "entry 3 and your next prompt",
	} {
		var list []int
		for n := range strings.SplitSeq(numbers, ",") {
			if i, err := strconv.Atoi(n); err == nil {
				list = append(list, i)
			}
		}
		if got := entriesText(list); got != want {
			t.Errorf("%s: %q, want %q", numbers, got, want)
		}
	}
}

// The view is the request: of any record it has the same messages, an origin for each but what a damaged record has lost, and what
// comes next is what a prompt of the person's then makes.
func TestViewIsTheRequest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := numbered(rapid.SliceOf(rapid.Custom(anyEntry)).Draw(t, "entries"))
		v := Composer{}.View(entries)
		if len(v.Entries) != len(v.Request.Messages) {
			t.Fatalf("%d origins of %d messages", len(v.Entries), len(v.Request.Messages))
		}
		for i, numbers := range v.Entries {
			if len(numbers) == 0 && !strings.Contains(v.Request.Messages[i].Text, missingStart) {
				t.Fatalf("message %d has no origin:\n%s", i, shown(v.Request.Messages))
			}
		}
		newest := 0
		for _, e := range entries {
			newest = max(newest, e.Turn)
		}
		next := Composer{}.Next(entries).Request
		sent := Composer{}.Request(append(slices.Clone(entries), prompt(newest+1, NextPrompt)))
		if !reflect.DeepEqual(next, sent) {
			t.Fatalf("the view shows\n%s\nand this is sent\n%s", shown(next.Messages), shown(sent.Messages))
		}
	})
}

// fences returns the texts of a view's fences, as a Markdown reader finds them.
func fences(text string) []string {
	var all []string
	open, from := "", 0
	at := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n")
		switch {
		case open == "" && strings.HasPrefix(bare, "```"):
			open, from = strings.Trim(bare, "abcdefghijklmnopqrstuvwxyz"), at+len(line)
		case open != "" && strings.Trim(bare, "`") == "" && len(bare) >= len(open):
			all = append(all, strings.TrimSuffix(text[from:at], "\n"))
			open = ""
		}
		at += len(line)
	}
	return all
}

func TestMarkdownHoldsAnyText(t *testing.T) {
	t.Parallel()
	texts := []string{"plain", "```\n# no heading\n```", "`````", "ends with\n", "|a|b|", "~~~\n<b>", strings.Repeat("`", 40), "a\r```\rb"}
	var entries []thread.Entry
	for i, text := range texts {
		entries = append(entries, prompt(i+1, text), reply(i+1, 1, "ok"))
	}
	v := Composer{Instructions: "Be ``` kind."}.View(numbered(entries))
	md := v.Markdown("# Head\n", 1<<20)
	want := []string{"Be ``` kind."}
	for _, m := range v.Request.Messages {
		want = append(want, m.Text)
	}
	if got := fences(md); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	c := Composer{Instructions: "Be kind.", Tools: []model.Tool{{Name: "shell", Description: "runs", Schema: json.RawMessage(`{}`)}}}
	v := c.View(numbered([]thread.Entry{prompt(1, "hi"), reply(1, 1, "looking"), call(1, 1, "a`b"), output(1, 1, "a`b", "A")}))
	const want = "# Head\n\n## Instructions · 2 tokens\n\n```\nBe kind.\n```\n\n## Tools · 3 tokens\n\n| Tool | Tokens |\n| --- | ---: |\n| `shell` | 3 |\n" +
		"\n## 1 · user · 1 token · entry 1\n\n```\nhi\n```\n\n## 2 · assistant · 8 tokens · entries 2–3\n\n```\nlooking\n```\n\nCall ``a`b`` of `shell`:\n\n" +
		"```json\n{\"command\":\"ls\"}\n```\n\n## 3 · answer to ``a`b`` of `shell` · 3 tokens · entry 4\n\n```\nA\n```\n"
	if got := v.Markdown("# Head\n", 1<<20); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if v.Tokens() != 2+3+1+8+3 {
		t.Error(v.Tokens())
	}
}

// Whatever a request holds, its Markdown has the bound, says what it leaves out, and has the newest message.
func TestMarkdownIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é\x1b", 80<<10)
	one := Composer{}.View(numbered([]thread.Entry{prompt(1, long)})).Markdown("", 1<<20)
	parts := fences(one)
	left := regexp.MustCompile(`\*… (\d+) bytes are not shown here …\*`).FindStringSubmatch(one)
	if len(parts) != 2 || left == nil || !strings.HasPrefix(long, parts[0]) || !strings.HasSuffix(long, parts[1]) {
		t.Fatalf("%d parts, %v", len(parts), left)
	}
	if n, _ := strconv.Atoi(left[1]); n+len(parts[0])+len(parts[1]) != len(long) || len(parts[0])+len(parts[1]) < mostText-8 {
		t.Errorf("%d bytes left out of %d: %d and %d are shown", n, len(long), len(parts[0]), len(parts[1]))
	}
	var many []thread.Entry
	for turn := range 3000 {
		many = append(many, prompt(turn+1, "prompt"), reply(turn+1, 1, strings.Repeat("x\n", 400)))
	}
	many = append(many, prompt(3001, "the newest"))
	for _, bound := range []int{200, 5000, 64 << 10, 1 << 20, 8 << 20} {
		md := Composer{Instructions: strings.Repeat("i", 40)}.View(numbered(many)).Markdown("# Head\n", bound)
		onWire, err := json.Marshal(md)
		if err != nil || len(onWire) > bound+2 {
			t.Errorf("bound %d: %d bytes, %v", bound, len(onWire), err)
		}
		if bound > 1000 && !strings.Contains(md, "the newest") || bound < 1<<20 && !strings.Contains(md, "messages before these are not shown") {
			t.Errorf("bound %d: %.300s", bound, md)
		}
	}
}

func BenchmarkMarkdown(b *testing.B) {
	var entries []thread.Entry
	for turn := range 2000 {
		entries = append(entries, prompt(turn, "hi"), call(turn, 1, "a"), output(turn, 1, "a", strings.Repeat("out <b>\n", 50)), reply(turn, 2, "done"))
	}
	v := Composer{}.View(numbered(entries))
	for b.Loop() {
		v.Markdown("# Head\n", 1<<20)
	}
}

// What is masked is so before a long text is cut, or its middle would be a part of a secret.
func TestMarkdownMasksBeforeItCuts(t *testing.T) {
	t.Parallel()
	const secret = "hunter2hunter2"
	text := strings.Repeat("x", mostText/2-len(secret)/2) + secret + strings.Repeat("y", mostText)
	v := Composer{Instructions: "by " + secret}.View(numbered([]thread.Entry{prompt(1, text)}))
	v.Mask = func(r model.Request) model.Request {
		r.Instructions = strings.ReplaceAll(r.Instructions, secret, "[masked]")
		r.Messages = slices.Clone(r.Messages)
		for i := range r.Messages {
			r.Messages[i].Text = strings.ReplaceAll(r.Messages[i].Text, secret, "[masked]")
		}
		return r
	}
	if md := v.Markdown("# Head\n", 1<<20); strings.Contains(md, "hunter") || !strings.Contains(md, "by [masked]") || !strings.Contains(md, "bytes are not shown") {
		t.Errorf("%d bytes: %.300s", len(md), md)
	}
}
