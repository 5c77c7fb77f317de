package thread

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func FuzzOpen(f *testing.F) {
	f.Add([]byte("{\"record\":1}\n{\"number\":1,\"kind\":\"prompt\"}\n"))
	f.Add([]byte("{\"record\":1}\nx\n{\"number\":1,\"kind\":\"prompt\"}\n{\"number\":2,\"ki"))
	f.Add([]byte("{\"number\":1,\"kind\":\"call\",\"call\":null}"))
	f.Add([]byte("\n\n\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		home := t.TempDir()
		c := config(home)
		c.ID = "01KEFRQ6Y0000000000000000A"
		must(t, os.MkdirAll(folder(home, c.ID), 0o700))
		path := filepath.Join(folder(home, c.ID), fileName)
		must(t, os.WriteFile(path, data, 0o600))
		r, err := Open(c)
		if err != nil {
			if now, _ := os.ReadFile(path); !bytes.Equal(now, data) {
				t.Fatalf("refused and changed: %q", now)
			}
			return
		}
		before := len(r.Entries())
		must(t, r.Append(Entry{Kind: Prompt, Text: "new"}))
		must(t, r.Close())
		h, err := Read(home, c.ID)
		must(t, err)
		if len(h.Entries) != before+1 || h.Entries[before].Text != "new" || h.torn > 0 {
			t.Fatalf("%d entries were %d", len(h.Entries), before)
		}
	})
}

func BenchmarkOpen100000(b *testing.B) {
	home := b.TempDir()
	r, err := Create(config(home))
	if err != nil {
		b.Fatal(err)
	}
	for i := range 20000 {
		r.Append(
			Entry{Turn: i, Kind: Prompt, Text: "please look at this file and say what is wrong with it"},
			Entry{Turn: i, Step: 1, Kind: CallKind, Call: &Call{ID: "call_1", Name: "shell", Arguments: json.RawMessage(`{"command":"go test ./..."}`)}},
			Entry{Turn: i, Step: 1, Kind: OutputKind, Output: &Output{ID: "8a7b6c5d", Call: "call_1", Text: strings.Repeat("ok  \twisp/engine\t0.1s\n", 40), Lines: 40, Bytes: 900}},
			Entry{Turn: i, Step: 2, Kind: Reply, Text: strings.Repeat("All is well. ", 20)},
			Entry{Turn: i, Kind: CommandKind, Command: &Command{ID: "c1", Line: "git status --short", Directory: "/dir", Decision: "allowed"}, Output: &Output{Text: "M a.go\n"}},
		)
	}
	c := config(home)
	c.ID = r.ID()
	info, _ := os.Stat(r.Path())
	r.Close()
	b.SetBytes(info.Size())
	for b.Loop() {
		r, err := Open(c)
		if err != nil || len(r.Entries()) != 100000 {
			b.Fatal(err)
		}
		r.Close()
	}
}

func BenchmarkAppend(b *testing.B) {
	r, _ := Create(config(b.TempDir()))
	for b.Loop() {
		if err := r.Append(Entry{Turn: 1, Kind: Prompt, Text: "please look at this file"}); err != nil {
			b.Fatal(err)
		}
	}
}
