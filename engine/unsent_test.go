package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/protocol"
	"wisp/tools"
)

// issueTool is a tool of a server outside.
type issueTool struct{}

func (issueTool) Spec() model.Tool {
	return model.Tool{Name: "issues", Description: "Lists the issues of the project.", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (issueTool) Plan(tools.Call) (gate.Plan, error) {
	return gate.Plan{Tool: "issues", Class: gate.Read}, nil
}
func (issueTool) Do(context.Context, gate.Cleared, tools.Call) tools.Result {
	return tools.Result{Text: "issue 5"}
}

// A tool that isn't sent is found by words, and from then on it is sent and can be called; the core's are always there.
func TestUnsentTools(t *testing.T) {
	t.Parallel()
	k := newTalkWith(t, func(c *Config) { c.Unsent = []tools.Tool{issueTool{}} })
	call := func(name, arguments string) model.Message {
		return model.Message{Calls: []model.Call{{ID: name, Name: name, Arguments: json.RawMessage(arguments)}}}
	}
	sent := func(r model.Request) bool {
		return slices.ContainsFunc(r.Tools, func(t model.Tool) bool { return t.Name == "issues" })
	}
	await(k, func(protocol.Ready) bool { return true })
	r := k.prompt("find it", call("tool_search", `{"query":"issue tracker"}`), call("issues", `{}`), model.Message{Text: "Five."})
	if sent(r[0]) || !sent(r[1]) || !sent(r[2]) || len(r[2].Tools) != len(r[0].Tools)+1 {
		t.Errorf("sent: %v, %v, %v", sent(r[0]), sent(r[1]), sent(r[2]))
	}
	if m := r[2].Messages[len(r[2].Messages)-1]; m.Text != "issue 5" {
		t.Errorf("it answered %+v", m)
	}
	if r := k.prompt("again", model.Message{Text: "Yes."}); !sent(r[0]) {
		t.Error("it is forgotten in the next turn")
	}
	if m := r[1].Messages[len(r[1].Messages)-1]; !strings.HasPrefix(m.Text, "issues: Lists the issues of the project.") {
		t.Errorf("found: %q", m.Text)
	}
}
