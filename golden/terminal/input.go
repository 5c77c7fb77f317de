package terminal

import (
	"slices"
	"strings"
	"time"
)

// sent is what goes to the program: keys, or the terminal's answers. One queue keeps their order: an answer to what has
// been seen comes before what is typed then.
type sent struct {
	bytes []byte
	done  chan struct{} // closed when it is written; nil where nobody waits
}

// Type sends bytes as they are, as if typed at once, and returns when the terminal has taken them. A program that has
// ended gets nothing.
func (c *Terminal) Type(keys string) {
	c.t.Helper()
	limit := time.After(Limit)
	s := sent{[]byte(keys), make(chan struct{})}
	select {
	case c.sending <- s:
	case <-c.silent:
		return
	case <-limit:
		c.t.Fatalf("the program reads nothing\n%s", c.Screen())
	}
	select {
	case <-s.done:
	case <-c.silent:
	case <-limit:
		c.t.Fatalf("the program doesn't read %d bytes\n%s", len(keys), c.Screen())
	}
}

// send writes what is queued, until nobody reads it any more.
func (c *Terminal) send() {
	for {
		select {
		case s := <-c.sending:
			c.master.Write(s.bytes)
			if s.done != nil {
				close(s.done)
			}
		case <-c.silent:
			return
		}
	}
}

// collect takes the emulator's answers from its pipe, which holds the emulator up until they are read.
func (c *Terminal) collect() {
	b := make([]byte, 4096)
	for {
		n, err := c.emulator.Read(b)
		if err != nil {
			return
		}
		if n > 0 && (c.options.Answers || background(b[:n])) {
			select {
			case c.sending <- sent{bytes: slices.Clone(b[:n])}:
			default: // a program that asks so much and reads nothing needs no more answers
			}
		}
	}
}

// Key presses keys by their names, each as the terminal sends it in the modes that hold: "a", "G", "enter", "ctrl+c",
// "alt+enter", "shift+tab", "up", "pgdown", "f1". A name that isn't known fails the test.
func (c *Terminal) Key(names ...string) {
	c.t.Helper()
	for _, name := range names {
		c.mu.Lock()
		keys, ok := encode(name, c.emulator.keyboard(), c.emulator.application)
		c.mu.Unlock()
		if !ok {
			c.t.Fatalf("no key is called %q", name)
		}
		c.Type(keys)
	}
}

// Paste pastes a text as a terminal does: with marks where the program asked for them, without controls, and with a
// return for a newline.
func (c *Terminal) Paste(text string) {
	c.t.Helper()
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '\r'
		case r < ' ' && r != '\r' && r != '\t', r == 0x7f:
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	c.mu.Lock()
	marked := c.emulator.bracketed
	c.mu.Unlock()
	if marked {
		text = "\x1b[200~" + text + "\x1b[201~"
	}
	c.Type(text)
}

// Resize changes the terminal's size, which the program is told by SIGWINCH.
func (c *Terminal) Resize(columns, rows int) {
	c.t.Helper()
	c.mu.Lock()
	c.emulator.resize(columns, rows)
	c.version++
	c.changed.Broadcast()
	c.mu.Unlock()
	c.setSize(columns, rows)
}
