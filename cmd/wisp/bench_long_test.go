//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// long is a conversation of 100 000 entries, as a window makes it: to go back to it, to look at its next request, and the memory that
// both take. literal is the same of which nothing was condensed.
func (p programs) long(b *testing.B)    { p.lengthy(b, true) }
func (p programs) literal(b *testing.B) { p.lengthy(b, false) }

func (p programs) lengthy(b *testing.B, condensed bool) {
	const id = "01M8RKQJJ5ZTPD4MMCWSCTFS04"
	var open, first, again, peak []float64
	for b.Loop() {
		cmd := p.chat(b, tour)
		cmd.Args = append(cmd.Args, "--resume="+id)
		writeLong(b, filepath.Join(cmd.Dir, "wisp", "threads", id), id, cmd.Dir, condensed)
		var s *process
		open = append(open, took(func() {
			s = start(b, cmd)
			s.until(`"type":"ready"`)
		}))
		s.until(`"type":"status"`, `"model":"`)
		for i := range 3 {
			one := took(func() {
				s.send(`{"type":"line","text":"/context next"}`)
				s.until(`"type":"view"`)
			})
			if i == 0 {
				first = append(first, one)
			} else {
				again = append(again, one)
			}
		}
		peak = append(peak, s.memory("VmHWM"))
		s.end()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(open), "ready-ms")
	b.ReportMetric(median(first), "first-view-ms")
	b.ReportMetric(median(again), "view-ms")
	b.ReportMetric(slices.Max(peak), "MiB")
}

// writeLong writes the record; with condensed its last turns alone are literal.
func writeLong(b *testing.B, dir, id, work string, condensed bool) {
	b.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "record.jsonl"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintf(w, `{"record":1,"thread":"%s","directory":"%s","created":"2026-11-30T10:00:00Z","version":"dev"}`+"\n", id, work)
	number := 0
	entry := func(turn int, kind, rest string) {
		number++
		fmt.Fprintf(w, `{"number":%d,"turn":%d,"kind":"%s","time":"2026-11-30T10:00:00Z",%s}`+"\n", number, turn, kind, rest)
	}
	output := strings.Repeat(`some output of a file\n`, 10)
	for turn := 1; number < 100_000; turn++ {
		if condensed && number == 99_900 {
			entry(turn-1, "summary", `"text":"The person had many files read."`)
			entry(turn-1, "condensation", fmt.Sprintf(`"condensation":{"through":%d,"references":%[1]d,"turns":%d}`, number-1, turn-1))
		}
		entry(turn, "prompt", fmt.Sprintf(`"text":"please look at number %d and tell me of it"`, turn))
		entry(turn, "call", fmt.Sprintf(`"step":1,"call":{"id":"c%d","name":"read_file","arguments":{"path":"f%d.txt"}}`, turn, turn))
		entry(turn, "output", fmt.Sprintf(`"step":1,"output":{"call":"c%d","text":"%s","lines":10,"bytes":220}`, turn, output))
		entry(turn, "reply", `"step":2,"text":"I looked, and it is all well there. There was nothing else to be seen, as far as I can tell."`)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
}
