package tui

import (
	"charm.land/bubbles/v2/key"

	"wisp/tui/panel"
)

// keys are the bindings that the face itself acts on, whatever has the person's attention.
type keys struct {
	interrupt, suspend, redraw, cards, context, background key.Binding
}

func bindings() keys {
	return keys{
		interrupt:  key.NewBinding(key.WithKeys("ctrl+c"), key.WithHelp("Ctrl-C", "stops it; pressed again, kills it and quits")),
		suspend:    key.NewBinding(key.WithKeys("ctrl+z"), key.WithHelp("Ctrl-Z", "suspends; what runs goes on")),
		redraw:     key.NewBinding(key.WithKeys("ctrl+l"), key.WithHelp("Ctrl-L", "draws on a fresh screen")),
		cards:      key.NewBinding(key.WithKeys("ctrl+o"), key.WithHelp("Ctrl-O", "the newest call, whole; ← → older, newer")),
		context:    key.NewBinding(key.WithKeys("ctrl+t"), key.WithHelp("Ctrl-T", "the context of the next request and of any turn")),
		background: key.NewBinding(key.WithKeys("ctrl+b"), key.WithHelp("Ctrl-B", "sends a running command to the background")),
	}
}

// said is a key of another part's, for the panel of keys.
func said(name, does string) key.Binding { return key.NewBinding(key.WithHelp(name, does)) }

// groups are all keys, as the panel shows them.
func (k keys) groups() []panel.Group {
	return []panel.Group{
		{Name: "Sending", Keys: []key.Binding{
			said("Enter", "sends"),
			said("Alt-Enter, Shift-Enter, \\ Enter", "a new line"),
			said("Up, Down", "history; a draft survives"),
			said("Ctrl-R", "searches the history"),
			said("Tab", "completes /commands, @paths, paths and programs"),
			said("Ctrl-G", "opens the text in $EDITOR"),
		}},
		{Name: "Your own commands", Keys: []key.Binding{
			said("! first", "a command that you run; the model is told"),
			said("!! first", "the same outside the sandbox"),
			said("Backspace at the start", "back to a message"),
			k.background,
		}},
		{Name: "While something runs", Keys: []key.Binding{
			k.interrupt,
			said("typing", "is held, and applied when it ends"),
			said("Alt-Enter", "steers the turn, where the box stays open"),
			said("Ctrl-S", "in an empty box: sends what waits, results of the background too"),
			said("Ctrl-K", "in an empty box: drops the last that waits"),
		}},
		{Name: "Approvals", Keys: []key.Binding{
			said("y, s, p, a", "yes: once, this session, this project, always"),
			said("n, Ctrl-C", "no"),
		}},
		{Name: "Looking", Keys: []key.Binding{
			k.cards,
			k.context,
			said("?", "these keys, in an empty box"),
			k.redraw,
		}},
		{Name: "Editing", Keys: []key.Binding{
			said("Ctrl-A, Ctrl-E, Home, End", "start and end of the line"),
			said("Alt-B, Alt-F, Ctrl-← →", "a word back, a word on"),
			said("Ctrl-W, Alt-D", "cut the word before, the word after"),
			said("Ctrl-U, Ctrl-K", "cut to the start, to the end"),
			said("Ctrl-Y", "puts back what was cut"),
			said("Ctrl-C", "clears the box; Up brings it back"),
		}},
		{Name: "In a panel", Keys: []key.Binding{
			said("↑ ↓ j k", "a row"),
			said("PgUp PgDn b Space", "a page"),
			said("Ctrl-U, Ctrl-D", "half a page"),
			said("Home End g G", "the start, the end"),
			said("/", "searches; n N next, previous"),
			said("Esc, q", "closes"),
		}},
		{Name: "Leaving", Keys: []key.Binding{
			said("Ctrl-C", "quits when the box is empty and nothing runs"),
			said("Ctrl-D", "quits when the box is empty"),
			k.suspend,
		}},
	}
}
