package proc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	for _, c := range []struct {
		name, command, text, first, last string
		lines                            int64
	}{
		{"none", "true", "", "", "", 0},
		{"one line", "echo a", "a\n", "a", "a", 1},
		{"unfinished", "printf 'a\nb'", "a\nb", "a", "b", 2},
		{"blank end", "printf 'a\nb\n\n\n'", "a\nb\n\n\n", "a", "b", 4},
		{"open lines of both", "printf a; printf b >&2", "a\nb", "a", "b", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			j := job(t, c.command)
			o := r.Run(context.Background(), j).Output
			if o.Text != c.text || o.First != c.first || o.Last != c.last || o.Lines != c.lines || o.Truncated ||
				o.Bytes != int64(len(c.text)) || o.Spooled != (c.text != "") {
				t.Errorf("%+v", o)
			}
			spooled, err := os.ReadFile(j.Spool)
			if string(spooled) != c.text || (err != nil) != (c.text == "") {
				t.Errorf("spool: %v, %q", err, spooled)
			}
			if info, err := os.Stat(j.Spool); err == nil && info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v", info.Mode())
			}
		})
	}
}

func TestLongOutput(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	j := job(t, "seq 1 100000; echo LAST >&2; exit 3")
	o := r.Run(context.Background(), j)
	out := o.Output
	if o.ExitStatus != 3 || out.Lines != 100001 || out.Bytes != 588895+5 || !out.Truncated || out.First != "1" {
		t.Errorf("status %d, %d lines, %d bytes, first %q", o.ExitStatus, out.Lines, out.Bytes, out.First)
	}
	if !strings.HasSuffix(o.Stdout.Text, "99999\n100000\n") || o.Stderr.Text != "LAST\n" ||
		len(o.Stdout.Text) != tailBytes || o.Stdout.Omitted != 588895-tailBytes {
		t.Errorf("tails: %d bytes, %d omitted, stderr %q", len(o.Stdout.Text), o.Stdout.Omitted, o.Stderr.Text)
	}
	head, rest, _ := strings.Cut(out.Text, "\n… ")
	var gap int64
	if _, err := fmt.Sscanf(rest, "%d bytes left out …\n", &gap); err != nil {
		t.Fatalf("no gap in %.100q", rest)
	}
	_, end, _ := strings.Cut(rest, "…\n")
	if len(out.Text) > textBytes || !strings.HasPrefix(head, "1\n2\n") || !strings.Contains(end, "100000\n") ||
		int64(len(head)+1+len(end))+gap != out.Bytes {
		t.Errorf("text of %d bytes, head %d, gap %d, end %d", len(out.Text), len(head), gap, len(end))
	}
	if info, err := os.Stat(j.Spool); err != nil || info.Size() != out.Bytes {
		t.Errorf("spool: %v, %v", info, err)
	}
}

func TestOneLongLine(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	const n = 3 << 20
	o := r.Run(context.Background(), job(t, fmt.Sprintf(`yes 你 | head -c %d | tr -d '\n'`, n)))
	bytes := int64(n / 4 * 3)
	if o.Output.Lines != 1 || o.Output.Bytes != bytes || !utf8.ValidString(o.Output.Text) ||
		len(o.Output.First) != 198 || strings.Contains(o.Output.Text+o.Output.Last+o.Stdout.Text, "\ufffd") {
		t.Errorf("%d lines, %d bytes, first %q", o.Output.Lines, o.Output.Bytes, o.Output.First)
	}
}

// What stands in a pipe when the time to read it is over is read.
func TestRestOfAPipe(t *testing.T) {
	t.Parallel()
	var pipes, ends [2]*os.File
	for i := range pipes {
		var err error
		pipes[i], ends[i], err = os.Pipe()
		must(t, err)
		t.Cleanup(func() {
			pipes[i].Close()
			ends[i].Close()
		})
	}
	out := newSink(filepath.Join(t.TempDir(), "spool"), 1<<20, nil)
	rd, err := newReading(pipes, out, &sync.Pool{})
	must(t, err)
	const n = 60_000 // what a pipe holds
	_, err = ends[0].WriteString(strings.Repeat("x", n))
	must(t, err)
	must(t, pipes[0].SetReadDeadline(time.Unix(1, 0)))
	if err := rd.follow(pipes[0], 0); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("it ended with %v", err)
	}
	if got := out.read(); got != n {
		t.Errorf("%d bytes were read, want %d", got, n)
	}
}

func TestBinaryOutput(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	j := job(t, "head -c 100000 /dev/zero; echo seen >&2")
	o := r.Run(context.Background(), j)
	if !o.Output.Binary || o.Output.Text != "" || o.Output.Bytes != 100005 || o.Stdout.Text != "" ||
		o.Stderr.Text != "seen\n" || o.Output.Spooled {
		t.Errorf("%+v", o)
	}
	if _, err := os.Stat(j.Spool); err == nil {
		t.Error("a spool of binary output stays")
	}
}

