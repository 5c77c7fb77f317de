package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// logOf makes a log of two files and returns its files' contents by name, the tail's among them.
func logOf(t *testing.T) (path string, files map[string][]byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, path)
	l.config.MaxBytes = 1200
	add(t, l, "one", "two", "three", "four", "five")
	files = map[string][]byte{}
	for _, name := range []string{rotated(path, 1), path, tailPath(path)} {
		data, err := os.ReadFile(name)
		must(t, err)
		files[name] = data
	}
	if n := bytes.Count(files[path], []byte("\n")); n != 2 || bytes.Count(files[rotated(path, 1)], []byte("\n")) != 3 {
		t.Fatalf("%d lines in the newest file", n)
	}
	return path, files
}

// broken verifies a log that one of its files was changed in, and puts it back.
func broken(t *testing.T, path, file string, changed, back []byte) Report {
	t.Helper()
	must(t, os.WriteFile(file, changed, 0o600))
	r, err := Verify(path)
	must(t, err)
	must(t, os.WriteFile(file, back, 0o600))
	return r
}

func TestEveryFlippedByteIsFound(t *testing.T) {
	t.Parallel()
	path, files := logOf(t)
	sound(t, path)
	for name, data := range files {
		for i := range data {
			changed := bytes.Clone(data)
			changed[i] ^= 1 << (i % 8)
			r := broken(t, path, name, changed, data)
			if r.Broken == 0 {
				t.Fatalf("%s, byte %d: %q for %q isn't found", filepath.Base(name), i, changed[i], data[i])
			}
			// The line that is named is the one that was changed; one that merges with the next stands for both.
			number := 1 + bytes.Count(data[:i], []byte("\n"))
			if name != tailPath(path) && !slices.ContainsFunc(r.Breaks, func(f Finding) bool { return f.File == name && f.Number == number }) {
				t.Fatalf("%s, byte %d, line %d: %+v", filepath.Base(name), i, number, r.Breaks)
			}
		}
	}
	sound(t, path)
}

func TestEveryMovedLineIsFound(t *testing.T) {
	t.Parallel()
	path, files := logOf(t)
	for _, name := range []string{rotated(path, 1), path} {
		data := files[name]
		lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
		lines[len(lines)-1] += "\n"
		for i := range lines {
			for what, changed := range map[string][]string{
				"removed":    slices.Delete(slices.Clone(lines), i, i+1),
				"doubled":    slices.Insert(slices.Clone(lines), i, lines[i]),
				"copied":     append(slices.Clone(lines), lines[i]),
				"cut after":  lines[:i],
				"blank":      slices.Insert(slices.Clone(lines), i, "\n"),
				"put in":     slices.Insert(slices.Clone(lines), i, "hello\n"),
				"forged":     slices.Insert(slices.Clone(lines), i, strings.Replace(lines[i], "command.typed", "command.tiped", 1)),
				"half":       slices.Replace(slices.Clone(lines), i, i+1, lines[i][:40]+"\n"),
				"half ended": append(slices.Clone(lines[:i]), lines[i][:40]),
				"swapped":    swapped(lines, i),
				"blank end":  append(slices.Clone(lines), "\n"),
				"text end":   append(slices.Clone(lines), "hello"),
			} {
				if slices.Equal(changed, lines) {
					continue
				}
				if r := broken(t, path, name, []byte(strings.Join(changed, "")), data); r.Broken == 0 {
					t.Errorf("%s, line %d %s: %+v", filepath.Base(name), i+1, what, r)
				}
			}
		}
	}
	for name, data := range files {
		must(t, os.Remove(name))
		r, err := Verify(path)
		must(t, err)
		if r.Broken == 0 != (name == tailPath(path)) || r.Broken+len(r.Remarks) == 0 {
			t.Errorf("%s removed: %+v", filepath.Base(name), r)
		}
		must(t, os.WriteFile(name, data, 0o600))
	}
}

// swapped has a line and the next one in the other order.
func swapped(lines []string, i int) []string {
	lines = slices.Clone(lines)
	if i+1 < len(lines) {
		lines[i], lines[i+1] = lines[i+1], lines[i]
	}
	return lines
}

func TestWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(lines []string) []string
		want   string // the first finding, without the folder
	}{
		"changed":  {func(l []string) []string { l[1] = strings.Replace(l[1], "two", "owt", 1); return l }, "2: was changed, or lines after it were taken out: line 3 doesn't name it"},
		"removed":  {func(l []string) []string { return slices.Delete(l, 1, 2) }, "1: was changed, or lines after it were taken out: line 2 doesn't name it"},
		"first":    {func(l []string) []string { return l[1:] }, "1: is where the log begins, in the middle: what came before it is gone"},
		"inserted": {func(l []string) []string { return slices.Insert(l, 2, strings.Replace(l[2], "three", "more!", 1)) }, "4: names line 2 as the one before it: what stands between was put in or moved"},
		"again":    {func(l []string) []string { return slices.Insert(l, 2, l[0]) }, "3: says that it is the first of a log: lines were put in before it, or the log was begun anew"},
		"copied":   {func(l []string) []string { return slices.Insert(l, 2, l[1]) }, "3: is the same as line 2: it was put in again"},
		"order":    {func(l []string) []string { return swapped(l, 1) }, "1: is followed by a line that names line 3 as the one before it: lines were put into another order"},
		"damaged":  {func(l []string) []string { l[1] = "x\n"; return l }, "2: is no event: it was changed, or put in by another"},
		"cut":      {func(l []string) []string { return l[:3] }, "3: isn't the line that audit.tail names: it was changed, or lines after it were cut off"},
		"half":     {func(l []string) []string { l[3] = l[3][:60]; return l }, "4: is no whole event: it was changed or cut"},
		"newline":  {func(l []string) []string { l[3] = strings.TrimSuffix(l[3], "\n"); return l }, "4: has no newline: it was cut off"},
		"empty":    {func([]string) []string { return nil }, "1: names a line, and the log has none: it was taken away"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			add(t, open(t, path), "one", "two", "three", "four")
			data, err := os.ReadFile(path)
			must(t, err)
			lines := strings.SplitAfter(string(data), "\n")[:4]
			r := broken(t, path, path, []byte(strings.Join(test.change(lines), "")), data)
			if r.Broken == 0 {
				t.Fatalf("%+v", r)
			}
			got := strings.ReplaceAll(fmt.Sprintf("%d: %s", r.Breaks[0].Number, r.Breaks[0].What), filepath.Dir(path)+"/", "")
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// A crash between the line and the tail is no break, and the chain goes on.
func TestCrashBeforeTheTail(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]int{"one line": 1, "a power cut that kept an old tail": 5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			l := open(t, path)
			l.config.MaxBytes = 1200
			add(t, l, "one", "two")
			before, err := os.ReadFile(tailPath(path))
			must(t, err)
			for i := range lost {
				add(t, l, fmt.Sprint("lost ", i))
			}
			must(t, l.Close())
			must(t, os.WriteFile(tailPath(path), before, 0o600))
			r, err := Verify(path)
			must(t, err)
			if r.Broken > 0 || len(r.Remarks) != 1 || !strings.Contains(r.Remarks[0].What, fmt.Sprintf("stands %d after", lost)) {
				t.Errorf("%+v", r)
			}
			add(t, open(t, path), "after")
			if lost == 1 { // one that is further behind than two files is taken for a cut
				sound(t, path)
			}
		})
	}
}

