package compose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"wisp/engine/thread"
)

// maxName is the longest name of a tool that servers take.
const maxName = 64

// legal returns text that every server takes: UTF-8, without NUL.
func legal(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return strings.ReplaceAll(text, "\x00", "\u2400")
}

// inert returns text as data: legal, and with a backslash in whatever would read as the start or the end of a note,
// in any letter case and with blanks or a slash before the name.
func inert(text string) string {
	text = legal(text)
	var b strings.Builder
	done := 0 // how much of the text stands in b
	for at := strings.IndexByte(text, '<'); at >= 0; {
		if at++; names(text[at:]) {
			b.WriteString(text[done:at])
			b.WriteByte('\\')
			done = at
		}
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			break
		}
		at += next
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// names says whether what follows a < would name a note.
func names(after string) bool {
	if after == "" {
		return false
	}
	if c := after[0] | 0x20; 'a' <= c && c <= 'z' && c != tag[0] { // most are another tag
		return false
	}
	inside := strings.TrimLeftFunc(after, func(r rune) bool { return r == '/' || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) })
	return len(inside) >= len(tag) && strings.EqualFold(inside[:len(tag)], tag)
}

// quoted returns a command or a call in backquotes, as data.
func quoted(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + inert(text) + fence
}

// clipped cuts text to a bound in bytes, on a character.
func clipped(text string, bound int) string {
	if len(text) <= bound {
		return text
	}
	for bound > 0 && !utf8.RuneStart(text[bound]) {
		bound--
	}
	return text[:bound] + " …"
}

// id returns a call's id, made unique within the request: models repeat theirs, and servers refuse that.
func (b *builder) id(e *thread.Entry) string {
	id := legal(e.Call.ID)
	if id == "" {
		id = fmt.Sprintf("call-%d", e.Number)
	}
	unique := id
	for b.asks(unique) > 0 {
		b.used[id] = b.asks(id) + 1
		unique = fmt.Sprintf("%s-%d", id, b.used[id])
	}
	b.used[unique] = b.asks(unique) + 1
	return unique
}

// asks is how often a call id was asked for.
func (b *builder) asks(id string) int {
	if n, ok := b.used[id]; ok {
		return n
	}
	return b.before[id]
}

// name returns a tool's name with nothing in it that servers refuse. A model may have called anything.
func name(called string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, called)
	if clean == "" {
		return "unnamed"
	}
	return clean[:min(len(clean), maxName)]
}

// arguments returns a call's arguments, {} where they are no object: the answer says what was wrong with them.
func arguments(raw json.RawMessage) json.RawMessage {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 || trimmed[0] != '{' || !json.Valid(trimmed) {
		return json.RawMessage("{}")
	}
	return bytes.ToValidUTF8(trimmed, []byte("\uFFFD"))
}
