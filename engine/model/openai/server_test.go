package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"wisp/engine/model"
)

// answering is a server that gives every chat the same answer.
func answering(t testing.TB, contentType, body string) *Client {
	t.Helper()
	return serving(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	})
}

func serving(t testing.TB, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return New(Config{BaseURL: s.URL + "/v1", Model: "m", Key: "sk-secret-key", KeyName: "K"})
}

// offering is a request with two tools.
func offering(text string) model.Request {
	return model.Request{
		Instructions: "Be brief.",
		Messages:     []model.Message{{Role: model.User, Text: text}},
		Tools:        []model.Tool{{Name: "shell", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "read_file"}},
	}
}

// told is an answer as one line.
func told(ctx context.Context, c model.Client, r model.Request) (string, error) {
	var b strings.Builder
	for p, err := range c.Stream(ctx, r) {
		switch {
		case err != nil:
			return b.String(), err
		case p.Call != nil:
			fmt.Fprintf(&b, "[%s %s %s", p.Call.ID, p.Call.Name, p.Call.Arguments)
			if p.Call.Malformed != "" {
				b.WriteString("!")
			}
			b.WriteString("]")
		case p.Reasoning != "":
			b.WriteString("(" + p.Reasoning + ")")
		case p.Usage != nil:
			fmt.Fprintf(&b, "[%d %d %d]", p.Usage.Input, p.Usage.Output, p.Usage.Cached)
		case p.Note != "":
			b.WriteString("[note " + p.Note + "]")
		case p.End:
			b.WriteString("[end]")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String(), nil
}

const stop = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"

func text(s string) string {
	b, _ := json.Marshal(s)
	return `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":` + string(b) + `},"finish_reason":null}]}` + "\n\n"
}

func TestHabits(t *testing.T) {
	t.Parallel()
	const done = "data: [DONE]\n\n"
	for name, c := range map[string]struct{ stream, want string }{
		"by the book": {text("Hel") + text("lo") + stop + done, "Hello[end]"},
		"no [DONE]":   {text("Hello") + stop, "Hello[end]"},
		"no finish":   {text("Hello") + done, "Hello[end]"},
		"usage last": {
			text("a") + stop + `data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}}` + "\n\n" + done, "a[10 2 4][end]",
		},
		"choices null, absent, delta null": {
			`data: {"choices":null}` + "\n\n" + `data: {"usage":null}` + "\n\n" + `data: {"choices":[{"delta":null}]}` + "\n\n" + text("a") + `data: {"choices":[{"delta":{"content":null,"tool_calls":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":3}}` + "\n\n", "a[3 0 0][end]",
		},
		"comments, CRLF, ping":     {strings.ReplaceAll(": ping\n\n:\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n"+text("a")+": x\n\n"+stop+done, "\n", "\r\n"), "a[end]"},
		"no blank after the colon": {strings.ReplaceAll(text("a")+stop+done, "data: ", "data:"), "a[end]"},
		"no blank line at the end": {text("a") + `data: {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}`, "ab[end]"},
		"both fields of reasoning": {
			`data: {"choices":[{"delta":{"reasoning_content":"one"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"reasoning":"two"}}]}` + "\n\n" +
				`data: {"choices":[{"delta":{"reasoning":"three","reasoning_content":"three"}}]}` + "\n\n" + text("a") + stop, "(one)(two)(three)a[end]",
		},
		"a list as content": {
			`data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a"}]}}]}` + "\n\n" + stop, "(hm)a[end]",
		},
		"think tags":        {text("<thi") + text("nk>hm</think>") + text("\n\na") + stop, "(hm)a[end]"},
		"a long line":       {text(strings.Repeat("x", 200_000)) + stop, strings.Repeat("x", 200_000) + "[end]"},
		"a bad line":        {text("a") + "data: {nonsense\n\n" + text("b") + stop, "ab[note a part of the answer could not be read: {nonsense][end]"},
		"cut by the length": {text("a") + `data: {"choices":[{"delta":{},"finish_reason":"length"}]}` + "\n\n", "a[note the answer was cut off: m at URL reached its length limit][end]"},
		"the old form of a call": {
			`data: {"choices":[{"delta":{"function_call":{"name":"shell","arguments":"{\"a\""}}}]}` + "\n\n" + `data: {"choices":[{"delta":{"function_call":{"arguments":":1}"}}}]}` + "\n\n" + stop, `[call00001 shell {"a":1}][end]`,
		},
		"a number as id": {`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":7,"function":{"name":"shell","arguments":"{}"}}]}}]}` + "\n\n" + stop, `[7 shell {}][end]`},
		"a call as text": {text(`{"name":"shell",`) + text(`"arguments":{"command":"ls"}}`) + stop, `[call00001 shell {"command":"ls"}][end]`},
		"one index for two": {
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"shell","arguments":"{}"}}]}}]}` + "\n\n" +
				`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"read_file","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n" + done,
			"[a shell {}][b read_file {}][end]",
		},
		"cut arguments": {
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"shell","arguments":"{\"command\": \"ls"}}]},"finish_reason":"tool_calls"}]}` + "\n\n", `[a shell {"command": "ls!][end]`,
		},
		"not streamed":       {`{"choices":[{"index":0,"message":{"role":"assistant","content":"a","tool_calls":[{"id":"x","type":"function","function":{"name":"shell","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`, "a[x shell {}][1 2 0][end]"},
		"not streamed, rows": {"\n\n{\n \"choices\": [\n  {\"message\": {\"content\": \"a\"}}\n ]\n}", "a[end]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := answering(t, "text/event-stream", c.stream)
			got, err := told(t.Context(), client, offering("hi"))
			got = strings.ReplaceAll(got, client.wire.URL, "URL")
			if err != nil || got != c.want {
				t.Errorf("%v\n got %.300s\nwant %.300s", err, got, c.want)
			}
		})
	}
}

