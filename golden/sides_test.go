package golden

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"wisp/engine/model"
	"wisp/protocol"
)

// normals are what differs from run to run, and what stands for it.
var normals = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`"seq":\d+,`), ``},
	{regexp.MustCompile(`"(time|began)":"[^"]*"`), `"$1":"T"`},
	{regexp.MustCompile(`"(elapsedSeconds|seconds|firstSeconds)":[0-9.e-]+`), `"$1":0`},
	{regexp.MustCompile(`"previous":"[0-9a-f]*"`), `"previous":"P"`},
	{regexp.MustCompile(`"pid":\d+`), `"pid":0`},
	{regexp.MustCompile(`\b01[0-9A-HJKMNP-TV-Z]{24}\b`), `ID`},
	{regexp.MustCompile(`"id":"[0-9a-f]{8}"`), `"id":"OUT"`},
	{regexp.MustCompile(`"output":"[0-9a-f]{8}"`), `"output":"OUT"`},
	{regexp.MustCompile(`/show [0-9a-f]{8}`), `/show OUT`},
	{regexp.MustCompile(`\b\d+(\.\d+)? s\b`), `N s`},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`), `TIME`},
}

// normal takes out of a text what differs from run to run.
func (w *stage) normal(text string) string {
	text = strings.ReplaceAll(text, w.work, "$WORK")
	text = strings.ReplaceAll(text, w.home, "$HOME")
	for _, n := range normals {
		text = n.what.ReplaceAllString(text, n.with)
	}
	return text
}

// outSide is every line out: numbered without gaps, which is checked here; live pieces of one stream are joined, and equal status
// lines in a row are one, since how they fall is the machine's matter.
func (w *stage) outSide() string {
	var b strings.Builder
	last := ""
	seq := 0.0
	for _, line := range w.joined() {
		var l map[string]any
		must(w.t, json.Unmarshal([]byte(line), &l), "a line out")
		switch n := l["seq"].(float64); {
		case l["type"] == "ready":
			seq = n
		case n <= seq:
			w.t.Errorf("seq %v comes after %v: %s", n, seq, line)
		default:
			seq = n
		}
		line = w.normal(strings.TrimSuffix(line, "\n"))
		if l["type"] == "status" && line == last {
			continue
		}
		last = line
		b.WriteString(line + "\n")
	}
	return b.String()
}

// joined are the lines out with the pieces of one stream joined.
func (w *stage) joined() []string {
	var lines []string
	var open map[string]any
	flush := func() {
		if open != nil {
			lines = append(lines, string(protocol.AppendOut(nil, int64(open["seq"].(float64)), live(open))))
			open = nil
		}
	}
	for _, line := range w.out {
		var l map[string]any
		must(w.t, json.Unmarshal([]byte(line), &l), "a line out")
		piece := l["type"] == "output" || l["type"] == "delta" || l["type"] == "reasoning" && l["phase"] == nil
		switch {
		case piece && open != nil && open["type"] == l["type"] && open["of"] == l["of"] && open["stream"] == l["stream"]:
			open["text"] = open["text"].(string) + l["text"].(string)
		case piece:
			flush()
			open = l
		default:
			flush()
			lines = append(lines, line)
		}
	}
	flush()
	return lines
}

// live is a piece as a message again.
func live(l map[string]any) protocol.Out {
	text := l["text"].(string)
	turn, _ := l["turn"].(float64)
	switch l["type"] {
	case "delta":
		return protocol.Delta{Turn: int(turn), Text: text}
	case "reasoning":
		return protocol.Reasoning{Turn: int(turn), Text: text}
	}
	request, _ := l["request"].(string)
	return protocol.Output{Of: l["of"].(string), Stream: l["stream"].(string), Text: text, Request: request}
}

// recordSide is the record of the story's thread, without its first line.
func (w *stage) recordSide() string {
	paths, err := filepath.Glob(filepath.Join(w.home, "threads", "*", "record.jsonl"))
	must(w.t, err, "record")
	var b strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(w.t, err, "record")
		_, entries, _ := strings.Cut(string(text), "\n")
		for line := range strings.Lines(entries) {
			if !strings.Contains(line, `"running":true`) { // a trace that a slow machine leaves of a command that takes long
				b.WriteString(line)
			}
		}
	}
	events := regexp.MustCompile(`"events":\[[^\]]*\],`)
	return w.normal(events.ReplaceAllString(b.String(), ""))
}

// auditSide is the audit, without what is the same in every line.
func (w *stage) auditSide() string {
	text, err := os.ReadFile(filepath.Join(w.home, "audit.jsonl"))
	must(w.t, err, "audit")
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		var e struct {
			Kind    string          `json:"kind"`
			Turn    int             `json:"turn"`
			Call    string          `json:"call"`
			Details json.RawMessage `json:"details"`
		}
		must(w.t, json.Unmarshal([]byte(line), &e), "audit")
		fmt.Fprintf(&b, "%s turn=%d call=%s %s\n", e.Kind, e.Turn, e.Call, e.Details)
	}
	return w.normal(b.String())
}

// requestSide is the last request that the model was sent, as roles and texts.
func (w *stage) requestSide() string {
	if len(w.requests) == 0 {
		return "(no request)\n"
	}
	var b strings.Builder
	for _, m := range w.requests[len(w.requests)-1].Messages {
		fmt.Fprintf(&b, "%s:", m.Role)
		if m.Call != "" {
			fmt.Fprintf(&b, " (answers %s)", m.Call)
		}
		b.WriteString("\n")
		for line := range strings.Lines(strings.TrimRight(m.Text, "\n")) {
			b.WriteString("  " + strings.TrimRight(line, "\n") + "\n")
		}
		for _, c := range m.Calls {
			fmt.Fprintf(&b, "  call %s %s %s\n", c.ID, c.Name, c.Arguments)
		}
	}
	return w.normal(b.String())
}

// seeing keeps the requests that a model is sent.
func (w *stage) seeing(client model.Client) model.Client { return seen{client, w} }

type seen struct {
	model.Client
	stage *stage
}

// Describe says the window that the story gives its model.
func (s seen) Describe(context.Context) (model.Info, error) {
	window, _ := strconv.Atoi(s.stage.story.config["window"])
	return model.Info{Window: window, Tools: true}, nil
}

func (s seen) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Piece, error] {
	s.stage.mu.Lock()
	s.stage.requests = append(s.stage.requests, r)
	s.stage.wake.Broadcast()
	s.stage.mu.Unlock()
	return s.Client.Stream(ctx, r)
}
