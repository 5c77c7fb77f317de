package model

import "strings"

// The tags that some models think between, at the very start of their text.
const (
	openThink  = "<think>"
	closeThink = "</think>"
	blanks     = " \t\r\n"
)

// thinker parts a streamed text into what stands between the tags at its very start and the rest. One closing tag
// that nothing opened is dropped too, since a chat template may have opened it. The zero value is ready.
type thinker struct {
	state thinkState
	held  string // may turn out to be a tag, or the blanks before one
	trim  bool   // the blanks that come next belong to a tag
	stray bool   // a stray tag was dropped
	last  byte   // the last byte of the text so far
}

type thinkState int

const (
	thinkStart thinkState = iota
	thinkInside
	thinkAfter
)

// add takes the next piece and returns what can be told of it so far.
func (t *thinker) add(s string) (reasoning, text string) {
	s = t.held + s
	t.held = ""
	if t.state == thinkStart {
		trimmed := strings.TrimLeft(s, blanks)
		switch {
		case strings.HasPrefix(trimmed, openThink):
			t.state = thinkInside
			s = trimmed[len(openThink):]
		case strings.HasPrefix(openThink, trimmed):
			t.held = s
			return "", ""
		default:
			t.state = thinkAfter
		}
	}
	if t.state == thinkInside {
		before, after, found := strings.Cut(s, closeThink)
		if !found {
			keep := tagStart(s)
			t.held = s[keep:]
			return s[:keep], ""
		}
		t.state, t.trim = thinkAfter, true
		reasoning, s = before, after
	}
	return reasoning, t.answer(s)
}

// answer takes a piece of the text after the thinking.
func (t *thinker) answer(s string) string {
	if t.trim {
		s = strings.TrimLeft(s, blanks)
		t.trim = s == ""
	}
	if !t.stray && strings.IndexByte(s, '<') >= 0 {
		s = t.dropStray(s)
	}
	if s != "" {
		t.last = s[len(s)-1]
	}
	return s
}

// dropStray takes a closing tag out. One that is quoted is something the answer speaks of.
func (t *thinker) dropStray(s string) string {
	i := strings.Index(s, closeThink)
	if i < 0 {
		keep := tagStart(s)
		t.held = s[keep:]
		return s[:keep]
	}
	before := t.last
	if i > 0 {
		before = s[i-1]
	}
	if strings.IndexByte("`'\"", before) >= 0 {
		return s
	}
	t.stray = true
	after := s[i+len(closeThink):]
	if t.last == 0 && strings.TrimLeft(s[:i], blanks) == "" {
		s, after = "", strings.TrimLeft(after, blanks)
		t.trim = after == ""
		return after
	}
	return s[:i] + after
}

// end returns what was still held: the text is over.
func (t *thinker) end() (reasoning, text string) {
	held := t.held
	t.held = ""
	switch t.state {
	case thinkInside:
		return held, ""
	case thinkStart:
		return "", strings.TrimLeft(held, blanks)
	}
	return "", held
}

// tagStart is where a closing tag may begin at the end of s: len(s) where none does.
func tagStart(s string) int {
	for i := max(0, len(s)-len(closeThink)+1); i < len(s); i++ {
		if strings.HasPrefix(closeThink, s[i:]) {
			return i
		}
	}
	return len(s)
}
