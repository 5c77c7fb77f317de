package protocol

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzDecodeIn(f *testing.F) {
	in, out := sampleLines(f)
	for _, line := range append(in, out...) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		DecodeOut(line)
		m, fault := DecodeIn(line)
		if fault != nil {
			if m != nil || fault.Message == "" || fault.Code != BadJSON && fault.Code != BadField && fault.Code != UnknownType {
				t.Fatalf("%#v, %+v", m, fault)
			}
			return
		}
		once := AppendIn(nil, m)
		again, fault := DecodeIn(once)
		if fault != nil {
			t.Fatalf("%s: %v", once, fault)
		}
		if twice := AppendIn(nil, again); !bytes.Equal(once, twice) {
			t.Fatalf("%s became %s", once, twice)
		}
	})
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain", "\x00\x1b\x7f\u009b\u2028\ufffd", "\xff\xed\xa0\x80", `"\`, "你🙂"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := AppendString(nil, s)
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%v in %q", err, got)
		}
		want := strings.ReplaceAll(string([]rune(s)), "\x00", "␀") // as runes, each invalid byte is a U+FFFD
		if back != want {
			t.Fatalf("%q became %q", s, back)
		}
		for _, r := range string(got) {
			if r < 0x20 || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029' {
				t.Fatalf("%U stands raw in %q", r, got)
			}
		}
		wholesome(t, AppendOut(nil, 1, Output{Of: s, Stream: "stdout", Text: s}), "output", 1)
		slow, fast := AppendOut(nil, 1, Output{Of: "c", Text: s + "x", Request: "r"}), AppendOut(nil, 1, Output{Of: "c", Text: s + "x"})
		a, _, _ := DecodeOut(slow)
		b, _, _ := DecodeOut(fast)
		if a.(Output).Text != b.(Output).Text {
			t.Fatalf("two codings of %q:\n%s%s", s, slow, fast)
		}
	})
}

func FuzzConn(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbf! ls\r\n{\"type\":\"quit\"}\n[\n\nx"))
	f.Add([]byte(`{"type":"prompt","text":"` + strings.Repeat("x", 200) + "\"}\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		c := NewConn(bytes.NewReader(in), io.Discard)
		reads := 0
		for ; ; reads++ {
			m, err := c.Read()
			if _, fault := err.(*Fault); err != nil && !fault {
				if err != io.EOF {
					t.Fatal(err)
				}
				break
			}
			if (m == nil) == (err == nil) {
				t.Fatalf("%v, %v", m, err)
			}
		}
		if most := bytes.Count(in, []byte("\n")) + 1; reads > most {
			t.Fatalf("%d lines gave %d messages", most, reads)
		}
	})
}

func FuzzShrink(f *testing.F) {
	_, out := sampleLines(f)
	for _, line := range out {
		f.Add(bytes.TrimSpace(line), 100)
	}
	f.Add([]byte(`{"a":"`+strings.Repeat(`\n\\你\u00e9\ud83d\ude42`, 300)+`","`+strings.Repeat("k", 3000)+`":"v"}`), 1200)
	f.Fuzz(func(t *testing.T, line []byte, bound int) {
		if !json.Valid(line) || !utf8.Valid(line) {
			return
		}
		bound = max(bound, -bound, 0) & 0xffff
		short := cutTexts(line, bound)
		if !json.Valid(short) {
			t.Fatalf("%q\nbecame %q", line, short)
		}
		if !bytes.Equal(short, line) && len(short) > bound {
			t.Fatalf("%d bytes of %d, bound %d", len(short), len(line), bound)
		}
		if bytes.HasPrefix(line, []byte("{")) && len(line) < 1<<16 {
			m := Event{Details: json.RawMessage(line), Text: new(string)}
			*m.Text = strings.Repeat(string(line), 3)
			wholesome(t, AppendOut(nil, 3, m), "event", 3)
		}
	})
}
