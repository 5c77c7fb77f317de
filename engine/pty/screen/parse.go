package screen

// The bounds of a sequence.
const (
	mostParams   = 16
	mostParam    = 9999    // what a number is clamped to
	stringBytes  = 256     // of a string that are kept: no question is longer
	sequenceRoom = 4 << 10 // after which a sequence without an end is given up
)

// state is where in a sequence the parser stands.
type state byte

const (
	ground  state = iota
	escape        // after ESC
	between       // after ESC and an intermediate byte
	control       // in a CSI
	text          // in a DCS, OSC, APC, PM or SOS
	ending        // in one, after ESC
)

// parser is what is known of the sequence and the character that are not whole yet.
type parser struct {
	state  state
	spent  int
	prefix byte // the first private or intermediate byte of an ESC or CSI; 0 for none
	second byte // the next
	params [mostParams]int
	count  int  // parameters that were begun
	given  bool // the one that is begun has a digit
	kind   byte // of a string: P, ], _, ^, X
	data   []byte
	over   bool // the string is longer than what is kept

	part [4]byte // a character whose rest hasn't come
	held int
}

func (p *parser) enter(st state) {
	p.state, p.spent, p.prefix, p.second = st, 0, 0, 0
	p.params, p.count, p.given = [mostParams]int{}, 0, false
}

func (p *parser) enterText(kind byte) {
	p.enter(text)
	p.kind, p.data, p.over = kind, p.data[:0], false
}

// spend counts what a sequence takes, and gives it up at the bound.
func (p *parser) spend() {
	if p.spent++; p.spent >= sequenceRoom {
		p.state = ground
	}
}

// keep takes one byte of a string.
func (p *parser) keep(b ...byte) {
	if len(p.data)+len(b) > stringBytes {
		p.over = true
		return
	}
	p.data = append(p.data, b...)
}

// param returns a parameter, or what stands for one that is 0 or wasn't given.
func (p *parser) param(i, otherwise int) int {
	if i >= p.count || p.params[i] == 0 {
		return otherwise
	}
	return p.params[i]
}

// ascii takes one byte below 0x80 that isn't printed.
func (s *Screen) ascii(b byte) {
	if s.state == ground {
		s.c0(b)
		return
	}
	s.spend()
	switch s.state {
	case ground: // the bound was reached with this byte
		return
	case text:
		s.inText(b)
		return
	case ending:
		if b == '\\' {
			s.endText()
			return
		}
		s.enter(escape) // an ESC that doesn't end the string ends it all the same, and begins a sequence
		s.ascii(b)
		return
	}
	switch {
	case b == 0x1b:
		s.enter(escape)
	case b == 0x18 || b == 0x1a:
		s.state = ground
	case b < 0x20: // obeyed in the middle of the sequence
		s.c0(b)
	case b == 0x7f:
	case s.state == control:
		s.inControl(b)
	default:
		s.inEscape(b)
	}
}

// inText takes one byte of a string.
func (s *Screen) inText(b byte) {
	switch b {
	case 0x07:
		s.endText()
	case 0x18, 0x1a:
		s.state = ground
	case 0x1b:
		s.state = ending
	case '\n': // to lose a picture is better than to lose text
		s.state = ground
		s.c0(b)
	default:
		s.keep(b)
	}
}

// endText ends a string, with what a terminal answers to it.
func (s *Screen) endText() {
	s.state = ground
	if s.over {
		return
	}
	switch s.kind {
	case ']':
		s.osc(string(s.data))
	case 'P':
		s.dcs(string(s.data))
	}
}

// inEscape takes one byte after ESC.
func (s *Screen) inEscape(b byte) {
	switch {
	case b < 0x30:
		if s.state, s.second = between, b; s.prefix == 0 {
			s.prefix = b
		}
	case s.state == between:
		s.state = ground
		s.designate(s.prefix, b)
	case b >= 0x40 && b <= 0x5f:
		s.introduce(b + 0x40) // ESC [ is 0x9b, and so on
	case b == 'k': // the title of screen and tmux
		s.enterText('X')
	default:
		s.state = ground
		s.esc(b)
	}
}

// introduce takes a C1 control, by its 8-bit number.
func (s *Screen) introduce(c byte) {
	switch c {
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		s.enterText(c - 0x40)
	case 0x9b:
		s.enter(control)
	default:
		s.state = ground
		s.c1(c)
	}
}

// inControl takes one byte of a CSI.
func (s *Screen) inControl(b byte) {
	switch {
	case b >= '0' && b <= '9':
		if !s.given && s.count < mostParams {
			s.given = true
			s.count++
		}
		if s.given {
			n := &s.params[s.count-1]
			*n = min(*n*10+int(b-'0'), mostParam)
		}
	case b == ';' || b == ':':
		if !s.given && s.count < mostParams {
			s.count++
		}
		s.given = false
	case b < 0x40:
		if s.prefix == 0 {
			s.prefix = b
		} else {
			s.second = b
		}
	default:
		s.state = ground
		s.csi(b)
	}
}

// wide takes one character beyond ASCII.
func (s *Screen) wide(r rune) {
	inText := s.state == text || s.state == ending
	switch {
	case r <= 0x9f:
		s.c1Byte(byte(r), inText)
	case s.state == ground:
		s.put(r)
	case inText:
		s.state = text
		s.keep([]byte(string(r))...)
		s.spend()
	default: // no such sequence: what came of it is dropped, the character is text
		s.state = ground
		s.put(r)
	}
}

// raw takes one byte that is not UTF-8. The 8-bit introducers work as on a terminal that takes them.
func (s *Screen) raw(b byte) {
	inText := s.state == text || s.state == ending
	switch {
	case b <= 0x9f:
		s.c1Byte(b, inText)
	case inText:
		s.spend()
	default:
		s.state = ground
		s.put('\ufffd')
	}
}

func (s *Screen) c1Byte(c byte, inText bool) {
	switch {
	case inText && c == 0x9c:
		s.endText()
	case inText:
		s.spend()
	default:
		s.introduce(c)
	}
}
