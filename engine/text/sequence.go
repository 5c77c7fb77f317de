package text

// enter begins a sequence.
func (c *Cleaner) enter(s state) {
	c.state, c.spent, c.param, c.first, c.mark = s, 0, -1, true, false
}

// spend counts what the sequence takes, and ends it at the bound.
func (c *Cleaner) spend(n int) {
	if c.spent += n; c.spent >= sequenceBound {
		c.state = ground
	}
}

func (c *Cleaner) inString() bool { return c.state >= command }

// introduce takes a C1 control, by its 8-bit number. Those that begin nothing are dropped.
func (c *Cleaner) introduce(b byte) {
	switch b {
	case 0x8e, 0x8f:
		c.enter(shift)
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		c.enter(command)
	case 0x9b:
		c.enter(control)
	default:
		c.state = ground
	}
}

// sequence takes one ASCII byte within a sequence. It is always counted, so that no sequence goes on for ever.
func (c *Cleaner) sequence(dst []byte, b byte) []byte {
	c.spend(1)
	switch c.state {
	case ground: // the bound was reached with this byte
		return dst
	case command:
		return c.inside(dst, b)
	case ending:
		if b == '\\' {
			c.state = ground
			return dst
		}
		if b == 0x1b {
			return dst
		}
		// An ESC that doesn't end the string ends it all the same, and begins a sequence.
		c.enter(escape)
		return c.sequence(dst, b)
	}
	switch {
	case b == 0x1b:
		c.enter(escape)
	case b == 0x18 || b == 0x1a:
		c.state = ground
	case b == 0x7f:
	case b < 0x20: // a terminal obeys it in the middle of the sequence
		return c.obey(dst, b)
	case c.state == escape:
		c.afterEscape(b)
	case c.state == between:
		if b >= 0x30 {
			c.state = ground
		}
	case c.state == control:
		return c.parameter(dst, b)
	case c.state == shift:
		c.state = ground
	}
	return dst
}

// inside takes one ASCII byte within a string.
func (c *Cleaner) inside(dst []byte, b byte) []byte {
	switch b {
	case 0x07, 0x18, 0x1a:
		c.state = ground
	case 0x1b:
		c.state = ending
	case '\n':
		c.state = ground
		return c.ascii(dst, b)
	}
	return dst
}

// obey does what a control character does, and goes on with the sequence it stood in.
func (c *Cleaner) obey(dst []byte, b byte) []byte {
	if b == 0 {
		return dst
	}
	held := c.state
	c.state = ground
	dst = c.ascii(dst, b)
	c.state = held
	return dst
}

// afterEscape takes the byte after ESC.
func (c *Cleaner) afterEscape(b byte) {
	switch {
	case b < 0x30:
		c.state = between
	case b >= 0x40 && b <= 0x5f:
		c.introduce(b + 0x40) // ESC [ is 0x9b, and so on
	case b == 'k': // the title of screen and tmux
		c.enter(command)
	default:
		c.state = ground
	}
}

// parameter takes one byte of a CSI. Erasing in the line and moving in it are obeyed, all others are dropped.
func (c *Cleaner) parameter(dst []byte, b byte) []byte {
	switch {
	case b >= '0' && b <= '9':
		if c.first {
			c.param = min(max(c.param, 0)*10+int(b-'0'), lineBound)
		}
		return dst
	case b == ';' || b == ':':
		c.first = false
		return dst
	case b < 0x40:
		c.mark = true
		return dst
	}
	c.state = ground
	if c.mark {
		return dst
	}
	switch b {
	case 'K':
		c.line.erase(c.param)
	case 'G':
		c.line.start()
		c.line.forward(max(c.param, 1) - 1)
	case 'C':
		c.line.forward(max(c.param, 1))
	case 'D':
		c.line.back(max(c.param, 1))
	}
	return dst
}

// passed returns the length of what p begins with where that changes nothing and is whole: a colour, or the carriage return of a line's
// end. It is a short way through what is common, and 0 says no more than that it isn't taken.
func passed(p []byte) int {
	const longest = 32
	switch {
	case len(p) < 2:
		return 0
	case p[0] == '\r' && p[1] == '\n':
		return 1
	case p[0] != 0x1b || p[1] != '[':
		return 0
	}
	for i, b := range p[2:min(len(p), longest)] {
		switch {
		case b >= '0' && b <= ';': // a parameter, or what parts two
		case b == 'm':
			return 2 + i + 1
		default:
			return 0
		}
	}
	return 0
}
