package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"wisp/engine/model"
)

var errPressed = errors.New("stopped by you")

// stopLimit is what a stop may take on a machine that is busy with other tests; alone it takes about a millisecond.
const stopLimit = time.Second

// stopped streams until the server says that it's time, stops, and returns what had come.
func stopped(t *testing.T, c *Client, now <-chan struct{}) string {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	pressed := make(chan time.Time, 1)
	done := make(chan struct{})
	defer func() { <-done }()
	go func() {
		defer close(done)
		<-now
		pressed <- time.Now()
		cancel(errPressed)
	}()
	got, err := told(ctx, c, offering("hi"))
	if took := time.Since(<-pressed); took > stopLimit {
		t.Errorf("the stop took %v", took)
	}
	if !errors.Is(err, errPressed) {
		t.Errorf("the error is %v", err)
	}
	return got
}

func TestStopInEachPhase(t *testing.T) {
	t.Parallel()
	t.Run("waiting for the first byte", func(t *testing.T) {
		t.Parallel()
		now, closed := make(chan struct{}), make(chan struct{})
		c := serving(t, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the server sees a connection close only once it reads
			close(now)
			<-r.Context().Done()
			close(closed)
		})
		stopped(t, c, now)
		<-closed
	})
	t.Run("silent in the middle", func(t *testing.T) {
		t.Parallel()
		now, closed := make(chan struct{}), make(chan struct{})
		c := serving(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, text("one ")+text("two ")+text("three"))
			w.(http.Flusher).Flush()
			close(now)
			<-r.Context().Done()
			close(closed)
		})
		if got := stopped(t, c, now); got != "one two three" && got != "" {
			t.Errorf("%q", got)
		}
		<-closed
	})
}

func TestStopBeforeAnAnswer(t *testing.T) {
	t.Parallel()
	t.Run("accepted and never answered", func(t *testing.T) {
		t.Parallel()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		now, closed := make(chan struct{}), make(chan struct{})
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			_, _ = conn.Read(make([]byte, 100))
			close(now)
			_, _ = io.Copy(io.Discard, conn) // ends when the client closes
			close(closed)
		}()
		stopped(t, New(Config{BaseURL: "http://" + listener.Addr().String(), Model: "m"}), now)
		<-closed
	})
	t.Run("connecting", func(t *testing.T) {
		t.Parallel()
		now := make(chan struct{})
		transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			close(now)
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		stopped(t, New(Config{BaseURL: "http://127.0.0.1:1", Model: "m", HTTP: &http.Client{Transport: transport}}), now)
	})
	t.Run("before it began", func(t *testing.T) {
		t.Parallel()
		now := make(chan struct{})
		close(now)
		stopped(t, New(Config{BaseURL: "http://127.0.0.1:1", Model: "m"}), now)
	})
}

// TestAConsumerThatLeaves closes the connection too.
func TestAConsumerThatLeaves(t *testing.T) {
	t.Parallel()
	closed := make(chan struct{})
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, text("one "))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(closed)
	})
	for range c.Stream(t.Context(), offering("hi")) {
		break
	}
	<-closed
}

func TestStall(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{"at the start": "", "in the middle": text("one")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if first != "" {
					_, _ = io.WriteString(w, first)
					w.(http.Flusher).Flush()
				}
				<-r.Context().Done()
			}))
			defer s.Close()
			c := New(Config{BaseURL: s.URL, Model: "m", Stall: 50 * time.Millisecond})
			_, err := told(t.Context(), c, offering("hi"))
			var fault *model.Error
			if !errors.As(err, &fault) || fault.Kind != model.Stalled || !strings.Contains(fault.Message, "silent for 50ms") {
				t.Error(err)
			}
		})
	}
}

// TestALostConnection tells words that came and a connection that broke apart.
func TestALostConnection(t *testing.T) {
	t.Parallel()
	c := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, text("some words")+"data: {\"choices\":[{\"del")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	got, err := told(t.Context(), c, offering("hi"))
	var fault *model.Error
	if !errors.As(err, &fault) || fault.Kind != model.Lost || got != "some words" {
		t.Errorf("%q %v", got, err)
	}
}

// many is a server that streams n pieces.
func many(b *testing.B, n int) *httptest.Server {
	b.Helper()
	body := strings.Repeat(text(" word"), n) + stop + "data: [DONE]\n\n"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, body)
	}))
	b.Cleanup(s.Close)
	return s
}

const pieces = 20_000

// BenchmarkStream streams 20 000 pieces; compare BenchmarkBare.
func BenchmarkStream(b *testing.B) {
	c := New(Config{BaseURL: many(b, pieces).URL, Model: "m"})
	for b.Loop() {
		n := 0
		for p, err := range c.Stream(b.Context(), offering("hi")) {
			if err != nil {
				b.Fatal(err)
			}
			n += len(p.Text)
		}
		if n != 5*pieces {
			b.Fatal(n)
		}
	}
}

// BenchmarkBare reads the same with nothing but a line reader and encoding/json.
func BenchmarkBare(b *testing.B) {
	s := many(b, pieces)
	for b.Loop() {
		r, err := http.Post(s.URL, "application/json", strings.NewReader("{}"))
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for line, err := range model.Lines(r.Body) {
			data, ok := strings.CutPrefix(string(line), "data: ")
			if err != nil || !ok || data == "[DONE]" {
				continue
			}
			var chunk struct {
				Choices []struct {
					Delta struct {
						Content string `json:"content"`
					} `json:"delta"`
				} `json:"choices"`
			}
			if err := json.Unmarshal([]byte(data), &chunk); err != nil {
				b.Fatal(err)
			}
			n += len(chunk.Choices[0].Delta.Content)
		}
		r.Body.Close()
		if n != 5*pieces {
			b.Fatal(n)
		}
	}
}
