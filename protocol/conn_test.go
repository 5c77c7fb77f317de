package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

// readAll reads a connection to its end and writes down what came: a message as its line, a fault as its code.
func readAll(t testing.TB, r io.Reader) []string {
	t.Helper()
	c := NewConn(r, io.Discard)
	var got []string
	for {
		m, err := c.Read()
		var fault *Fault
		switch {
		case errors.As(err, &fault):
			got = append(got, fault.Code)
		case errors.Is(err, io.EOF):
			return got
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, strings.TrimSpace(string(AppendIn(nil, m))))
		}
	}
}

func TestReading(t *testing.T) {
	t.Parallel()
	const quit, bom = `{"type":"quit"}`, "\xef\xbb\xbf"
	text := func(s string) string { return strings.TrimSpace(string(AppendIn(nil, Line{Text: s}))) }
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"a line", quit + "\n", []string{quit}},
		{"no last newline", quit + "\n" + quit, []string{quit, quit}},
		{"CRLF", quit + "\r\n" + quit + "\r\n", []string{quit, quit}},
		{"empty lines", "\n\r\n  \n\t\n" + quit + "\n\n\n", []string{quit}},
		{"BOM", bom + quit + "\n", []string{quit}},
		{"BOM and CRLF", bom + quit + "\r\n", []string{quit}},
		{"a BOM alone", bom, nil},
		{"a BOM before text", bom + "!ls\n", []string{text("!ls")}},
		{"a BOM on a later line", quit + "\n" + bom + quit + "\n", []string{quit, BadJSON}},
		{"text before the first object", "! ls\nhello\n" + quit + "\nhello\n", []string{text("! ls"), text("hello"), quit, BadJSON}},
		{"text keeps its blanks", "  two  blanks  \r\n", []string{text("  two  blanks  ")}},
		{"invalid UTF-8 by hand", "caf\xe9\n", []string{text("caf�")}},
		{"a NUL by hand", "a\x00b\n", []string{text("a\x00b")}},
		{"a bracket by hand", "[1]\n {x\n\t[\nls\n", []string{BadJSON, BadJSON, BadJSON, text("ls")}},
		{"broken JSON keeps the hand", "{oops\nls\n", []string{BadJSON, text("ls")}},
		{"a wrong object ends the hand", `{"type":"x"}` + "\nls\n", []string{UnknownType, BadJSON}},
		{"an object without a type too", "{}\nls\n", []string{BadField, BadJSON}},
		{"words of JSON by hand", "null\n7\n\"x\"\n", []string{text("null"), text("7"), text(`"x"`)}},
		{"words of JSON later", quit + "\nnull\n", []string{quit, BadJSON}},
		{"two objects a line", quit + quit + "\n" + quit + "\n", []string{BadJSON, quit}},
		{"a vertical tab is no blank", "\v\n", []string{text("\v")}},
	} {
		for way, r := range map[string]io.Reader{
			"at once": strings.NewReader(c.in), "byte by byte": iotest.OneByteReader(strings.NewReader(c.in)), "data with EOF": iotest.DataErrReader(strings.NewReader(c.in)),
		} {
			if got := readAll(t, r); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s, %s:\n got %q\nwant %q", c.name, way, got, c.want)
			}
		}
	}
}

// prompt returns a prompt's line of n bytes, or the shortest, without its newline.
func prompt(n int) string {
	const head, tail = `{"type":"prompt","text":"`, `"}`
	return head + strings.Repeat("x", max(0, n-len(head)-len(tail))) + tail
}

func TestLongLines(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]string{300_000: prompt(300_000), MaxIn: prompt(MaxIn), MaxIn + 1: LineTooLong} {
		got := readAll(t, strings.NewReader(prompt(size)+"\r\n"+`{"type":"quit"}`))
		if len(got) != 2 || got[0] != want || got[1] != `{"type":"quit"}` {
			t.Errorf("%d bytes: %d messages, the first %.60s", size, len(got), got)
		}
	}
}

// The bound counts a line without its end, whatever that is, and the line after a long one is whole.
func TestTheBoundOfALine(t *testing.T) {
	t.Parallel()
	const bound, after = 200_000, "the next"
	for _, end := range []string{"\n", "\r\n", ""} {
		for _, size := range []int{64<<10 - 2, 64<<10 - 1, 64 << 10, 64<<10 + 1, bound - 1, bound, bound + 1, bound + 2, bound + 64<<10, 3 * bound} {
			in := strings.Repeat("x", size) + end
			if end != "" {
				in += after
			}
			l := newLines(strings.NewReader(in), bound)
			line, err := l.next()
			if size > bound && !errors.Is(err, errTooLong) || size <= bound && (err != nil || len(bytes.TrimSuffix(line, []byte("\r"))) != size) {
				t.Errorf("%d bytes and %q: %d bytes came, %v", size, end, len(line), err)
			}
			line, err = l.next()
			if end == "" && err != io.EOF || end != "" && string(line) != after {
				t.Errorf("%d bytes and %q: then %q, %v", size, end, line, err)
			}
		}
	}
}

func TestAReadErrorEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	c := NewConn(io.MultiReader(strings.NewReader(`{"type":"quit"}`), iotest.ErrReader(broken)), io.Discard)
	if m, err := c.Read(); !errors.Is(err, broken) {
		t.Errorf("half a line before an error gave %v, %v", m, err)
	}
}

