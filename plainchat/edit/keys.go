package edit

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Name is a key's.
type Name int

// The keys. What has no name here is swallowed: it never becomes text.
const (
	Char  Name = iota // Text is what was typed
	Paste             // Text is what was pasted, its line ends made \n
	Enter
	Newline // Alt-Enter
	Backspace
	Delete
	Left
	Right
	Up
	Down
	Home
	EndKey
	WordLeft
	WordRight
	WordBackspace
	WordDelete
	TabKey
	CtrlC
	CtrlD
	CtrlK
	CtrlL
	CtrlT
	CtrlU
	CtrlW
	CtrlY
	AltY
	CtrlZ
	CtrlUnderscore
	CtrlS
)

// Key is one key.
type Key struct {
	Name Name
	Text string
}

// The marks that a terminal puts around a paste where it was asked to.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// maxSequence bounds an escape sequence; a longer one is no key.
const maxSequence = 4 << 10

// Decoder makes keys of a terminal's bytes, however they are cut. Sequences that it doesn't know, late answers to
// questions that another program asked among them, are swallowed whole. The zero value is ready.
type Decoder struct {
	pending []byte
	pasting bool
	scanned int // bytes of a paste that hold no end
}

// Feed takes bytes and returns the keys that are whole.
func (d *Decoder) Feed(b []byte) []Key {
	d.pending = append(d.pending, b...)
	var keys []Key
	for len(d.pending) > 0 {
		k, known, size := d.one()
		if size == 0 {
			break
		}
		d.pending = d.pending[size:]
		if known {
			keys = append(keys, k)
		}
	}
	if len(d.pending) == 0 {
		d.pending = nil
	}
	return keys
}

// Waiting says that a sequence has begun whose end hasn't come. Where it doesn't within a moment, it was the Esc key:
// call [Decoder.Drop].
func (d *Decoder) Waiting() bool { return len(d.pending) > 0 && !d.pasting }

// Drop forgets a sequence that has begun.
func (d *Decoder) Drop() {
	if d.Waiting() {
		d.pending = nil
	}
}

// one reads the first key: known where it has a name, its size in bytes, and size 0 where it isn't whole yet.
func (d *Decoder) one() (k Key, known bool, size int) {
	if d.pasting {
		return d.paste()
	}
	b := d.pending
	switch c := b[0]; {
	case c == 0x1b:
		return d.escape()
	case c < 0x20 || c == 0x7f:
		name, ok := control(c)
		return Key{Name: name}, ok, 1
	}
	n := 0 // all that was typed up to the next control is one key: a burst costs one redraw
	for n < len(b) && b[n] >= 0x20 && b[n] != 0x7f && utf8.FullRune(b[n:]) {
		_, w := utf8.DecodeRune(b[n:])
		n += w
	}
	return Key{Name: Char, Text: strings.ToValidUTF8(string(b[:n]), "\uFFFD")}, true, n
}

// paste reads up to a paste's end mark. Everything before it is text, control characters too, and line ends are made one
// kind; it is not searched again for each piece that comes.
func (d *Decoder) paste() (k Key, known bool, size int) {
	from := max(d.scanned-len(pasteEnd), 0)
	i := bytes.Index(d.pending[from:], []byte(pasteEnd))
	if i < 0 {
		d.scanned = len(d.pending)
		return Key{}, false, 0
	}
	end := from + i
	text := strings.ToValidUTF8(string(d.pending[:end]), "\uFFFD")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	d.pasting, d.scanned = false, 0
	return Key{Name: Paste, Text: text}, text != "", end + len(pasteEnd)
}

// escape reads a sequence that begins with ESC.
func (d *Decoder) escape() (k Key, known bool, size int) {
	b := d.pending
	if len(b) == 1 {
		return Key{}, false, 0
	}
	switch b[1] {
	case '[':
		return d.csi()
	case 'O':
		if len(b) == 2 {
			return Key{}, false, 0
		}
		name, ok := final(b[2], "")
		return Key{Name: name}, ok, 3
	case ']', 'P', '_', '^', 'X': // a terminal's answer: up to BEL or ST
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return Key{}, false, i + 1
			}
			if b[i] == '\\' && b[i-1] == 0x1b {
				return Key{}, false, i + 1
			}
		}
		return d.unfinished()
	case 0x1b:
		return Key{}, false, 1
	}
	name, ok := alt(b[1])
	return Key{Name: name}, ok, 2
}

// csi reads ESC [ parameters final.
func (d *Decoder) csi() (k Key, known bool, size int) {
	b := d.pending
	for i := 2; i < len(b); i++ {
		c := b[i]
		if c >= 0x40 && c <= 0x7e {
			parameters := string(b[2:i])
			if string(b[:i+1]) == pasteStart {
				d.pasting = true
				return Key{}, false, i + 1
			}
			name, ok := final(c, parameters)
			return Key{Name: name}, ok, i + 1
		}
		if c < 0x20 || c > 0x7e {
			return Key{}, false, i // broken off: what comes now is a key of its own
		}
	}
	return d.unfinished()
}

// unfinished waits for a sequence's end, but not for ever.
func (d *Decoder) unfinished() (k Key, known bool, size int) {
	if len(d.pending) > maxSequence {
		return Key{}, false, len(d.pending)
	}
	return Key{}, false, 0
}

// control names a control character. A line feed is Enter too: scripts send it, and so does what was typed before the
// terminal was put into its mode.
func control(c byte) (Name, bool) {
	switch c {
	case '\r', '\n':
		return Enter, true
	case '\t':
		return TabKey, true
	case 0x7f, 0x08:
		return Backspace, true
	}
	const swallowed = Char // no control character is text
	name := [...]Name{
		1: Home, 2: Left, 3: CtrlC, 4: CtrlD, 5: EndKey, 6: Right, 11: CtrlK, 12: CtrlL, 14: Down, 16: Up, 19: CtrlS,
		20: CtrlT, 21: CtrlU, 23: CtrlW, 25: CtrlY, 26: CtrlZ, 31: CtrlUnderscore,
	}[c]
	return name, name != swallowed
}

// alt names a key with Alt.
func alt(c byte) (Name, bool) {
	switch c {
	case 'b', 'B':
		return WordLeft, true
	case 'f', 'F':
		return WordRight, true
	case 'd', 'D':
		return WordDelete, true
	case 0x7f, 0x08:
		return WordBackspace, true
	case 'y', 'Y':
		return AltY, true
	case '\r', '\n':
		return Newline, true
	}
	return 0, false
}

// final names a sequence by its last byte and its parameters.
func final(c byte, parameters string) (Name, bool) {
	word := strings.HasPrefix(parameters, "1;") && parameters != "1;2" // with Ctrl or Alt
	switch c {
	case 'A':
		return Up, true
	case 'B':
		return Down, true
	case 'C':
		if word {
			return WordRight, true
		}
		return Right, true
	case 'D':
		if word {
			return WordLeft, true
		}
		return Left, true
	case 'H':
		return Home, true
	case 'F':
		return EndKey, true
	case '~':
		switch parameters {
		case "1", "7":
			return Home, true
		case "4", "8":
			return EndKey, true
		case "3":
			return Delete, true
		case "3;5", "3;3":
			return WordDelete, true
		}
	case 'u': // Shift-Enter, Alt-Enter and Ctrl-Enter where the terminal tells them apart
		if strings.HasPrefix(parameters, "13;") {
			return Newline, true
		}
	}
	return 0, false
}