func TestSpoolGap(t *testing.T) {
	t.Parallel()
	const bound = 64 << 10
	for _, c := range []struct {
		name, command string
		bytes         int
		gap           bool
	}{
		{"just under", "yes 1234567 | head -c 65536", 65536, false},
		{"in the tail", "yes 1234567 | head -c 62000", 62000, false},
		{"over", "yes 1234567 | head -c 65537", 65537, true},
		{"far over", "yes 你 | head -c 2000000; echo END", 2000004, true},
		{"far over, in small pieces", "seq 1 30000; echo END", 168898, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t, Config{SpoolBytes: bound})
			j := job(t, c.command)
			o := r.Run(context.Background(), j).Output
			data, err := os.ReadFile(j.Spool)
			must(t, err)
			spool := string(data)
			if !utf8.ValidString(spool) || strings.Contains(spool, "\ufffd") {
				t.Error("a character was cut")
			}
			if c.gap {
				mark := gapMark(o.SpoolGap)
				if o.SpoolGap == 0 || !strings.Contains(spool, mark) || o.SpoolGap+int64(len(spool)-len(mark)) != o.Bytes {
					t.Errorf("gap %d, spool %d of %d", o.SpoolGap, len(spool), o.Bytes)
				}
			} else if o.SpoolGap != 0 || int64(len(spool)) != o.Bytes {
				t.Errorf("gap %d, spool %d", o.SpoolGap, len(spool))
			}
			if len(spool) > bound+100 || strings.Contains(c.command, "END") && !strings.HasSuffix(spool, "END\n") {
				t.Errorf("%d bytes, end %q", len(spool), spool[len(spool)-20:])
			}
			if left, _ := filepath.Glob(j.Spool + ".*"); len(left) > 0 {
				t.Errorf("left beside it: %v", left)
			}
		})
	}
}

func TestSpoolFailure(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	for _, c := range []struct{ name, path, want string }{
		{"full", "/dev/full", "the disk is full"},
		{"no folder", "/dev/null/x", "open /dev/null/x: not a directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := job(t, "seq 1 1000; echo LAST; exit 2")
			j.Spool = c.path
			o := r.Run(context.Background(), j)
			if o.ExitStatus != 2 || o.Output.SpoolError != c.want || o.Output.Last != "LAST" || o.Output.Lines != 1001 {
				t.Errorf("status %d, error %q, last %q", o.ExitStatus, o.Output.SpoolError, o.Output.Last)
			}
		})
	}
}

func TestStoppedOutputIsKept(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	u := begin(r, job(t, "echo early; printf open; sleep 100"))
	_, err := u.saw("open") // shown though its line isn't finished
	must(t, err)
	u.stop.Press()
	o, err := u.outcome()
	must(t, err)
	if o.Output.Text != "early\nopen" || !o.Stopped {
		t.Errorf("%+v", o)
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "spool")
	long := strings.Repeat("é", 100_000)
	must(t, os.WriteFile(path, []byte("one\n\nthree\n"+long+"\nlast"), 0o600))
	for _, c := range []struct {
		offset, limit int64
		max           int
		want          Lines
	}{
		{0, 2, 100, Lines{Text: "one\n\n", Lines: 2, More: true}},
		{2, 1, 100, Lines{Text: "three\n", Lines: 1, More: true}},
		{2, 1, 2, Lines{Text: "th… 3 more bytes\n", Lines: 1, More: true, Cut: 3}},
		{3, 1, 5, Lines{Text: "éé… 199996 more bytes\n", Lines: 1, More: true, Cut: 199996}},
		{4, 9, 100, Lines{Text: "last\n", Lines: 1}},
		{3, 2, 200_000, Lines{Text: long + "\nlast\n", Lines: 2}},
		{9, 9, 100, Lines{}},
		{0, 0, 100, Lines{More: true}},
	} {
		if got, err := Page(path, c.offset, c.limit, c.max); err != nil || got != c.want {
			t.Errorf("%d+%d: %v, %.100q, want %.100q", c.offset, c.limit, err, fmt.Sprint(got), fmt.Sprint(c.want))
		}
	}
	if _, err := Page(path+"x", 0, 1, 1); err == nil || !os.IsNotExist(err) {
		t.Errorf("a missing spool: %v, want %v", err, fs.ErrNotExist)
	}
}

// What a program says on stderr after a flood on stdout comes after it.
func TestOrderAfterFlood(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	for range 50 {
		o := r.Run(t.Context(), job(t, "seq 1 30000; echo LAST >&2"))
		if o.Output.Last != "LAST" || !strings.HasSuffix(o.Output.Text, "30000\nLAST\n") {
			t.Fatalf("the last line is %q", o.Output.Last)
		}
	}
}

// The stream that was written to first comes first. Of a third write, to the first stream again, nobody can tell
// whether it came before the second, unless the first was read in between.
func TestOrder(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{})
	for _, c := range []struct{ command, want, other string }{
		{"echo a; echo b >&2", "a\nb\n", ""},
		{"echo a >&2; echo b", "a\nb\n", ""},
		{"seq 1 30000 | tail -n 2; echo a >&2; echo b >&2", "29999\n30000\na\nb\n", ""},
		{"echo a; echo b >&2; echo c", "a\nb\nc\n", "a\nc\nb\n"},
	} {
		t.Run(c.command, func(t *testing.T) {
			t.Parallel()
			other := 0
			for range 200 {
				switch got := r.Run(t.Context(), job(t, c.command)).Output.Text; {
				case c.other != "" && got == c.other:
					other++
				case got != c.want:
					t.Fatalf("%q, want %q", got, c.want)
				}
			}
			t.Logf("%d of 200 in the other order", other)
		})
	}
}
