package openai

import (
	"encoding/json"

	"wisp/engine/model"
)

// body is a request as it is sent.
type body struct {
	Model    string        `json:"model"`
	Messages []sent        `json:"messages"`
	Tools    []offered     `json:"tools,omitempty"`
	Stream   bool          `json:"stream"`
	Options  *streamOption `json:"stream_options,omitempty"`
}

type streamOption struct {
	IncludeUsage bool `json:"include_usage"`
}

// sent is one message. Content is always a string: strict servers refuse null beside calls.
type sent struct {
	Role    string     `json:"role"`
	Content string     `json:"content"`
	Calls   []sentCall `json:"tool_calls,omitempty"`
	Call    string     `json:"tool_call_id,omitempty"`
}

type sentCall struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Function sentFunction    `json:"function"`
	Extra    json.RawMessage `json:"extra_content,omitempty"`
}

type sentFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // a string that holds an object
}

type offered struct {
	Type     string          `json:"type"`
	Function offeredFunction `json:"function"`
}

type offeredFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

func (c *Client) request(r model.Request) *body {
	b := &body{Model: c.config.Model, Stream: true, Messages: messages(r)}
	if !c.plain {
		b.Options = &streamOption{IncludeUsage: true}
	}
	for _, t := range r.Tools {
		b.Tools = append(b.Tools, offered{Type: "function", Function: offeredFunction{t.Name, t.Description, t.Schema}})
	}
	return b
}

// messages is the conversation in a form that the strictest template accepts: two messages of one role in a row are
// joined, and a message without anything in it is left out.
func messages(r model.Request) []sent {
	list := make([]sent, 0, len(r.Messages)+1)
	if r.Instructions != "" {
		list = append(list, sent{Role: "system", Content: r.Instructions})
	}
	for _, m := range r.Messages {
		s := sent{Role: string(m.Role), Content: m.Text}
		if m.Role == model.Answer {
			s.Role, s.Call = "tool", m.Call
			list = append(list, s)
			continue
		}
		for _, call := range m.Calls {
			s.Calls = append(s.Calls, sentCall{
				ID: call.ID, Type: "function", Function: sentFunction{call.Name, string(call.Sendable())}, Extra: call.Extra,
			})
		}
		if s.Content == "" && len(s.Calls) == 0 {
			continue
		}
		if n := len(list); n > 0 && list[n-1].Role == s.Role && len(list[n-1].Calls) == 0 {
			s.Content = join(list[n-1].Content, s.Content)
			list[n-1] = s
			continue
		}
		list = append(list, s)
	}
	return list
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
