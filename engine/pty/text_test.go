package pty

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"wisp/engine/pty/screen"
	"wisp/engine/text"
)

// silent is a session without a program: what it is given stands for what one prints.
func silent() *Session {
	s := &Session{
		set: &Set{config: Config{Clock: func() time.Time { return time.Time{} }}}, state: Running, drained: make(chan struct{}),
		waiters: map[*waiter]bool{}, reads: make(chan struct{}, 1),
	}
	s.screen = screen.New(defaultColumns, defaultRows, nil)
	return s
}

func (s *Session) all(most int) string {
	var b strings.Builder
	for {
		page := s.Read(context.Background(), most, Wait{})
		b.WriteString(page.Text)
		if page.Remain == 0 {
			return b.String()
		}
	}
}

// FuzzReads holds that what is read is the same text however the output was cut and the reads were, and that what is waited
// for is seen where it is there.
func FuzzReads(f *testing.F) {
	for _, s := range []string{"plain \x1b[1mBold \x1b[0m\r\n", "10%\r20%\b\bx\n", "\x1b]0;x", "你好é\u0301\n\xff", "a\nb\nc", strings.Repeat("x", 9000) + "\ry"} {
		f.Add([]byte(s), uint8(3), uint8(5))
	}
	f.Fuzz(func(t *testing.T, in []byte, n, most uint8) {
		want := text.Clean(string(in))
		cut, all := silent(), silent()
		for rest := in; len(rest) > 0; {
			k := min(int(n)+1, len(rest))
			cut.take(rest[:k])
			rest = rest[k:]
		}
		cut.mu.Lock()
		cut.print(cut.cleaner.Close())
		cut.mu.Unlock()
		if got := cut.all(int(most) + 1); got != want {
			t.Fatalf("cut: %q, want %q", got, want)
		}
		// Read as it comes: each line's last state is there, and only what is written over comes twice.
		var b strings.Builder
		for rest := in; len(rest) > 0; {
			k := min(int(n)+1, len(rest))
			all.take(rest[:k])
			rest = rest[k:]
			b.WriteString(all.all(int(most) + 1))
		}
		if !bytes.ContainsAny(in, "\r\b\x1b") && bytes.IndexByte(in, 0x9b) < 0 && bytes.IndexByte(in, 0xc2) < 0 && utf8.Valid(in) && b.String() != want {
			t.Fatalf("as it came: %q, want %q", b.String(), want)
		}
		if !utf8.ValidString(b.String()) {
			t.Fatalf("not UTF-8: %q", b.String())
		}
	})
}

// FuzzBacklog holds the ring to what it stands for: a text, of which the newest is kept.
func FuzzBacklog(f *testing.F) {
	f.Add([]byte("abc你好"), []byte{1, 200, 3, 255, 9, 9})
	f.Fuzz(func(t *testing.T, unit, steps []byte) {
		if len(unit) == 0 || len(unit) > 100 {
			return
		}
		piece := []rune(strings.ToValidUTF8(string(unit), "?"))
		var b backlog
		var model []rune // what isn't read
		lost := 0
		for i, step := range steps[:min(len(steps), 60)] {
			if i%2 == 0 {
				p := []rune(strings.Repeat(string(piece), 1+int(step)*int(step)/len(piece)))
				b.add([]byte(string(p)))
				model = append(model, p...)
				if over := len(model) - retained; over > 0 {
					model, lost = model[over:], lost+over
				}
				continue
			}
			got := []rune(string(b.take(nil, 1+int(step)*97)))
			if len(got) > len(model) || string(got) != string(model[:len(got)]) || len(got) == 0 && len(model) > 0 || len(got) > 1+int(step)*97 {
				t.Fatalf("step %d: %d characters, of %d", i, len(got), len(model))
			}
			if b.lost != lost {
				t.Fatalf("lost %d, not %d", b.lost, lost)
			}
			b.lost, lost = 0, 0
			model = model[len(got):]
			if b.unread != len(model) || b.chars > retained || len(b.ring) > mostRing {
				t.Fatalf("%d unread, not %d; %d held", b.unread, len(model), b.chars)
			}
		}
		b.shrink()
		if got := []rune(string(b.take(nil, retained))); b.unread == 0 && string(got) != string(model) {
			t.Fatalf("the rest: %d characters, of %d", len(got), len(model))
		}
	})
}

func TestRetained(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"x", "é", "你", "🙂"} {
		s := silent()
		for range 30 {
			s.take([]byte(strings.Repeat(unit, 99) + "\n"))
			s.take([]byte(strings.Repeat(strings.Repeat(unit, 99)+"\n", 100)))
		}
		page := s.Read(context.Background(), 1<<30, Wait{})
		if n := utf8.RuneCountInString(page.Text); n > MostCharacters || n < MostCharacters/2 || page.Lost != 303_000-retained || n+page.Remain != retained {
			t.Errorf("%s: %d lost, %d read, %d remain", unit, page.Lost, n, page.Remain)
		}
		if len(s.out.ring) > mostRing {
			t.Errorf("%d bytes", len(s.out.ring))
		}
	}
}
