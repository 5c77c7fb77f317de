package screen

// The modes that Enter sets, each with what ends it.
const (
	pasteOn, pasteOff = "\x1b[?2004h", "\x1b[?2004l"
	focusOn, focusOff = "\x1b[?1004h", "\x1b[?1004l"
	// Kitty's protocol, level 1: keys that were ambiguous are told apart. xterm's modifyOtherKeys is for those without it,
	// and some that have neither take it for colours, which are reset at once.
	keysOn, keysOff = "\x1b[>4;2m\x1b[>1u\x1b[m", "\x1b[>4m\x1b[<1u\x1b[m"
	titleOn         = "\x1b[22;0t" // saves it
	titleOff        = "\x1b[23;0t"
	caretOn         = "\x1b[?25h"
	syncOff         = "\x1b[?2026l"
)

// Enter sets the terminal's modes. The band begins at the cursor, with the next Draw.
func (s *Screen) Enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.in {
		return s.err
	}
	s.in, s.high, s.modes = true, true, s.options
	s.caret, s.title, s.progress = true, "", Idle
	s.band.fresh()
	o, b := s.modes, s.frame[:0]
	for _, m := range []struct {
		on       bool
		sequence string
	}{{o.Titles, titleOn}, {o.Paste, pasteOn}, {o.Focus, focusOn}, {o.Keys, keysOn}} {
		if m.on {
			b = append(b, m.sequence...)
		}
	}
	s.frame = b
	if len(b) == 0 {
		return s.err
	}
	return s.send(b)
}

// Leave prints what waits, erases the band, undoes what Enter and Draw have set, and leaves the cursor in the first column
// of an empty row. Called twice it does nothing more. It also tries after an error in writing.
func (s *Screen) Leave() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.in {
		return s.err
	}
	s.in = false
	p := &s.out
	p.start()
	if s.options.Sync {
		p.put(syncOff) // should a frame have been cut short
	}
	p.put("\x1b[m")
	if s.isFull {
		s.turn(false)
	}
	s.toTop()
	s.printQueue()
	p.clearBelow()
	s.band.fresh()
	if s.progress != Idle {
		p.put(progressCode(Idle))
	}
	o := s.modes
	for _, m := range []struct {
		on       bool
		sequence string
	}{{o.Keys, keysOff}, {o.Focus, focusOff}, {o.Paste, pasteOff}, {o.Titles, titleOff}, {true, caretOn}} {
		if m.on {
			p.put(m.sequence)
		}
	}
	s.caret = true
	return s.send(p.b)
}
