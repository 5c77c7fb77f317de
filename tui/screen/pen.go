package screen

import "strconv"

// pen collects the bytes of one frame. At a frame's start and end the terminal's style is its own and no link is open.
type pen struct {
	b     []byte
	style style
	link  string
	moved bool // the cursor was seen elsewhere than where it was and will be
	cut   bool // the terminal has been told not to wrap
	grow  bool // on the way down rows are made that aren't there: a lower terminal may have cut them off, and not said so yet
}

func (p *pen) start() {
	*p = pen{b: p.b[:0]}
}

func (p *pen) put(s string) { p.b = append(p.b, s...) }

// n writes a control sequence with one number.
func (p *pen) n(n int, final byte) {
	p.b = append(p.b, "\x1b["...)
	if n != 1 {
		p.b = strconv.AppendInt(p.b, int64(n), 10)
	}
	p.b = append(p.b, final)
	p.moved = true
}

// down goes n rows down, or up where n is negative. It never scrolls.
func (p *pen) down(n int) {
	switch {
	case n > 0:
		p.n(n, 'B')
	case n < 0:
		p.n(-n, 'A')
	}
}

// column goes from a column to another.
func (p *pen) column(from, to int) {
	switch {
	case from == to:
	case to == 0:
		p.put("\r")
		p.moved = true
	case to > from && to-from < 10:
		p.n(to-from, 'C')
	case to < from && from-to < 10:
		p.n(from-to, 'D')
	default:
		p.n(to+1, 'G')
	}
}

func (p *pen) wear(s style, link string) {
	p.b = appendSGR(p.b, p.style, s)
	p.style = s
	if link == p.link {
		return
	}
	p.link = link
	if link == "" {
		link = ";"
	}
	p.put("\x1b]8;")
	p.put(link)
	p.put("\x1b\\")
}

// plain ends style and link: before anything that erases or scrolls, which would spread the ground.
func (p *pen) plain() { p.wear(style{}, "") }

// cells writes cells from a column on. Where placed is set, what terminals may draw in another width than ours is put in
// its place by hand, so that nothing behind it is off; it may not make the row wrap either.
func (p *pen) cells(all []cell, col int, placed bool) {
	for i := range all {
		c := &all[i]
		if c.width == 0 {
			continue
		}
		p.wear(c.style, c.link)
		if !placed || !c.multi() {
			p.put(c.text)
			continue
		}
		p.wrap(false)
		p.put("  "[:c.width])
		p.n(col+i+1, 'G')
		p.put(c.text)
		p.n(col+i+1+int(c.width), 'G')
	}
}

// rest erases the row from the cursor on, with a ground.
func (p *pen) rest(ground color) {
	p.wear(style{ground: ground}, "")
	p.put("\x1b[K")
}

// wrap says whether the terminal is to go to the next row by itself at the margin. It is off while the band is drawn: should
// the terminal have become narrower without our knowing yet, a row of the band still takes one row.
func (p *pen) wrap(on bool) {
	switch {
	case on && p.cut:
		p.put("\x1b[?7h")
	case !on && !p.cut:
		p.put("\x1b[?7l")
	}
	p.cut = !on
}

// room makes sure that there are n more rows below the cursor, by scrolling where there aren't, and stays.
func (p *pen) room(n int) {
	if n < 1 {
		return
	}
	p.feed(n)
	p.down(-n)
}

// feed goes n rows down, by scrolling where the screen ends.
func (p *pen) feed(n int) {
	for range n {
		p.put("\n")
	}
	p.moved = true
}

// clearBelow erases the cursor's row, where it must be in column 0, and all below. It doesn't do so by ESC [ J in the first
// row, because tmux answers that, in the screen's corner, by moving what is there into the scrollback.
func (p *pen) clearBelow() {
	p.put("\x1b[K\x1b7\x1b[B\x1b[J\x1b8")
	p.moved = true
}
