package thread

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// large puts a thread of so many entries on the disk, a quarter of them outputs of 200 bytes, and returns its id.
func large(b *testing.B, home string, entries int) string {
	b.Helper()
	id := "01KBA3M9VD8QF2Z5W7X9Y1B3C4"
	if err := os.MkdirAll(folder(home, id), 0o700); err != nil {
		b.Fatal(err)
	}
	all := make([]Entry, entries)
	at := config(home).Now()
	for i := range all {
		e := Entry{Number: i + 1, Turn: i/4 + 1, Step: 1, Time: at}
		switch i % 4 {
		case 0:
			e.Kind, e.Text = Prompt, "what does this do, and why is it so?"
		case 1:
			e.Kind, e.Call = CallKind, &Call{ID: fmt.Sprint(i), Name: "shell", Arguments: []byte(`{"command":"git log --oneline"}`)}
		case 2:
			e.Kind, e.Output = OutputKind, &Output{ID: "8a7b6c5d", Call: fmt.Sprint(i - 1), Text: strings.Repeat("a line\n", 28), Lines: 28, Bytes: 200}
		default:
			e.Kind, e.Text = Reply, strings.Repeat("It does what it says. ", 8)
		}
		all[i] = e
	}
	header := Header{Record: Version, Thread: id, Directory: "/dir", Created: at, Version: "0.1"}
	if err := writeWhole(filepath.Join(folder(home, id), fileName), header, all); err != nil {
		b.Fatal(err)
	}
	return id
}

// BenchmarkAppendAt appends an entry, unsynced, to threads of 10 and of 100 000: the cost is the same.
func BenchmarkAppendAt(b *testing.B) {
	for _, entries := range []int{10, 100_000} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			home := b.TempDir()
			c := config(home)
			c.ID = large(b, home, entries)
			r, err := Open(c)
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			runtime.GC()
			for b.Loop() {
				if err := r.Append(Entry{Turn: 1, Kind: Prompt, Text: "more of the same"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkScan looks for a text in a thread of 100 000 entries, as a search does.
func BenchmarkScan(b *testing.B) {
	home := b.TempDir()
	id := large(b, home, 100_000)
	for b.Loop() {
		found := 0
		if err := Scan(home, id, []Kind{Prompt, Reply}, func(e Entry) bool {
			if strings.Contains(e.Text, "nowhere") {
				found++
			}
			return true
		}); err != nil || found > 0 {
			b.Fatal(found, err)
		}
	}
}
