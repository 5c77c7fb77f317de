package model

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func readEvents(r io.Reader) (events []string, err error) {
	for e, failed := range Events(r) {
		if failed != nil {
			return events, failed
		}
		events = append(events, e.Name+"|"+string(e.Data))
	}
	return events, nil
}

func TestEvents(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*readSize)
	for name, c := range map[string]struct {
		stream string
		want   []string
	}{
		"plain":               {"data: a\n\ndata: b\n\n", []string{"|a", "|b"}},
		"comments":            {": ping\n\n:\ndata: a\n: more\n\n", []string{"|a"}},
		"CRLF":                {"data: a\r\n\r\ndata: b\r\n\r\n", []string{"|a", "|b"}},
		"CR":                  {"data: a\r\rdata: b\r\r", []string{"|a", "|b"}},
		"no blank":            {"data:a\n\ndata:  b\n\n", []string{"|a", "| b"}},
		"ping":                {"event: ping\ndata: {}\n\ndata: a\n\n", []string{"ping|{}", "|a"}},
		"event without data":  {"event: ping\n\ndata: a\n\n", []string{"|a"}},
		"several rows":        {"data: {\ndata: \"a\": 1}\n\n", []string{"|{\n\"a\": 1}"}},
		"no blank line":       {"data: {\"a\":1}\ndata: {\"b\":2}\ndata: [DONE]\n", []string{`|{"a":1}`, `|{"b":2}`, "|[DONE]"}},
		"nothing at the end":  {"data: a", []string{"|a"}},
		"llama.cpp's error":   {"data: {}\n\nerror: {\"code\":500}\n\n", []string{"|{}", `error|{"code":500}`}},
		"bare JSON":           {"{\"error\":\"x\"}\n", []string{`|{"error":"x"}`}},
		"unknown fields":      {"id: 7\nretry: 10\nnonsense\ndata: a\n\n", []string{"|a"}},
		"a mark at the start": {"\ufeffdata: a\n\n", []string{"|a"}},
		"longer than buffer":  {"data: " + long + "\n\ndata: b\n\n", []string{"|" + long, "|b"}},
		"nothing":             {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{strings.NewReader(c.stream), iotest.OneByteReader(strings.NewReader(c.stream)), iotest.DataErrReader(strings.NewReader(c.stream))} {
				got, err := readEvents(r)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(c.want, got); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestEventsOfABrokenStream(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	got, err := readEvents(io.MultiReader(strings.NewReader("data: a\n\ndata: b\ndata: hal"), iotest.ErrReader(broken)))
	if d := cmp.Diff([]string{"|a", "|b"}, got); d != "" || !errors.Is(err, broken) {
		t.Errorf("%v %s", err, d)
	}
}

func TestLinesAreBounded(t *testing.T) {
	t.Parallel()
	var fault *Error
	for _, err := range Lines(io.LimitReader(zeros{}, MaxLine*2)) {
		if err != nil && errors.As(err, &fault) {
			break
		}
	}
	if fault == nil || fault.Kind != BadReply {
		t.Errorf("fault: %v", fault)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func FuzzEvents(f *testing.F) {
	f.Add("data: a\n\nerror: {}\r\n:\r\rdata:b")
	f.Fuzz(func(t *testing.T, stream string) {
		whole, err := readEvents(strings.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		cut, _ := readEvents(iotest.OneByteReader(strings.NewReader(stream)))
		if d := cmp.Diff(whole, cut); d != "" {
			t.Error(d)
		}
	})
}
