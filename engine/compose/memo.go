package compose

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"wisp/engine/thread"
)

// Memo keeps what the turns before the newest one came to, so that a request costs what is new and not all of the conversation. What
// it gives is what would be composed without it. The zero value is ready; any goroutine may use it, of one thread's record.
type Memo struct {
	mu    sync.Mutex
	key   memoKey
	count int // literal entries that are in it
	last  int // the number of the newest of them
	turn  int // the highest of their turns
	b     builder
}

// memoKey is what the messages of earlier turns depend on beside their entries.
type memoKey struct {
	earlier, directory string
	condensation       int // its entry
	first              int // the number of the first literal entry
	references, texts  int
	recallable         bool
}

// past makes the messages of the turns before the current one, and returns how many of the literal entries are in them: none where
// the record is not as expected, or is of an earlier state than what was kept.
func (m *Memo) past(b *builder, literal []thread.Entry) (done int) {
	cut := 0
	for i := len(literal) - 1; i > 0; i-- {
		if opens(&literal[i]) && literal[i].Turn != literal[i-1].Turn {
			cut = i
			break
		}
	}
	if cut == 0 {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	key := memoKey{
		earlier: strings.Join(b.notes, ""), directory: b.frame.Directory, condensation: b.frame.number, first: literal[0].Number,
		references: b.frame.References, texts: b.frame.Texts, recallable: b.composer.Memory,
	}
	if m.key != key {
		fresh := *b
		fresh.used = map[string]int{}
		m.key, m.count, m.last, m.turn, m.b = key, 0, 0, 0, fresh
	}
	if cut < m.count || m.count > 0 && literal[m.count-1].Number != m.last {
		return 0
	}
	if cut > m.count {
		m.extend(literal[m.count:cut])
		m.count, m.last = cut, literal[cut-1].Number
	}
	if m.turn >= b.current { // of a damaged record: a turn that goes on is among those before it
		return 0
	}
	b.resume(m.b)
	return m.count
}

// extend adds entries, none of them of the current turn. What was handed out is not touched by it.
func (m *Memo) extend(entries []thread.Entry) {
	m.b.current, m.b.before, m.b.used = math.MinInt, m.b.used, map[string]int{}
	m.b.messages, m.b.origins = slices.Grow(m.b.messages, len(entries)), slices.Grow(m.b.origins, len(entries))
	m.b.take(entries)
	if len(m.b.used) > 0 {
		all := maps.Clone(m.b.before)
		maps.Copy(all, m.b.used)
		m.b.used = all
	} else {
		m.b.used = m.b.before
	}
	for i := range entries {
		m.turn = max(m.turn, entries[i].Turn)
	}
}

// resume goes on where another builder is, and shares with it what neither changes.
func (b *builder) resume(kept builder) {
	const room = 64 // messages of the newest turn
	b.messages = append(slices.Grow(b.messages[:0:0], len(kept.messages)+room), kept.messages...)
	b.origins = append(slices.Grow(b.origins[:0:0], len(kept.origins)+room), kept.origins...)
	if n := len(b.messages); n > 0 {
		b.messages[n-1].Calls = slices.Clip(b.messages[n-1].Calls)
		b.origins[n-1] = slices.Clip(b.origins[n-1])
	}
	b.notes, b.noted = slices.Clip(kept.notes), slices.Clip(kept.noted)
	b.directory, b.turn, b.asked, b.before, b.used = kept.directory, kept.turn, kept.asked, kept.used, map[string]int{}
}
