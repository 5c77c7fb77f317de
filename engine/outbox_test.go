package engine

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"wisp/engine/proc"
	"wisp/protocol"
)

// gate is a face that reads nothing until it is opened.
type slowFace struct {
	open chan struct{}
	mu   sync.Mutex
	got  strings.Builder
}

func (f *slowFace) Write(p []byte) (int, error) {
	<-f.open
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.got.Write(p)
}

// lines are what the face was given, decoded; the numbering is checked.
func (f *slowFace) lines(t *testing.T) []map[string]any {
	t.Helper()
	var lines []map[string]any
	seq := 0.0
	for line := range strings.Lines(f.got.String()) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if seq++; l["seq"] != seq {
			t.Fatalf("seq %v, want %v", l["seq"], seq)
		}
		lines = append(lines, l)
	}
	return lines
}

func startOutbox(face *slowFace) (*outbox, *sync.WaitGroup) {
	o := newOutbox(protocol.NewConn(strings.NewReader(""), face))
	var wg sync.WaitGroup
	wg.Go(func() { o.write() })
	return o, &wg
}

// A face that doesn't read costs bounded memory: live text is merged, then dropped with a count, and all that must arrive does.
func TestOutboxSlowFace(t *testing.T) {
	t.Parallel()
	face := &slowFace{open: make(chan struct{})}
	o, wg := startOutbox(face)
	const pieces, size = 40_000, 100
	for i := range pieces {
		o.delta(1, strings.Repeat("x", size))
		if i%10_000 == 0 {
			o.post(protocol.Note{Level: "info", Text: fmt.Sprint(i)})
		}
	}
	if o.bytes > maxLiveWaiting {
		t.Errorf("%d bytes of live text wait, more than %d", o.bytes, maxLiveWaiting)
	}
	o.post(protocol.Note{Level: "info", Text: "last"})
	close(face.open)
	o.close()
	wg.Wait()
	seen, dropped, notes := 0, 0, 0
	lines := face.lines(t)
	for _, l := range lines {
		switch l["type"] {
		case "delta":
			seen += len(l["text"].(string))
			if n, ok := l["dropped"].(float64); ok {
				dropped += int(n)
			}
		case "note":
			notes++
		}
	}
	if seen+dropped != pieces*size || dropped == 0 {
		t.Errorf("%d bytes came and %d were counted as dropped, of %d", seen, dropped, pieces*size)
	}
	if notes != 5 || lines[len(lines)-1]["text"] != "last" {
		t.Errorf("%d notes came, the last line is %v", notes, lines[len(lines)-1])
	}
	if len(lines) > 2000 {
		t.Errorf("%d lines for a face that didn't read: they are to be merged", len(lines))
	}
}

// A face that reads gets each piece on a line of its own, in order, of at most 60 bytes.
func TestOutboxPieces(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	o := newOutbox(protocol.NewConn(strings.NewReader(""), w))
	var wg sync.WaitGroup
	wg.Go(func() {
		o.write()
		w.Close()
	})
	lines := bufio.NewReader(r)
	for i := range 1000 {
		o.delta(12, "word ")
		line, err := lines.ReadString('\n')
		if err != nil || len(line) > 60 || !strings.Contains(line, `"word "`) {
			t.Fatalf("piece %d: %d bytes, %v: %s", i, len(line), err, line)
		}
	}
	o.close()
	wg.Wait()
}

// Many sources at once never mix inside a line.
func TestOutboxSources(t *testing.T) {
	t.Parallel()
	face := &slowFace{open: make(chan struct{})}
	close(face.open)
	o, wg := startOutbox(face)
	var sources sync.WaitGroup
	for i := range 16 {
		sources.Go(func() {
			for range 5 {
				o.post(protocol.Result{Text: strings.Repeat(string(rune('a'+i)), 200_000)})
				o.output("c1", proc.Piece{Stream: "stdout", Text: strings.Repeat(string(rune('a'+i)), 1000)}, "")
			}
		})
	}
	sources.Wait()
	o.close()
	wg.Wait()
	results := 0
	for _, l := range face.lines(t) {
		text, _ := l["text"].(string)
		if l["type"] == "result" {
			results++
			if strings.Trim(text, text[:1]) != "" {
				t.Errorf("a line holds two sources: %.40s…", text)
			}
		}
	}
	if results != 80 {
		t.Errorf("%d results came, want 80", results)
	}
}

// Text is cut on whole characters into lines of bounded size.
func TestOutboxLongPiece(t *testing.T) {
	t.Parallel()
	face := &slowFace{open: make(chan struct{})}
	close(face.open)
	o, wg := startOutbox(face)
	text := strings.Repeat("é你🙂", 20_000)
	o.delta(1, text)
	o.close()
	wg.Wait()
	var got strings.Builder
	for _, l := range face.lines(t) {
		piece := l["text"].(string)
		if len(piece) > maxPiece || strings.ContainsRune(piece, '\uFFFD') {
			t.Errorf("a piece of %d bytes, or a cut character", len(piece))
		}
		got.WriteString(piece)
	}
	if got.String() != text {
		t.Error("the pieces don't add up to the text")
	}
}
