package ulid

import (
	"strings"
	"testing"
	"time"
)

func TestNew(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ms   int64
		want string // the time's ten digits
	}{
		{0, "0000000000"},
		{1, "0000000001"},
		{1469918176385, "01ARYZ6S41"}, // the example of the specification
		{1<<48 - 1, "7ZZZZZZZZZ"},
		{1 << 48, "7ZZZZZZZZZ"},
		{-1, "7ZZZZZZZZZ"},
	} {
		id := New(time.UnixMilli(test.ms))
		if got, ok := Parse(id); id[:10] != test.want || !ok || got != id {
			t.Errorf("%d: %s, parsed %q %v; want %s", test.ms, id, got, ok, test.want)
		}
	}
	seen := map[string]bool{}
	for range 1000 {
		id := New(time.UnixMilli(1))
		if seen[id] {
			t.Fatalf("%s twice", id)
		}
		seen[id] = true
	}
	for i := range length - 10 { // each random digit is any of them
		values := map[byte]bool{}
		for id := range seen {
			values[id[10+i]] = true
		}
		if len(values) != len(digits) {
			t.Errorf("digit %d has %d values", 10+i, len(values))
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	const id = "01ARYZ6S41TSV4RRFFQ69G5FAV"
	for text, want := range map[string]string{
		id: id, strings.ToLower(id): id, "": "", id[1:]: "", id + "0": "", "8" + id[1:]: "", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ": "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
		id[:25] + "I": "", id[:25] + "U": "", id[:25] + "/": "", id[:25] + "\x00": "", id[:24] + "ſ": "", id[:23] + "K": "",
	} {
		if got, ok := Parse(text); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v; want %q", text, got, ok, want)
		}
	}
}
