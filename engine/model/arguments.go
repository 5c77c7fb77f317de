package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// excerptBytes bounds what is repeated of arguments that can't be read: enough to see where they broke.
const excerptBytes = 120

// ParseArguments reads the arguments of a call as a model wrote them. They are returned as they were written, numbers
// included. Nothing at all is {}, and a JSON string that holds an object is that object. Whatever else is no object
// gives a reason for the model, and the text as it came; nothing is ever mended by a guess.
func ParseArguments(text string) (arguments json.RawMessage, malformed string) {
	trimmed := bytes.TrimSpace([]byte(text))
	if len(trimmed) == 0 {
		return json.RawMessage("{}"), ""
	}
	if reason := whyInvalid(trimmed); reason != "" {
		return json.RawMessage(text), reason
	}
	switch trimmed[0] {
	case '{':
		return trimmed, ""
	case '"':
		var inner string
		if json.Unmarshal(trimmed, &inner) == nil {
			inner = strings.TrimSpace(inner)
			if strings.HasPrefix(inner, "{") && json.Valid([]byte(inner)) {
				return json.RawMessage(inner), ""
			}
		}
	}
	return json.RawMessage(text), fmt.Sprintf("the arguments are %s, not a JSON object: %s", kindOf(trimmed), excerpt(text, 0))
}

// whyInvalid is the reason why text is no JSON, with what stands where it breaks; "" where it is JSON.
func whyInvalid(text []byte) string {
	if json.Valid(text) {
		return ""
	}
	var any json.RawMessage
	err := json.Unmarshal(text, &any)
	at := int64(len(text))
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = syntax.Offset
	}
	return fmt.Sprintf("the arguments are no valid JSON (%v at byte %d): %s", err, at, excerpt(string(text), int(at)))
}

func kindOf(value []byte) string {
	switch value[0] {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	}
	return "a number"
}

// excerpt is one short line of text that shows the place at, given in bytes.
func excerpt(text string, at int) string {
	from := max(0, at-excerptBytes*2/3)
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from--
	}
	head := ""
	if from > 0 {
		head = "…"
	}
	return head + Short(text[from:], excerptBytes)
}

// Short is text from outside as one line of at most n bytes: control characters and what turns the writing's
// direction are blanks, runs of blanks are one, and what is left out at the end is an ellipsis.
func Short(text string, n int) string {
	var b strings.Builder
	blank := false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			blank = b.Len() > 0
			continue
		}
		size := utf8.RuneLen(r)
		if blank {
			size++
		}
		if b.Len()+size > n-len("…") {
			b.WriteString("…")
			break
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Sendable is the arguments as a history may carry them: an object always, since servers read them again. Malformed
// ones are an empty object; the answer to the call has told the model what it wrote. U+0000, which many servers can't
// store, is U+FFFD.
func (c Call) Sendable() json.RawMessage {
	arguments, malformed := ParseArguments(string(c.Arguments))
	if malformed != "" || c.Malformed != "" {
		return json.RawMessage("{}")
	}
	return withoutNUL(arguments)
}

// withoutNUL replaces each escaped U+0000 of valid JSON, in which it can't stand otherwise. What follows an escaped
// backslash is no escape.
func withoutNUL(valid json.RawMessage) json.RawMessage {
	const nul, instead = `\u0000`, `\ufffd`
	if !bytes.Contains(valid, []byte(nul)) {
		return valid
	}
	sent := bytes.Clone(valid)
	for i := 0; i < len(sent); i++ {
		if sent[i] != '\\' {
			continue
		}
		if bytes.HasPrefix(sent[i:], []byte(nul)) {
			copy(sent[i:], instead)
		}
		i++ // the character that was escaped
	}
	return sent
}