func TestErrorsWithin200(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stream, want string
		kind         model.ErrorKind
		says         string
	}{
		"in the middle":      {text("a") + `data: {"error":{"message":"boom","code":500}}` + "\n\n", "a", model.Busy, "500 boom"},
		"a string":           {`data: {"error":"model 'm' not found"}` + "\n\n", "", model.NoModel, "no model m at"},
		"as an event":        {text("a") + "event: error\ndata: {\"message\":\"boom\"}\n\n", "a", model.Rejected, "boom"},
		"llama.cpp's":        {text("a") + `error: {"code":500,"message":"slot lost"}` + "\n\n", "a", model.Busy, "slot lost"},
		"vLLM's old":         {`data: {"object":"error","message":"too bad","code":400}` + "\n\n", "", model.Rejected, "too bad"},
		"the whole body":     {`{"error":{"message":"boom"}}`, "", model.Rejected, "boom"},
		"HTML":               {"<!doctype html><title>Sign in</title>", "", model.BadReply, "no chat completion: Sign in"},
		"an empty body":      {"", "", model.BadReply, "answered with nothing"},
		"nothing said":       {stop, "", model.BadReply, "answered with nothing"},
		"cut":                {text("some words"), "some words", model.Lost, "cut off"},
		"cut before a word":  {`data: {"choices":[{"delta":{"role":"assistant"}}]}` + "\n\n", "", model.Lost, "cut off"},
		"cut within a call":  {`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"shell","arguments":"{"}}]}}]}` + "\n\n", "", model.Lost, "cut off"},
		"nothing but prose":  {"hello there", "", model.BadReply, "answered with nothing"},
		"nonsense as events": {"data: hello\n\n", "", model.BadReply, "no chat completion: hello"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := told(t.Context(), answering(t, "text/event-stream", c.stream), offering("hi"))
			var fault *model.Error
			if !errors.As(err, &fault) || fault.Kind != c.kind || !strings.Contains(fault.Message, c.says) || got != c.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestNoModelNamesThoseThere(t *testing.T) {
	t.Parallel()
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			_, _ = io.WriteString(w, `{"data":[{"id":"qwen3"},{"id":"nomic-embed-text"},{"id":"llama3"}]}`)
			return
		}
		w.WriteHeader(404)
		_, _ = io.WriteString(w, `{"error":{"message":"The model does not exist"}}`)
	})
	_, err := told(t.Context(), c, offering("hi"))
	if err == nil || !strings.HasSuffix(err.Error(), "models there: qwen3, llama3") {
		t.Error(err)
	}
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(nil)
	s.Close()
	_, err := told(t.Context(), New(Config{BaseURL: s.URL + "/v1", Model: "m", Start: "start it"}), offering("hi"))
	var fault *model.Error
	if !errors.As(err, &fault) || fault.Kind != model.NoServer || fault.Message != "no server at "+s.URL+"/v1: start it" {
		t.Error(err)
	}
	for url, says := range map[string]string{"": "is no URL", "localhost:1": "is no URL", "http://": "is no URL", "http://no-such-host.invalid/v1": "was not found"} {
		_, err := told(t.Context(), New(Config{BaseURL: url, Model: "m"}), offering("hi"))
		if !errors.As(err, &fault) || fault.Kind != model.NoServer || !strings.Contains(fault.Message, says) {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestBaseURLWithoutVersion(t *testing.T) {
	t.Parallel()
	for name, miss := range map[string]func(w http.ResponseWriter){
		"404": func(w http.ResponseWriter) { w.WriteHeader(404) },
		"LM Studio's 200": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"error":"Unexpected endpoint or method. (POST /chat/completions)"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/chat/completions" {
					miss(w)
					return
				}
				_, _ = io.WriteString(w, text("a")+stop)
			}))
			defer s.Close()
			c := New(Config{BaseURL: s.URL + "/", Model: "m"})
			for range 2 {
				if got, err := told(t.Context(), c, offering("hi")); err != nil || got != "a[end]" {
					t.Error(got, err)
				}
			}
		})
	}
}

func TestStreamOptionsRefused(t *testing.T) {
	t.Parallel()
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if strings.Contains(string(b), "stream_options") {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"error":{"message":"Unrecognized request argument: stream_options"}}`)
			return
		}
		_, _ = io.WriteString(w, text("a")+stop)
	})
	if got, err := told(t.Context(), c, offering("hi")); err != nil || got != "a[end]" {
		t.Error(got, err)
	}
}
