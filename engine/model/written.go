package model

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// The openings of calls that models write as text, and what may end them.
const (
	openCall    = "<tool_call>"
	closeCall   = "</tool_call>"
	mistralCall = "[TOOL_CALLS]"
	llamaCall   = "<|python_tag|>"
	fence       = "```"
)

// Written reads a reply that is nothing but calls written as text. It says false where anything else stands in it,
// where the form is not exactly that of a call, or where a tool is not offered.
func Written(text string, tools []Tool) ([]Part, bool) {
	text = strings.TrimSpace(text)
	var parts []Part
	ok := false
	switch {
	case strings.HasPrefix(text, openCall):
		parts, ok = taggedCalls(text)
	case strings.HasPrefix(text, mistralCall):
		parts, ok = listedCalls(strings.TrimPrefix(text, mistralCall))
	case strings.HasPrefix(text, llamaCall):
		text = strings.TrimPrefix(text, llamaCall)
		text = strings.TrimSuffix(strings.TrimSuffix(text, "<|eom_id|>"), "<|eot_id|>")
		parts, ok = one(text, "arguments", "parameters")
	case strings.HasPrefix(text, fence):
		parts, ok = fencedCall(text)
	case strings.HasPrefix(text, "{"):
		parts, ok = one(text, "arguments")
	}
	for _, p := range parts {
		ok = ok && offers(tools, p.Name)
	}
	return parts, ok && len(parts) > 0
}

func offers(tools []Tool, name string) bool {
	for _, t := range tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

// taggedCalls reads <tool_call>{…}</tool_call>, as often as it stands there; the last closing tag may be missing,
// because some servers take it for the end of the text.
func taggedCalls(text string) ([]Part, bool) {
	var parts []Part
	for text != "" {
		rest, ok := strings.CutPrefix(text, openCall)
		if !ok {
			return nil, false
		}
		decoder := json.NewDecoder(strings.NewReader(rest))
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return nil, false
		}
		p, ok := callOf(value, "arguments")
		if !ok {
			return nil, false
		}
		parts = append(parts, p)
		rest = strings.TrimSpace(rest[decoder.InputOffset():])
		text = strings.TrimSpace(strings.TrimPrefix(rest, closeCall))
	}
	return parts, true
}

// listedCalls reads Mistral's list, or its newer form, NAME[ARGS]{…} once or more.
func listedCalls(text string) ([]Part, bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "[") {
		return namedCalls(text)
	}
	var values []json.RawMessage
	if json.Unmarshal([]byte(text), &values) != nil {
		return nil, false
	}
	parts := make([]Part, 0, len(values))
	for _, v := range values {
		p, ok := callOf(v, "arguments", "id")
		if !ok {
			return nil, false
		}
		parts = append(parts, p)
	}
	return parts, true
}

func namedCalls(text string) ([]Part, bool) {
	var parts []Part
	for _, call := range strings.Split(text, mistralCall) {
		name, arguments, ok := strings.Cut(call, "[ARGS]")
		if !ok || !json.Valid([]byte(arguments)) {
			return nil, false
		}
		parts = append(parts, Part{Whole: true, Name: strings.TrimSpace(name), Arguments: json.RawMessage(strings.TrimSpace(arguments))})
	}
	return parts, true
}

// fencedCall reads a fenced block that is the whole text and holds a call.
func fencedCall(text string) ([]Part, bool) {
	head, body, ok := strings.Cut(text, "\n")
	body, closed := strings.CutSuffix(body, fence)
	if !ok || !closed || !callFence(strings.TrimSpace(strings.TrimPrefix(head, fence))) {
		return nil, false
	}
	return one(body, "arguments")
}

// callFence says whether a block with this word after its fence may be a call.
func callFence(word string) bool {
	return word == "" || word == "json" || word == "tool_call"
}

func one(text string, keys ...string) ([]Part, bool) {
	p, ok := callOf([]byte(text), keys...)
	return []Part{p}, ok
}