// What was cut off the end before wisp wrote again shows for ever.
func TestCutShowsLater(t *testing.T) {
	t.Parallel()
	path, files := logOf(t)
	must(t, os.WriteFile(path, files[path][:bytes.IndexByte(files[path], '\n')+1], 0o600))
	l := open(t, path)
	add(t, l, "six", "seven")
	r, err := Verify(path)
	must(t, err)
	if r.Broken != 1 || r.Breaks[0].Number != 1 || !strings.Contains(r.Breaks[0].What, "line 2 doesn't name it") {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{path, rotated(path, 1)} {
		must(t, os.Remove(name))
	}
	add(t, l, "eight") // it goes on in a new file, and the chain says that there was one
	if r, err = Verify(path); err != nil || r.Broken != 1 || !strings.Contains(r.Breaks[0].What, "in the middle") {
		t.Errorf("%+v %v", r, err)
	}
}

func TestTornLineIsClosedAndLinked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, path)
	add(t, l, "one")
	before, err := os.ReadFile(tailPath(path))
	must(t, err)
	add(t, l, strings.Repeat("a long command ", 5000))
	info, err := os.Stat(path)
	must(t, err)
	must(t, os.Truncate(path, info.Size()-30))
	must(t, os.WriteFile(tailPath(path), before, 0o600)) // a crash in the middle of a line comes before the tail
	r, err := Verify(path)
	must(t, err)
	if r.Broken > 0 || len(r.Remarks) != 1 || !strings.Contains(r.Remarks[0].What, "a crash while it was written") {
		t.Errorf("%+v", r)
	}
	add(t, l, "three", "four")
	r, err = Verify(path)
	must(t, err)
	if r.Broken > 0 || len(r.Remarks) != 1 || r.Remarks[0].Number != 2 || r.Events != 3 {
		t.Errorf("%+v", r)
	}
}

// A crash in the middle of a rotation leaves a number out, and nothing is lost.
func TestCrashInARotation(t *testing.T) {
	t.Parallel()
	for hole := 1; hole <= 3; hole++ {
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		l := open(t, path)
		l.config.MaxBytes = 400
		add(t, l, "1", "2", "3", "4", "5", "6", "7")
		for n := 6; n >= hole; n-- {
			must(t, os.Rename(rotated(path, n), rotated(path, n+1)))
		}
		if n := sound(t, path); n != 7 {
			t.Errorf("%d events", n)
		}
		add(t, l, "8", "9", "10")
		if n := sound(t, path); n != 10 {
			t.Errorf("%d events", n)
		}
	}
}

func TestLongLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, path)
	add(t, l, "one", strings.Repeat("\x01é", 1<<20), "three")
	if info, err := os.Stat(path); err != nil || info.Size() > 2*maxText*6 {
		t.Errorf("the log has %d bytes", info.Size())
	}
	sound(t, path)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	_, err = file.WriteString(`{"schema":1,"id":"` + strings.Repeat("x", maxLine+5) + "\n") // another's
	must(t, err)
	must(t, file.Close())
	add(t, l, "five")
	r, err := Verify(path)
	must(t, err)
	if r.Events != 4 || r.Broken != 1 || r.Breaks[0].Number != 4 {
		t.Errorf("%+v", r)
	}
	s, err := Read(path)
	must(t, err)
	defer s.Close()
	var forwards, backwards []int64
	for line, err := range s.Lines() {
		must(t, err)
		forwards = append(forwards, line.Size)
	}
	for line, err := range s.Backwards() {
		must(t, err)
		backwards = append([]int64{line.Size}, backwards...)
	}
	if !slices.Equal(forwards, backwards) || len(forwards) != 5 {
		t.Errorf("%v, backwards %v", forwards, backwards)
	}
}

// A report is bounded however much is wrong.
func TestManyBreaks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var b bytes.Buffer
	for i := range 2 * maxFindings {
		line, err := json.Marshal(Event{Schema: 1, ID: fmt.Sprint(i), Kind: Prompt, Previous: hashOf([]byte{byte(i), byte(i >> 8)})})
		must(t, err)
		b.Write(append(line, '\n'))
	}
	must(t, os.WriteFile(path, b.Bytes(), 0o600))
	r, err := Verify(path)
	must(t, err)
	if len(r.Breaks) != maxFindings || r.Broken != 2*maxFindings {
		t.Errorf("%d of %d breaks", len(r.Breaks), r.Broken)
	}
}

func BenchmarkVerify(b *testing.B) {
	path := filepath.Join(b.TempDir(), "audit.jsonl")
	l, _ := Open(config(path))
	defer l.Close()
	for range 20_000 {
		if _, err := l.Append(typed("git status --short && go test ./engine/audit -run TestVerify")); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		if r, err := Verify(path); err != nil || r.Broken > 0 {
			b.Fatal(r, err)
		}
	}
}
