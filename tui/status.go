package tui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"wisp/protocol"
	"wisp/protocol/phrase"
)

// part is a piece of the status line. Where the line is too narrow, the part of the highest rank gives way first.
type part struct {
	text string
	rank int
	role phrase.Role
}

// full is the share of the window from which it is shown in amber.
const full = 80

// statusRow is the status line: the model and how much of its window is used, the directory, git, the sandbox and the mode; at
// the right what the last turn took.
func (h *heard) statusRow(l look) string {
	left, right := h.parts(), tookParts(h.last)
	for len(left) > 1 && span(left)+gap+span(right) > l.width {
		if last := leastOf(right); last >= 0 && right[last].rank > left[leastOf(left)].rank {
			right = slices.Delete(right, last, last+1)
			continue
		}
		last := leastOf(left)
		left = slices.Delete(left, last, last+1)
	}
	if room := l.width - gap - span(right); len(left) == 1 && room < span(left) {
		right, left[0].text = nil, phrase.Clip(left[0].text, l.width)
	}
	row := l.join(left)
	if len(right) > 0 {
		row += strings.Repeat(" ", max(l.width-span(left)-span(right), 1)) + l.join(right)
	}
	return row
}

// gap is how far left and right stand apart at least, and dot what stands between two parts.
const (
	gap = 2
	dot = " · "
)

// leastOf is the part that gives way first; -1 where there is none.
func leastOf(parts []part) int {
	least := -1
	for i, p := range parts {
		if least < 0 || p.rank > parts[least].rank {
			least = i
		}
	}
	return least
}

// span is how many cells the parts take.
func span(parts []part) int {
	n := 0
	for i, p := range parts {
		if i > 0 {
			n += displaywidth.String(dot)
		}
		n += displaywidth.String(p.text)
	}
	return n
}

// join sets parts side by side, each in its colour.
func (l look) join(parts []part) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString(l.style.Paint(phrase.Faint, dot))
		}
		b.WriteString(l.style.Paint(p.role, p.text))
	}
	return b.String()
}

func (h *heard) parts() []part {
	s := h.status
	var parts []part
	add := func(rank int, role phrase.Role, format string, a ...any) {
		parts = append(parts, part{phrase.Row(fmt.Sprintf(format, a...), 200), rank, role})
	}
	model := s.Model
	if model == nil {
		model = h.ready.Model
	}
	switch {
	case model != nil:
		add(0, phrase.Faint, "%s", *model)
	case h.begun:
		add(0, phrase.Faint, "looking for a model")
	default:
		add(0, phrase.Faint, "waiting for the engine")
	}
	if s.ContextUsed != nil && s.ContextWindow != nil && *s.ContextWindow > 0 {
		share := *s.ContextUsed * 100 / *s.ContextWindow
		role := phrase.Faint
		if share >= full {
			role = phrase.Amber
		}
		add(1, role, "%d%%", share)
	}
	directory := s.Directory
	if directory == "" {
		directory = h.ready.Directory
	}
	if directory != "" {
		add(3, phrase.Faint, "%s", filepath.Base(directory))
	}
	if s.Branch != nil {
		add(4, phrase.Faint, "%s", *s.Branch)
	}
	if s.Added != nil && s.Removed != nil && *s.Added+*s.Removed > 0 {
		add(6, phrase.Faint, "+%d -%d", *s.Added, *s.Removed)
	}
	if s.Sandbox != "" {
		add(7, phrase.Faint, "sandbox %s", s.Sandbox)
	}
	if s.Mode != "" {
		add(2, phrase.Faint, "%s", s.Mode)
	}
	return parts
}

// tookParts is what the last turn took.
func tookParts(t protocol.Turn) []part {
	if t.Seconds == nil {
		return nil
	}
	parts := []part{{took(*t.Seconds), 5, phrase.Faint}}
	if t.InputTokens != nil && t.OutputTokens != nil && *t.InputTokens+*t.OutputTokens > 0 {
		parts = append(parts, part{fmt.Sprintf("%d+%d tokens", *t.InputTokens, *t.OutputTokens), 8, phrase.Faint})
	}
	return parts
}
