package openai

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// maxLearning bounds how many messages in a row are learned from in vain: some services put a random field into each.
const maxLearning = 16

// alike knows the message of a stream that came last, but for its text. The thousands of a long answer mostly differ in
// nothing else, and decoding each of them is half the cost of the whole turn.
type alike struct {
	before, after []byte // what stands around the text; before is empty where nothing is known
	learned       int    // since a message was known
}

// text returns the text of a message that is the known one but for it. Bytes that are the same around a string that
// needs no decoding decode to the same.
func (a *alike) text(data []byte) (string, bool) {
	if len(a.before) == 0 || len(data) < len(a.before)+len(a.after) || !bytes.HasPrefix(data, a.before) || !bytes.HasSuffix(data, a.after) {
		return "", false
	}
	text := data[len(a.before) : len(data)-len(a.after)]
	if !verbatim(text) {
		return "", false
	}
	a.learned = 0
	return string(text), true
}

// learn takes a message that was decoded from data, where it is one of text alone.
func (a *alike) learn(data []byte, m *message) {
	if a.learned >= maxLearning || !m.textAlone() {
		return
	}
	a.learned++
	a.before, a.after = nil, nil
	before, after, ok := around(data, m.Choices[0].Delta.Content)
	if !ok {
		return
	}
	// Another field may have had the same name and text: with another text in this place the message must have that.
	const other = "other"
	var again message
	err := json.Unmarshal(slices.Concat(before, []byte(other), after), &again)
	if err == nil && again.textAlone() && again.Choices[0].Delta.Content == other {
		a.before, a.after = before, after
	}
}

// around returns what stands before and after a text where it is a message's content, in memory of their own.
func around(data []byte, text string) (before, after []byte, ok bool) {
	for _, key := range []string{`"content":"`, `"content": "`} {
		if i := bytes.Index(data, []byte(key+text+`"`)); i >= 0 && verbatim([]byte(text)) {
			i += len(key)
			return bytes.Clone(data[:i]), bytes.Clone(data[i+len(text):]), true
		}
	}
	return nil, nil, false
}

// verbatim says whether the bytes stand for themselves in a JSON string.
func verbatim(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.Valid(text)
}

// textAlone says whether a message has a piece of text and nothing else that is read.
func (m *message) textAlone() bool {
	if len(m.Choices) != 1 || m.Usage != nil || len(m.Error) > 0 {
		return false
	}
	c := &m.Choices[0]
	d := &c.Delta
	return c.Index == 0 && c.Message == nil && c.FinishReason == "" && d.Content != "" && d.ReasoningContent == "" && d.Reasoning == "" &&
		d.Refusal == "" && len(d.ToolCalls) == 0 && d.FunctionCall == nil
}