// Junk between good lines, as age's grease: every good line arrives, in order, and each piece of junk costs one fault
// at the most.
func TestGrease(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	samples, _ := sampleLines(t)
	var in bytes.Buffer
	var want []string
	in.WriteString(`{"type":"hello"}` + "\n") // from here on, text is junk too
	want = append(want, `{"type":"hello"}`)
	junk := 0
	for range 600 {
		if rnd.IntN(2) == 0 {
			good := samples[rnd.IntN(len(samples))]
			in.Write(good)
			want = append(want, string(bytes.TrimSpace(good)))
			continue
		}
		piece := grease(rnd, samples)
		if len(bytes.Trim(piece, " \t\r")) > 0 {
			junk++
		}
		in.Write(piece)
		in.WriteByte('\n')
	}
	var got []string
	faults := 0
	for _, g := range readAll(t, iotest.HalfReader(&in)) {
		if strings.HasPrefix(g, "{") {
			got = append(got, g)
		} else {
			faults++
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d good lines were sent, %d came, or others", len(want), len(got))
	}
	if faults != junk {
		t.Errorf("%d pieces of junk made %d faults", junk, faults)
	}
}

// grease makes a line that is no message.
func grease(rnd *rand.Rand, samples [][]byte) []byte {
	switch rnd.IntN(4) {
	case 0: // noise
		noise := make([]byte, rnd.IntN(200))
		for i := range noise {
			noise[i] = byte(rnd.IntN(256))
		}
		return bytes.ReplaceAll(noise, []byte("\n"), nil)
	case 1: // a good line, broken off
		good := bytes.TrimSpace(samples[rnd.IntN(len(samples))])
		return good[:rnd.IntN(len(good))]
	case 2: // a type of a later version
		return fmt.Appendf(nil, `{"type":"later-%d","x":[%d]}`, rnd.Int(), rnd.Int())
	default: // long nothing
		return bytes.Repeat([]byte("{\"a\":["), rnd.IntN(15_000)+1)
	}
}

func TestPipe(t *testing.T) {
	t.Parallel()
	engine, face := Pipe()
	in, out := sampleLines(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, line := range in {
			m, fault := DecodeIn(line)
			if fault != nil {
				t.Error(fault)
			}
			if err := face.Write(m); err != nil {
				t.Error(err)
			}
		}
		if err := face.CloseInput(); err != nil {
			t.Error(err)
		}
	})
	wg.Go(func() {
		for _, line := range out {
			if err := engine.Write(line); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Go(func() {
		for _, want := range out {
			m, err := face.Read()
			if err != nil {
				t.Error(err)
				return
			}
			if _, seq, _ := DecodeOut(want); !bytes.Equal(AppendOut(nil, seq, m), want) {
				t.Errorf("the face read %#v for %s", m, want)
			}
		}
	})
	for _, want := range in {
		m, err := engine.Read()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(AppendIn(nil, m), want) {
			t.Errorf("the engine read %#v for %s", m, want)
		}
	}
	if m, err := engine.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("after the face's end the engine read %v, %v", m, err)
	}
	wg.Wait()
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
	if m, err := face.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("after the engine's end the face read %v, %v", m, err)
	}
}

// Any goroutine of a face may write: lines stay whole, and each one's stay in order.
func TestWritersAreNeverInterleaved(t *testing.T) {
	t.Parallel()
	engine, face := Pipe()
	const writers, each = 8, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				m := Show{ID: ID{strings.Repeat(fmt.Sprint(w), 2000)}, Output: fmt.Sprint(w), Offset: int64(i)}
				if err := face.Write(m); err != nil {
					t.Error(err)
				}
			}
		})
	}
	next := map[string]int64{}
	for range writers * each {
		m, err := engine.Read()
		if err != nil {
			t.Fatal(err)
		}
		show := m.(Show)
		if show.Offset != next[show.Output] || show.Ref() != strings.Repeat(show.Output, 2000) {
			t.Fatalf("writer %s's line %d came as %d, with id %.20s", show.Output, next[show.Output], show.Offset, show.Ref())
		}
		next[show.Output]++
	}
	wg.Wait()
}

func TestClosingAPipeEndsBothReaders(t *testing.T) {
	t.Parallel()
	for _, closeFirst := range []string{"engine", "face"} {
		engine, face := Pipe()
		var wg sync.WaitGroup
		wg.Go(func() {
			if m, err := engine.Read(); err == nil {
				t.Errorf("the engine read %v", m)
			}
		})
		wg.Go(func() {
			if m, err := face.Read(); err == nil {
				t.Errorf("the face read %v", m)
			}
		})
		if closeFirst == "engine" {
			engine.Close()
		} else {
			face.Close()
		}
		wg.Wait()
		if face.Write(Quit{}) == nil && engine.Write([]byte("x\n")) == nil {
			t.Errorf("closed by the %s, both still write", closeFirst)
		}
	}
}

func TestAFaceSkipsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	f := NewFace(strings.NewReader("\n"+`{"type":"hologram","seq":1}`+"\r\n"+`{"type":"exit","seq":2,"reason":"quit"}`+"\n"), io.Discard)
	if m, err := f.Read(); m != (Exit{Reason: "quit"}) || err != nil {
		t.Errorf("read %v, %v", m, err)
	}
	if m, err := f.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("then %v, %v", m, err)
	}
	if err := f.CloseInput(); err != nil {
		t.Errorf("an input that can't be closed: %v", err)
	}
}
