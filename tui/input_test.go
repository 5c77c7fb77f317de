package tui

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// However the bytes are cut, all of them are handed on in order, and no piece ends within a paste, a character or a paste's mark.
func TestParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{
			"a", "ö", "你好", "👨‍👩‍👧", "\x1b", "\x1b[A", "\x1bOP", "\r", pasteBegins + "one\rwörd 你" + pasteEnds, pasteBegins + pasteEnds,
			pasteBegins + "\x1b[20" + pasteEnds, "\x1b[200", "\xff",
		})).Draw(t, "pieces")
		all := strings.Join(pieces, "")
		var p parts
		var got []byte
		for rest := []byte(all); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			whole := p.add(rest[:n])
			rest = rest[n:]
			got = append(got, whole...)
			if bytes.Count(got, []byte(pasteBegins)) > 0 {
				after := got[bytes.LastIndex(got, []byte(pasteBegins)):]
				if len(after) > len(pasteBegins) && !bytes.Contains(after, []byte(pasteEnds)) {
					t.Fatalf("handed on within a paste: %q", got)
				}
			}
			if tail, _ := utf8.DecodeLastRune(whole); tail == utf8.RuneError && len(whole) > 0 && !bytes.HasSuffix(whole, []byte("\xff")) {
				t.Fatalf("handed on within a character: %q", whole)
			}
		}
		if all := all; !bytes.Equal(append(got, p.held...), []byte(all)) {
			t.Fatalf("got %q and holds %q of %q", got, p.held, all)
		}
	})
}

// A paste that never ends holds a bounded part of what comes.
func TestPartsBounded(t *testing.T) {
	t.Parallel()
	var p parts
	total := len(p.add([]byte(pasteBegins)))
	block := bytes.Repeat([]byte("x"), 64<<10)
	for range 300 {
		total += len(p.add(block))
		if len(p.held) > maxPaste+len(block) {
			t.Fatalf("holds %d bytes", len(p.held))
		}
	}
	total += len(p.add([]byte(pasteEnds))) + len(p.held)
	if want := len(pasteBegins) + 300*len(block) + len(pasteEnds); total != want || p.pasting {
		t.Errorf("%d bytes of %d", total, want)
	}
}
