package screen

import "strconv"

// color is 0 for the terminal's own, indexed|n for one of the 256, direct|rgb for any other.
type color uint32

const (
	indexed color = 1 << 24
	direct  color = 2 << 24
)

// attrs are the switches of SGR that a row may turn on.
type attrs uint8

const (
	bold attrs = 1 << iota
	faint
	italic
	blink
	reverse
	conceal
	strike
	overline
)

// style is how a cell looks. Two cells look alike when their styles are equal; the zero value is the terminal's own.
type style struct {
	text, ground, line color // line is the underline's colour
	attrs              attrs
	under              uint8 // 0 none, 1 single, 2 to 5 the kinds of SGR 4:n
}

// mostParameters bounds what is read of one SGR: the longest that means anything has some forty.
const mostParameters = 256

// apply changes the style as the parameters of an SGR say. What it doesn't know it passes over.
func (s *style) apply(params string) {
	if len(params) > mostParameters {
		return
	}
	var nums [mostParameters]int // -1 where a number was left out
	var sub [mostParameters]bool // whether a colon stands before it
	n := 0
	nums[0] = -1
	for i := range len(params) {
		switch c := params[i]; {
		case c >= '0' && c <= '9':
			nums[n] = min(max(nums[n], 0)*10+int(c-'0'), 1<<16)
		case n+1 < mostParameters:
			n++
			nums[n], sub[n] = -1, c == ':'
		}
	}
	for i := 0; i <= n; {
		end := i + 1
		for end <= n && sub[end] {
			end++
		}
		i += s.applyOne(nums[i:n+1], end-i)
	}
}

// applyOne applies the first of some numbers, of which the first `group` belong together by colons, and returns how many
// it used.
func (s *style) applyOne(nums []int, group int) int {
	p := max(nums[0], 0)
	switch {
	case p == 38 || p == 48 || p == 58:
		c, used, ok := extended(nums, group)
		if ok {
			*s.slot(p) = c
		}
		return used
	case p == 4:
		s.under = 1
		if group > 1 {
			s.under = uint8(min(max(nums[1], 0), 5))
		}
	case p == 21:
		s.under = 2
	case p == 24:
		s.under = 0
	case p >= 30 && p <= 37, p >= 40 && p <= 47:
		*s.slot(p) = indexed | color(p%10)
	case p >= 90 && p <= 97, p >= 100 && p <= 107:
		*s.slot(p) = indexed | color(p%10+8)
	case p == 39 || p == 49 || p == 59:
		*s.slot(p) = 0
	default:
		s.toggle(p)
	}
	return group
}

// slot is the colour that a code sets: 3n and 9n the text's, 4n and 10n the ground's, 5n the underline's.
func (s *style) slot(code int) *color {
	switch code / 10 {
	case 4, 10:
		return &s.ground
	case 5:
		return &s.line
	}
	return &s.text
}

func (s *style) toggle(p int) {
	switch p {
	case 0:
		*s = style{}
	case 1, 2, 3:
		s.attrs |= bold << (p - 1)
	case 5, 6:
		s.attrs |= blink
	case 7, 8, 9:
		s.attrs |= reverse << (p - 7)
	case 53:
		s.attrs |= overline
	case 22:
		s.attrs &^= bold | faint
	case 23:
		s.attrs &^= italic
	case 25:
		s.attrs &^= blink
	case 27, 28, 29:
		s.attrs &^= reverse << (p - 27)
	case 55:
		s.attrs &^= overline
	}
}

// extended reads 38;5;n, 38;2;r;g;b and their spellings with colons, where a colour space may stand before r.
func extended(nums []int, group int) (c color, used int, ok bool) {
	switch used = 1; {
	case group > 1:
		used, nums = group, nums[:group]
		if nums[1] == 2 && group > 5 {
			nums = append([]int{nums[0], 2}, nums[3:]...)
		}
	case len(nums) > 1 && nums[1] == 5:
		used = min(3, len(nums))
	case len(nums) > 1 && nums[1] == 2:
		used = min(5, len(nums))
	}
	switch {
	case len(nums) >= 3 && nums[1] == 5 && nums[2] <= 255:
		return indexed | color(max(nums[2], 0)), used, true
	case len(nums) >= 5 && nums[1] == 2 && max(nums[2], nums[3], nums[4]) <= 255:
		return direct | color(max(nums[2], 0))<<16 | color(max(nums[3], 0))<<8 | color(max(nums[4], 0)), used, true
	}
	return 0, used, false
}

// appendSGR appends what changes the terminal from one style to another: from scratch where something is turned off,
// else only what is new.
func appendSGR(b []byte, from, to style) []byte {
	if from == to {
		return b
	}
	b = append(b, "\x1b["...)
	if to == (style{}) {
		return append(b, 'm')
	}
	start := len(b)
	if from.attrs&^to.attrs != 0 || from.under != 0 && to.under == 0 {
		b, from = append(b, "0;"...), style{}
	}
	codes := [...]string{"1;", "2;", "3;", "5;", "7;", "8;", "9;", "53;"}
	for i, code := range codes {
		if (to.attrs&^from.attrs)&(1<<i) != 0 {
			b = append(b, code...)
		}
	}
	if to.under != from.under {
		b = append(b, '4')
		if to.under > 1 {
			b = append(b, ':', '0'+to.under)
		}
		b = append(b, ';')
	}
	b = appendColor(b, from.text, to.text, 30)
	b = appendColor(b, from.ground, to.ground, 40)
	b = appendColor(b, from.line, to.line, 50)
	if len(b) > start {
		b = b[:len(b)-1] // the last semicolon
	}
	return append(b, 'm')
}

func appendColor(b []byte, from, to color, base int) []byte {
	n := int(to & 0xffffff)
	switch {
	case from == to:
		return b
	case to == 0:
		return append(strconv.AppendInt(b, int64(base+9), 10), ';')
	case to&indexed != 0 && n < 8 && base != 50:
		return append(strconv.AppendInt(b, int64(base+n), 10), ';')
	case to&indexed != 0 && n < 16 && base != 50:
		return append(strconv.AppendInt(b, int64(base+52+n), 10), ';')
	}
	b = strconv.AppendInt(b, int64(base+8), 10)
	if to&indexed != 0 {
		b = append(b, ";5;"...)
		return append(strconv.AppendInt(b, int64(n), 10), ';')
	}
	b = append(b, ";2"...)
	for shift := 16; shift >= 0; shift -= 8 {
		b = strconv.AppendInt(append(b, ';'), int64(n>>shift&0xff), 10)
	}
	return append(b, ';')
}
