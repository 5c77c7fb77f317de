package tasks

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"wisp/engine/proc"
	"wisp/engine/stop"
)

// prints has a task print something.
func prints(s *Set, id, text string) {
	s.mu.Lock()
	k := s.find(id)
	s.mu.Unlock()
	k.feed.take([]byte(text))
}

// monitored adds a task with a monitor.
func monitored(t *testing.T, s *Set, match ...string) string {
	t.Helper()
	id := begun(t, s)
	if _, _, err := s.Monitor(id, match); err != nil {
		t.Fatal(err)
	}
	return id
}

// Lines are told by plain text in either case, whole, from when the monitor is set, after the time of a batch.
func TestMonitorFinds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s Set
		id := begun(t, &s)
		prints(&s, id, "an ERROR before\n")
		if _, _, err := s.Monitor(id, []string{"Error", "a.b", "ÄRGER"}); err != nil {
			t.Fatal(err)
		}
		prints(&s, id, "fine\nan er")
		prints(&s, id, "ror here\na.b\naxb\nviel ärger\n")
		time.Sleep(batchTime - time.Millisecond)
		if n := s.Waiting(); len(n) != 0 {
			t.Errorf("told early: %+v", n)
		}
		time.Sleep(2 * time.Millisecond)
		n := s.Waiting()
		if want := []string{"an error here", "a.b", "viel ärger"}; len(n) != 1 || !slices.Equal(n[0].Lines, want) || n[0].More != 0 {
			t.Fatalf("told %+v", n)
		}
		prints(&s, id, "no end yet: error")
		s.End(id, proc.Outcome{}, "")
		s.Announce(id)
		all, _ := s.Take()
		if len(all) != 2 || !slices.Equal(all[0].Lines, []string{"an error here", "a.b", "viel ärger", "no end yet: error"}) || all[1].Lines != nil {
			t.Errorf("at the end %+v", all)
		}
	})
}

// A flood is told in bounded notices, what is left out counted, and after the last of them no more.
func TestMonitorBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s Set
		id := monitored(t, &s)
		line := strings.Repeat("ä", lineLength+1) + "\n"
		notices, found := 0, int64(0)
		for range 200 {
			prints(&s, id, strings.Repeat(line, 25))
			time.Sleep(batchTime / 2)
			all, lost := s.Take()
			for _, n := range all {
				notices++
				found += int64(len(n.Lines)) + n.More
				if len(n.Lines) != batchLines || n.More < 5 || utf8.RuneCountInString(n.Lines[0]) != lineLength+1 || n.Last != (notices == maxBatches) || lost != 0 {
					t.Fatalf("notice %d: %d lines of %d, %d more, last %v", notices, len(n.Lines), utf8.RuneCountInString(n.Lines[0]), n.More, n.Last)
				}
			}
		}
		if task, _ := s.Find(id); notices != maxBatches || task.Monitored || found < maxBatches*50 {
			t.Errorf("%d notices of %d lines, monitored %v", notices, found, task.Monitored)
		}
	})
}

// Notices that nobody takes become one, and don't use up the monitor.
func TestMonitorWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s Set
		id := monitored(t, &s)
		for range 100 {
			prints(&s, id, "a line\n")
			time.Sleep(batchTime)
		}
		synctest.Wait()
		n := s.Waiting()
		if task, _ := s.Find(id); len(n) != 1 || len(n[0].Lines) != batchLines || n[0].More < 79-batchLines || n[0].Last || !task.Monitored {
			t.Errorf("%d notices; monitored %v", len(n), task.Monitored)
		}
	})
}

// Of a line a second each is told within 3 s.
func TestMonitorIsPrompt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s Set
		id := monitored(t, &s)
		told := 0
		for i := range 30 {
			prints(&s, id, "tick\n")
			time.Sleep(time.Second)
			all, _ := s.Take()
			for _, n := range all {
				told += len(n.Lines)
			}
			if i-told > 3 {
				t.Fatalf("after %d lines %d are told", i, told)
			}
		}
	})
}

// A monitor that is replaced or ended gives back what it hadn't told; one whose task is stopped tells nothing more.
func TestMonitorEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s Set
		id := monitored(t, &s)
		prints(&s, id, "one\n")
		if lines, more, err := s.Monitor(id, []string{"two"}); err != nil || !slices.Equal(lines, []string{"one"}) || more != 0 {
			t.Errorf("replaced: %v, %d, %v", lines, more, err)
		}
		prints(&s, id, "one\ntwo\n")
		if lines, _, ok := s.Unmonitor(id); !ok || !slices.Equal(lines, []string{"two"}) {
			t.Errorf("ended: %v", lines)
		}
		if _, _, ok := s.Unmonitor(id); ok {
			t.Error("ended twice")
		}
		for name, ends := range map[string]func(id string){
			"by the person": func(id string) { s.Stop(id) },
			"by wisp":       func(id string) { s.Close(stop.ErrInputClosed) },
			"by the model": func(id string) {
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				s.Kill(ctx, id)
			},
		} {
			s := &s
			if name == "by wisp" {
				s = &Set{}
				ends = func(string) { s.Close(stop.ErrInputClosed) }
			}
			id := monitored(t, s)
			prints(s, id, "a line\n")
			ends(id)
			prints(s, id, "another\n")
			time.Sleep(2 * batchTime)
			s.End(id, proc.Outcome{Stopped: true, Cause: stop.ErrInputClosed}, "")
			if all, _ := s.Take(); len(all) != 0 {
				t.Errorf("stopped %s: told %+v", name, all)
			}
		}
	})
}

// What can't be looked for is refused in words.
func TestMonitorTexts(t *testing.T) {
	t.Parallel()
	var s Set
	id := begun(t, &s)
	for _, bad := range [][]string{{""}, {"a\nb"}, {strings.Repeat("ä", maxText+1)}, slices.Repeat([]string{"x"}, maxTexts+1)} {
		if _, _, err := s.Monitor(id, bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if _, _, err := s.Monitor(id, slices.Repeat([]string{strings.Repeat("ä", maxText)}, maxTexts)); err != nil {
		t.Error(err)
	}
	if _, _, err := s.Monitor("t99", nil); err == nil {
		t.Error("a task that isn't there was monitored")
	}
}

// FuzzMonitor: what is found is the same however the output is cut, and is what a plain search finds.
func FuzzMonitor(f *testing.F) {
	f.Add("a line\nERROR: b\nerror", "error", 3)
	f.Add("\n\n\xff\xfeE\n", "", 1)
	f.Add(strings.Repeat("xérrorx\n", 40), "ÉRROR", 7)
	f.Fuzz(func(t *testing.T, text, match string, cut int) {
		if cut < 1 || len(text) > maxUnwritten || strings.Contains(match, "\n") {
			return
		}
		var texts [][]byte
		if match != "" {
			texts = [][]byte{fold(nil, []byte(match))}
		}
		whole, parts := &monitor{texts: texts}, &monitor{texts: texts}
		whole.take([]byte(text))
		for chunk := range slices.Chunk([]byte(text), cut) {
			parts.take(chunk)
		}
		a, b := whole.end(), parts.end()
		found := int64(0)
		for line := range strings.Lines(text) {
			if match == "" || bytes.Contains(fold(nil, []byte(strings.TrimSuffix(line, "\n"))), fold(nil, []byte(match))) {
				found++
			}
		}
		if fmt.Sprint(a) != fmt.Sprint(b) || a.found != found || int64(len(a.lines)) != min(found, batchLines) {
			t.Errorf("whole %+v, in parts %+v, by search %d", a, b, found)
		}
	})
}
