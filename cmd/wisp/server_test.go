package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is an OpenAI-compatible server whose answers are functions, one for each request for a reply.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	keys   []string
}

func newServer(t *testing.T, answers ...func(http.ResponseWriter, *http.Request)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			http.NotFound(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		n := len(s.bodies)
		s.bodies = append(s.bodies, string(body))
		s.keys = append(s.keys, r.Header.Get("Authorization"))
		s.mu.Unlock()
		answers[min(n, len(answers)-1)](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// requests returns the bodies so far.
func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.bodies...)
}

// events answers with a stream of chunks.
func events(chunks ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, c := range chunks {
			fmt.Fprintf(w, "data: %s\n\n", c)
			w.(http.Flusher).Flush()
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}

// local configures a provider at the server, and returns the flag that takes its model.
func (p *machine) local(s *server) string {
	p.config(fmt.Sprintf(`{"providers": {"local": {"type": "openai", "baseUrl": %q, "apiKeyEnv": "LOCAL_KEY", "models": ["m"]}}}`, s.URL+"/v1"))
	p.env = append(p.env, "LOCAL_KEY="+secretKey)
	return "--model=local:m"
}

const secretKey = "sk-3cr3t-f0r-th1s-t3st"

// A real server calls a tool in pieces, is given the answer, and replies.
func TestServerCallsTool(t *testing.T) {
	t.Parallel()
	s := newServer(t,
		events(
			`{"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"shell","arguments":""}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"command\":\"echo "}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"over here\"}"}}]}}]}`,
			`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
			`{"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":3}}`),
		events(`{"choices":[{"index":0,"delta":{"content":"It said "}}]}`, `{"choices":[{"index":0,"delta":{"content":"over here."},"finish_reason":"stop"}]}`))
	p := newPlace(t)
	w := p.engine(p.local(s))
	w.send("what does it say?")
	if l := w.wait(says("event", "command.outcome")); l.printed() != "over here\n" {
		t.Errorf("the command: %s", l.raw)
	}
	if l := w.wait(says("turn", `"end"`)); l.Outcome != "ok" {
		t.Errorf("the turn ended with %s", l.raw)
	}
	w.in.Close()
	w.end(0)
	reply := ""
	for _, l := range w.all(is("delta")) {
		reply += l.text()
	}
	if reply != "It said over here." {
		t.Errorf("the reply is %q", reply)
	}
	bodies := s.requests()
	if len(bodies) != 2 {
		t.Fatalf("%d requests", len(bodies))
	}
	var second struct {
		Messages []struct {
			Role, Content string
			ToolCallID    string `json:"tool_call_id"`
		}
	}
	must(t, json.Unmarshal([]byte(bodies[1]), &second))
	last := second.Messages[len(second.Messages)-1]
	if last.Role != "tool" || last.ToolCallID != "call_1" || !strings.Contains(last.Content, "over here") {
		t.Errorf("the call's answer is %+v", last)
	}
	if s.keys[0] != "Bearer "+secretKey {
		t.Errorf("the key is %q", s.keys[0])
	}
}

// A server that accepts and never answers, or falls silent in the middle, sees its connection closed as soon as the person
// stops the turn, or the session ends.
func TestServerNeverAnswers(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{"no byte": "", "silent in the middle": `{"choices":[{"index":0,"delta":{"content":"so "}}]}`} {
		for way, leave := range map[string]func(*wisp){
			"interrupt": func(w *wisp) { w.send(`{"type":"interrupt"}`) }, "end of input": func(w *wisp) { w.in.Close() },
		} {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				asked, closed := make(chan struct{}, 9), make(chan time.Time, 9)
				s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
					if first != "" {
						w.Header().Set("Content-Type", "text/event-stream")
						fmt.Fprintf(w, "data: %s\n\n", first)
						w.(http.Flusher).Flush()
					}
					asked <- struct{}{}
					<-r.Context().Done()
					closed <- time.Now()
				})
				p := newPlace(t)
				w := p.engine(p.local(s))
				w.send("hello")
				<-asked
				if first != "" {
					w.wait(is("delta"))
				}
				began := time.Now()
				leave(w)
				select {
				case at := <-closed:
					if took := at.Sub(began); took > time.Second {
						t.Errorf("the connection was closed after %v", took)
					}
				case <-time.After(limit):
					t.Fatal("the connection stays open")
				}
				if l := w.wait(says("turn", `"end"`)); l.Outcome != "stopped" {
					t.Errorf("the turn ended with %s", l.raw)
				}
				w.in.Close()
				w.end(0)
			})
		}
	}
}

// A key is in its provider's requests and nowhere else: in no output, no file, no command's environment, even where the server
// sends it back.
func TestKeyStaysSecret(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s","code":"invalid_api_key"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	})
	p := newPlace(t)
	model := p.local(s)
	p.env = append(p.env, "WISP_LOG=debug", "OPENAI_API_KEY="+secretKey)
	w := p.engine(model)
	w.send("hello")
	if l := w.wait(says("turn", `"end"`)); l.Outcome != "error" || !strings.Contains(l.Reason, "LOCAL_KEY") || !strings.Contains(l.Reason, "refused") {
		t.Errorf("the turn ended with %s", l.raw)
	}
	w.send("! env; cat /proc/$PPID/cmdline", "/models", "/status", "/stats")
	if l := w.wait(says("event", "command.typed")); strings.Contains(l.printed(), "LOCAL_KEY") || strings.Contains(l.printed(), "OPENAI_API_KEY") {
		t.Errorf("a command's environment holds the key: %s", l.printed())
	}
	w.in.Close()
	w.end(0)
	for _, l := range w.all(func(l line) bool { return strings.Contains(l.raw, secretKey) }) {
		t.Errorf("the key is in %s", l.raw)
	}
	_, stdout, stderr := p.run("", "ask", model, "hello")
	_, listed, listErr := p.run("", "models")
	if strings.Contains(stdout+stderr+listed+listErr+w.stderr.String(), secretKey) {
		t.Errorf("the key is in what was printed: %s%s%s%s", stdout, stderr, listed, listErr)
	}
	must(t, filepath.WalkDir(p.home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if strings.Contains(string(data), secretKey) {
				t.Errorf("the key is in %s", path)
			}
		}
		return err
	}))
}