// callOf reads {"name":…,"arguments":…} and nothing more. The keys are those that may stand beside the name: "id",
// and what the arguments are called.
func callOf(value []byte, keys ...string) (Part, bool) {
	fields, ok := object(value)
	if !ok {
		return Part{}, false
	}
	p := Part{Whole: true}
	known := 1
	for _, key := range keys {
		raw, has := fields[key]
		switch {
		case !has:
			continue
		case key == "id":
			ok = json.Unmarshal(raw, &p.ID) == nil
		case p.Arguments == nil:
			p.Arguments = raw
		}
		known++
	}
	named := json.Unmarshal(fields["name"], &p.Name) == nil && p.Name != ""
	return p, ok && named && p.Arguments != nil && len(fields) == known
}

// object reads an object whose keys are all different: one with a key twice is no call.
func object(value []byte) (map[string]json.RawMessage, bool) {
	d := json.NewDecoder(bytes.NewReader(value))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	fields := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, false
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil, false
		}
		if _, twice := fields[key.(string)]; twice {
			return nil, false
		}
		fields[key.(string)] = raw
	}
	if _, err := d.Token(); err != nil {
		return nil, false
	}
	_, err := d.Token()
	return fields, err == io.EOF
}

// holder keeps streamed text back for as long as it could still be calls written as text.
type holder struct {
	tools []Tool
	text  strings.Builder
	state holdState
}

type holdState int

const (
	holdUndecided holdState = iota
	holdOpened              // a call's opening stands there: only the end will tell
	holdReleased            // it's no call
)

// add takes the next piece and returns what may be shown.
func (h *holder) add(s string) string {
	if h.state == holdReleased || len(h.tools) == 0 {
		return s
	}
	h.text.WriteString(s)
	if h.state == holdUndecided {
		h.state = opening(h.text.String(), h.tools)
	}
	if h.state == holdReleased || h.text.Len() > MaxLine {
		return h.release()
	}
	return ""
}

// release returns what was kept back, and nothing is kept from here on.
func (h *holder) release() string {
	s := h.text.String()
	h.text.Reset()
	h.state = holdReleased
	return s
}

// opening says what the text so far can become.
func opening(text string, tools []Tool) holdState {
	text = strings.TrimLeft(text, blanks)
	if text == "" {
		return holdUndecided
	}
	for _, o := range []string{openCall, mistralCall, llamaCall} {
		if state := prefix(text, o); state != holdReleased {
			return state
		}
	}
	switch prefix(text, fence) {
	case holdUndecided:
		return holdUndecided
	case holdReleased:
		return bareOpening(text, tools)
	}
	head, body, whole := strings.Cut(text[len(fence):], "\n")
	if !whole {
		for _, word := range []string{"json", "tool_call"} {
			if strings.HasPrefix(word, strings.TrimSpace(head)) {
				return holdUndecided
			}
		}
		return holdReleased
	}
	if !callFence(strings.TrimSpace(head)) {
		return holdReleased
	}
	return bareOpening(strings.TrimLeft(body, blanks), tools)
}

// bareOpening follows an object as far as the tool's name, so that any other JSON is shown as it comes.
func bareOpening(text string, tools []Tool) holdState {
	for _, token := range []string{"{", `"name"`, ":"} {
		state := prefix(text, token)
		if state == holdReleased && token == `"name"` {
			return prefix(text, `"arguments"`)
		}
		if state != holdOpened {
			return state
		}
		text = strings.TrimLeft(text[len(token):], blanks)
	}
	state := holdReleased
	for _, t := range tools {
		switch prefix(text, `"`+t.Name+`"`) {
		case holdOpened:
			return holdOpened
		case holdUndecided:
			state = holdUndecided
		}
	}
	return state
}

// prefix says whether text begins with token, or may yet.
func prefix(text, token string) holdState {
	switch {
	case strings.HasPrefix(text, token):
		return holdOpened
	case strings.HasPrefix(token, text):
		return holdUndecided
	}
	return holdReleased
}
