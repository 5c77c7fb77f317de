package ollama

import (
	"encoding/json"

	"wisp/engine/model"
)

// body is a request as it is sent.
type body struct {
	Model     string          `json:"model"`
	Messages  []sent          `json:"messages"`
	Tools     []offered       `json:"tools,omitempty"`
	Stream    bool            `json:"stream"`
	Think     any             `json:"think,omitempty"` // a bool or a level
	KeepAlive json.RawMessage `json:"keep_alive,omitempty"`
	Options   *options        `json:"options,omitempty"`
}

type options struct {
	Window int `json:"num_ctx"`
}

type sent struct {
	Role    string     `json:"role"`
	Content string     `json:"content"`
	Calls   []sentCall `json:"tool_calls,omitempty"`
	Tool    string     `json:"tool_name,omitempty"`
	Call    string     `json:"tool_call_id,omitempty"`
}

type sentCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // an object
	} `json:"function"`
}

type offered struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	} `json:"function"`
}

func (c *Client) request(r model.Request, known *shown) *body {
	b := &body{Model: c.config.Model, Stream: true, Messages: messages(r)}
	if known.tools() {
		for _, t := range r.Tools {
			o := offered{Type: "function"}
			o.Function.Name, o.Function.Description, o.Function.Parameters = t.Name, t.Description, t.Schema
			b.Tools = append(b.Tools, o)
		}
	}
	if known.thinking() {
		switch c.config.Think {
		case "", "on":
			b.Think = true
		case "off":
			b.Think = false
		default:
			b.Think = c.config.Think
		}
	}
	if k := c.config.KeepAlive; k != "" {
		b.KeepAlive, _ = json.Marshal(k) // a string always can
		var number json.Number
		if json.Unmarshal([]byte(k), &number) == nil {
			b.KeepAlive = json.RawMessage(k) // seconds go as a number: "-1" as a string has no unit
		}
	}
	window := r.Window
	if window == 0 {
		window = c.window(known)
	}
	if known.Window > 0 {
		window = min(window, known.Window)
	}
	if window > 0 {
		b.Options = &options{Window: window}
	}
	return b
}

// messages is the conversation as Ollama takes it: messages of one role in a row are joined, since some templates
// want them to alternate.
func messages(r model.Request) []sent {
	list := make([]sent, 0, len(r.Messages)+1)
	if r.Instructions != "" {
		list = append(list, sent{Role: "system", Content: r.Instructions})
	}
	for _, m := range r.Messages {
		if m.Role == model.Answer {
			list = append(list, sent{Role: "tool", Content: m.Text, Tool: m.Name, Call: m.Call})
			continue
		}
		s := sent{Role: string(m.Role), Content: m.Text}
		for _, call := range m.Calls {
			k := sentCall{ID: call.ID}
			k.Function.Name, k.Function.Arguments = call.Name, call.Sendable()
			s.Calls = append(s.Calls, k)
		}
		if s.Content == "" && len(s.Calls) == 0 {
			continue
		}
		if n := len(list); n > 0 && list[n-1].Role == s.Role && len(list[n-1].Calls) == 0 {
			if before := list[n-1].Content; before != "" && s.Content != "" {
				s.Content = before + "\n\n" + s.Content
			} else {
				s.Content = before + s.Content
			}
			list[n-1] = s
			continue
		}
		list = append(list, s)
	}
	return list
}
