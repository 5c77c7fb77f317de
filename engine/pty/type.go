package pty

import (
	"context"
	"fmt"
	"unicode/utf8"

	"wisp/engine/pty/screen"
)

// MostTyped is how many characters may be typed at once.
const MostTyped = 16_384

// Input is what to type: one of its fields.
type Input struct {
	Text  string   // as typed: a newline presses Enter, a control character is the key
	Keys  []string // pressed one after another, by their names: "down", "enter", "ctrl+c"
	Paste string   // pasted: marked as such where the program asked for that, and never obeyed
	// Kept says that a copy of the input is kept somewhere: where the program has begun not to echo, it isn't typed.
	Kept bool
}

// Typed is what became of an input.
type Typed struct {
	Taken int // characters that the terminal took; what it didn't take was not and won't be typed
	Left  int // characters that it didn't take
	// Hidden says that the program didn't echo: it may have been a password, and nothing of the input may be kept.
	Hidden bool
	Fault  string // why not all was taken, in one sentence
}

// Type types, and waits. What was printed since is there to be read then; came says whether it is what was waited for. It never
// waits for a program that doesn't read longer than 5 s.
func (s *Session) Type(ctx context.Context, i Input, wait Wait) (t Typed, came bool) {
	s.touch()
	text, err := s.encode(i)
	if err != nil {
		return Typed{Left: i.length(), Fault: err.Error()}, false
	}
	w := s.waitNew(wait)
	st, err := s.input.send(ctx, text.bytes, i.Kept)
	t = Typed{Hidden: st.hidden}
	if err != nil {
		t.Fault = err.Error()
	}
	t.Taken = text.characters(st.taken)
	t.Left = text.characters(len(text.bytes)) - t.Taken
	return t, s.await(ctx, w, wait.Longest)
}

// sent is an input as bytes, and where its characters end.
type sent struct {
	bytes []byte
	ends  []int // of each character, or key, in bytes
}

func (s sent) characters(bytes int) int {
	n := 0
	for n < len(s.ends) && s.ends[n] <= bytes {
		n++
	}
	return n
}

func (i Input) length() int {
	if len(i.Keys) > 0 {
		return len(i.Keys)
	}
	return utf8.RuneCountInString(i.Text) + utf8.RuneCountInString(i.Paste)
}

// encode is what the terminal is to get.
func (s *Session) encode(i Input) (out sent, err error) {
	if s.Over() {
		return out, errOver
	}
	if n := i.length(); n > MostTyped {
		return out, fmt.Errorf("%d characters are more than the %d that can be typed at once: write it into a file instead", n, MostTyped)
	}
	k := s.keys()
	if len(i.Keys) > 0 {
		for _, name := range i.Keys {
			key, err := keyBytes(name, k)
			if err != nil {
				return sent{}, err
			}
			out.bytes = append(out.bytes, key...)
			out.ends = append(out.ends, len(out.bytes))
		}
		return out, nil
	}
	text := typed(i.Text)
	if i.Paste != "" {
		text = pasted(i.Paste, k)
	}
	out.bytes = []byte(text)
	for at := range text {
		if at > 0 {
			out.ends = append(out.ends, at)
		}
	}
	if text != "" {
		out.ends = append(out.ends, len(text))
	}
	return out, nil
}

// keys is how the program wants to be sent keys.
func (s *Session) keys() screen.Keys {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.screen == nil {
		return screen.Keys{}
	}
	return s.screen.Keys()
}
