package openai

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"wisp/engine/model"
)

// message is one message of the server's, decoded in one go: fields that are null or absent are zero, and unknown
// ones are skipped.
type message struct {
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

// reset makes the message ready to be decoded into once more: a stream has thousands, and the decoder reuses what
// it finds without clearing it.
func (m *message) reset() {
	choices := m.Choices[:cap(m.Choices)]
	clear(choices)
	*m = message{Choices: choices[:0]}
}

type choice struct {
	Index        int    `json:"index"`
	Delta        delta  `json:"delta"`
	Message      *delta `json:"message"` // of a server that doesn't stream
	FinishReason string `json:"finish_reason"`
}

type delta struct {
	Content          string      `json:"content"`
	ReasoningContent string      `json:"reasoning_content"`
	Reasoning        string      `json:"reasoning"`
	Refusal          string      `json:"refusal"`
	ToolCalls        []callDelta `json:"tool_calls"`
	FunctionCall     *function   `json:"function_call"` // the older form, of one call
}

type callDelta struct {
	Index    *int            `json:"index"`
	ID       json.RawMessage `json:"id"` // mostly a string, in some a number
	Function function        `json:"function"`
	Extra    json.RawMessage `json:"extra_content"` // Google's signatures, which must come back
}

type function struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// usage is the cost as the dialects count it.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit int `json:"prompt_cache_hit_tokens"` // DeepSeek
}

func (u *usage) usage() model.Usage {
	return model.Usage{Input: u.Prompt, Output: u.Completion, Cached: max(u.Details.Cached, u.CacheHit)}
}

// isError says whether the message is an error that came in an answer that began well.
func (m *message) isError(data []byte) bool {
	switch string(m.Error) {
	case "", "null", `""`, "{}", "false":
	default:
		return true
	}
	if len(m.Choices) > 0 || m.Usage != nil {
		return false
	}
	var other struct {
		Object string          `json:"object"` // "error" in older vLLM, with the words beside it
		Detail json.RawMessage `json:"detail"` // FastAPI's form
	}
	_ = json.Unmarshal(data, &other) // what has another type is no error of these forms
	return other.Object == "error" || len(other.Detail) > 0 && string(other.Detail) != "null"
}

func (d *delta) parts() []model.Part {
	if len(d.ToolCalls) == 0 && d.FunctionCall == nil {
		return nil
	}
	parts := make([]model.Part, 0, len(d.ToolCalls)+1)
	for _, c := range d.ToolCalls {
		parts = append(parts, model.Part{
			Index: c.Index, ID: word(c.ID), Name: c.Function.Name, Arguments: c.Function.Arguments, Extra: c.Extra,
		})
	}
	if f := d.FunctionCall; f != nil && len(parts) == 0 {
		parts = append(parts, model.Part{Name: f.Name, Arguments: f.Arguments})
	}
	return parts
}

// word is an id as text.
func word(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil || len(raw) == 0 {
		return s
	}
	return string(bytes.TrimSpace(raw))
}

// loosen reads again what had another type than nearly all servers give it: contents that are lists of parts, as
// Mistral's thinking models send them.
func (m *message) loosen(data []byte) {
	type loose struct {
		Content json.RawMessage `json:"content"`
	}
	var again struct {
		Choices []struct {
			Delta   loose `json:"delta"`
			Message loose `json:"message"`
		} `json:"choices"`
	}
	_ = json.Unmarshal(data, &again) // what can't be read stays empty
	for i := range min(len(again.Choices), len(m.Choices)) {
		c := &m.Choices[i]
		readParts(again.Choices[i].Delta.Content, &c.Delta)
		if c.Message != nil {
			readParts(again.Choices[i].Message.Content, c.Message)
		}
	}
}

type contentPart struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking json.RawMessage `json:"thinking"`
}

// readParts reads a content that is a list into the text and the reasoning of d.
func readParts(raw json.RawMessage, d *delta) {
	var parts []contentPart
	if json.Unmarshal(raw, &parts) != nil {
		return
	}
	var text, reasoning strings.Builder
	for _, p := range parts {
		text.WriteString(p.Text)
		var inner []contentPart
		if json.Unmarshal(p.Thinking, &inner) == nil {
			for _, i := range inner {
				reasoning.WriteString(i.Text)
			}
		} else {
			reasoning.WriteString(word(p.Thinking))
		}
	}
	d.Content = text.String()
	d.Reasoning += reasoning.String()
}

// peek waits for the first byte that is no blank, and returns it with all that follows. An answer without one is empty.
func peek(r io.Reader) (byte, io.Reader, error) {
	var b [1]byte
	for {
		n, err := r.Read(b[:])
		if n > 0 && strings.IndexByte(" \t\r\n", b[0]) < 0 {
			return b[0], io.MultiReader(bytes.NewReader(b[:]), r), nil
		}
		if err == io.EOF {
			return 0, r, nil
		}
		if err != nil {
			return 0, r, err
		}
	}
}
