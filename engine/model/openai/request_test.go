package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wisp/engine/model"
)

func TestRequestForStrictServers(t *testing.T) {
	t.Parallel()
	c := New(Config{BaseURL: "http://x", Model: "m"})
	r := model.Request{
		Instructions: "Be <brief>.",
		Messages: []model.Message{
			{Role: model.User, Text: "one"},
			{Role: model.User, Text: "two"},
			{Role: model.Assistant},
			{Role: model.Assistant, Calls: []model.Call{
				{ID: "a", Name: "shell", Arguments: json.RawMessage(`{"n":12345678901234567890}`)},
				{ID: "b", Name: "shell", Arguments: json.RawMessage(`{"n":`), Malformed: "cut off"},
				{ID: "c", Name: "shell", Arguments: json.RawMessage(`"{\"n\":"`)},
			}},
			{Role: model.Answer, Call: "a", Name: "shell", Text: "ok"},
			{Role: model.Answer, Call: "b", Name: "shell", Text: "bad"},
			{Role: model.Answer, Call: "c", Name: "shell", Text: "bad"},
			{Role: model.Assistant, Text: "half"},
			{Role: model.Assistant, Text: "done"},
			{Role: model.User, Text: "three"},
		},
		Tools: []model.Tool{{Name: "shell", Description: "Runs.", Schema: json.RawMessage(`{"type":"object"}`)}},
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(c.request(r)); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	call := func(id, arguments string) map[string]any {
		return map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "shell", "arguments": arguments}}
	}
	answer := func(id, text string) map[string]any {
		return map[string]any{"role": "tool", "tool_call_id": id, "content": text}
	}
	want := map[string]any{
		"model": "m", "stream": true, "stream_options": map[string]any{"include_usage": true},
		"tools": []any{map[string]any{"type": "function", "function": map[string]any{"name": "shell", "description": "Runs.", "parameters": map[string]any{"type": "object"}}}},
		"messages": []any{
			map[string]any{"role": "system", "content": "Be <brief>."},
			map[string]any{"role": "user", "content": "one\n\ntwo"},
			map[string]any{"role": "assistant", "content": "", "tool_calls": []any{call("a", `{"n":12345678901234567890}`), call("b", "{}"), call("c", "{}")}},
			answer("a", "ok"), answer("b", "bad"), answer("c", "bad"),
			map[string]any{"role": "assistant", "content": "half\n\ndone"},
			map[string]any{"role": "user", "content": "three"},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sk-secret-key" || r.Header.Get("X-Title") != "wisp" {
			w.WriteHeader(401)
		}
		_, _ = io.WriteString(w, text("a")+stop)
	})
	c.wire.Headers = map[string]string{"X-Title": "wisp"}
	if got, err := told(t.Context(), c, offering("hi")); err != nil || got != "a[end]" {
		t.Error(got, err)
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want []model.Info
	}{
		"llama.cpp": {
			`{"models":[{"name":"m.gguf","capabilities":["completion"]}],"data":[{"id":"m.gguf","owned_by":"llamacpp","meta":{"n_ctx_train":131072}}]}`,
			[]model.Info{{Name: "openai:m.gguf", Window: 131072, Tools: true}},
		},
		"vLLM": {`{"data":[{"id":"a/b","max_model_len":8192}]}`, []model.Info{{Name: "openai:a/b", Window: 8192, Tools: true}}},
		"OpenRouter": {
			`{"data":[{"id":"x/y:free","context_length":32000,"supported_parameters":["tools","reasoning"]},{"id":"z","supported_parameters":["stop"]}]}`,
			[]model.Info{{Name: "openai:x/y:free", Window: 32000, Tools: true, Thinking: true}, {Name: "openai:z"}},
		},
		"Mistral": {
			`{"data":[{"id":"big","max_context_length":128000,"capabilities":{"completion_chat":true,"function_calling":true}},{"id":"ocr","capabilities":{"completion_chat":false}}]}`,
			[]model.Info{{Name: "openai:big", Window: 128000, Tools: true}, {Name: "openai:ocr", Problem: "it can't chat"}},
		},
		"embeddings": {`{"data":[{"id":"text-embedding-3-small"}]}`, []model.Info{{Name: "openai:text-embedding-3-small", Problem: "it can't chat"}}},
		"a list":     {`[{"id":"a"}]`, []model.Info{{Name: "openai:a", Tools: true}}},
		"none":       {`{"data":[]}`, []model.Info{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, "application/json", c.body).List(t.Context())
			if d := cmp.Diff(c.want, got); d != "" || err != nil {
				t.Error(err, d)
			}
		})
	}
	if _, err := answering(t, "application/json", `{"error":"no"}`).List(t.Context()); err == nil {
		t.Error("an error was taken for a list")
	}
}

// A server that accepts and never answers is said so when the list's time is over.
func TestListOfASilentServer(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := New(Config{Provider: "box", BaseURL: s.URL}).List(ctx)
	<-asked
	var fault *model.Error
	if !errors.As(err, &fault) || !strings.HasPrefix(fault.Message, s.URL+" did not answer within 0.") {
		t.Error(err)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers map[string]string
		want    model.Info
	}{
		"llama.cpp's running window": {
			map[string]string{"/v1/models": `{"data":[{"id":"x.gguf","owned_by":"llamacpp","meta":{"n_ctx_train":131072}}]}`, "/props": `{"default_generation_settings":{"n_ctx":4096}}`},
			model.Info{Name: "openai:m", Window: 4096, Tools: true},
		},
		"LM Studio's loaded window": {
			map[string]string{"/v1/models": `{"data":[{"id":"m"}]}`, "/api/v0/models/m": `{"id":"m","type":"llm","loaded_context_length":8192,"max_context_length":131072}`},
			model.Info{Name: "openai:m", Window: 8192, Tools: true},
		},
		"vLLM's":     {map[string]string{"/v1/models": `{"data":[{"id":"m","max_model_len":1000}]}`}, model.Info{Name: "openai:m", Window: 1000, Tools: true}},
		"not listed": {map[string]string{"/v1/models": `{"data":[{"id":"other"},{"id":"another"}]}`}, model.Info{Name: "openai:m", Tools: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := serving(t, func(w http.ResponseWriter, r *http.Request) {
				body, ok := c.answers[r.URL.Path]
				if !ok {
					w.WriteHeader(404)
				}
				_, _ = io.WriteString(w, body)
			})
			got, err := client.Describe(t.Context())
			if d := cmp.Diff(c.want, got); d != "" || err != nil {
				t.Error(err, d)
			}
		})
	}
}
