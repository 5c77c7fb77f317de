package box

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// The bounds of what is held; beyond them nothing is taken, which [Held.Words] says.
const (
	maxHeldKeys  = 4096
	maxHeldBytes = MaxText // of pastes
)

// Held is what was typed and pasted while the box was closed, in order. The zero value is empty.
type Held struct {
	keys  []held
	bytes int
	full  bool
}

// held is a key, or a paste.
type held struct {
	key   tea.KeyPressMsg
	paste string
}

// Key takes a key while something runs. What is about the work or the screen is asked for at once: the stop, the background,
// Ctrl-Z, Ctrl-L and the panels. A key that only makes sense to one who sees its answer is passed over: Tab, Esc, Ctrl-G,
// Ctrl-S, and what the box doesn't know. All else is held.
func (h *Held) Key(k tea.KeyPressMsg) Ask {
	name, text := named(k)
	if ask := face(name, State{Busy: "something"}); ask.Kind != None {
		return ask
	}
	if text != "" || holds(name) {
		h.add(held{key: k})
	}
	return Ask{}
}

// holds says whether a key without text is held.
func holds(name string) bool {
	switch name {
	case "enter", "shift+enter", "ctrl+enter", "alt+enter", "ctrl+j", "up", "down", "ctrl+p", "ctrl+n", "alt+<", "alt+>",
		"ctrl+r", "ctrl+x", "ctrl+v", "ctrl+q":
		return true
	}
	_, ok := operation(name)
	return ok
}

// Paste takes a paste; it counts as a key.
func (h *Held) Paste(content string) {
	if content != "" {
		h.add(held{paste: content})
	}
}

func (h *Held) add(k held) {
	if len(h.keys) == maxHeldKeys || h.bytes+len(k.paste) > maxHeldBytes {
		h.full = true
		return
	}
	h.keys = append(h.keys, k)
	h.bytes += len(k.paste)
}

// Count says how many keys are held.
func (h *Held) Count() int { return len(h.keys) }

// Words says it: "3 keys held", and where keys were refused since that there is room for no more. "" where none is held.
func (h *Held) Words() string {
	words := fmt.Sprintf("%d keys held", len(h.keys))
	switch {
	case h.full:
		return words + ", no more"
	case len(h.keys) == 0:
		return ""
	case len(h.keys) == 1:
		return "1 key held"
	}
	return words
}

// Apply gives the box what was held, in order, as if it were typed now; then nothing is held. But nothing is sent or asked
// for that nobody saw: an Enter counts only where it makes a new row, Ctrl-D never quits, no editor and no panel opens, and a
// `?` is text. What it returns is that something didn't fit, or nothing.
func (h *Held) Apply(b *Box) Ask {
	keys := h.keys
	*h = Held{}
	b.menu, b.applying = menu{}, true
	defer func() { b.applying = false }()
	var refused Ask
	for _, k := range keys {
		var ask Ask
		if k.paste != "" {
			ask = b.Paste(k.paste)
		} else {
			ask = b.Key(k.key, State{})
		}
		if ask.Kind == Say {
			refused = ask
		}
	}
	return refused
}
