package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wisp/engine/model"
)

// fake is an Ollama that has one model and answers each chat the same.
type fake struct {
	show string // what it says of the model; "": it knows no such path
	tags string
	chat http.HandlerFunc

	mu    sync.Mutex
	shows int
	body  map[string]any // of the last chat
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch r.URL.Path {
	case "/api/show":
		f.mu.Lock()
		f.shows++
		f.mu.Unlock()
		if f.show == "" {
			w.WriteHeader(404)
		}
		_, _ = io.WriteString(w, f.show)
	case "/api/tags":
		_, _ = io.WriteString(w, f.tags)
	case "/api/chat":
		f.mu.Lock()
		f.body = nil
		_ = json.Unmarshal(body, &f.body)
		f.mu.Unlock()
		f.chat(w, r)
	default:
		w.WriteHeader(404)
	}
}

const capable = `{"capabilities":["completion","tools","thinking"],"parameters":"stop \"x\"\nnum_ctx    9000","model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}`

func saying(lines string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, lines) }
}

func start(t *testing.T, f *fake, c Config) *Client {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	c.BaseURL, c.Model = s.URL, "m"
	return New(c)
}

func request(text string) model.Request {
	return model.Request{
		Instructions: "Be brief.", Messages: []model.Message{{Role: model.User, Text: text}},
		Tools: []model.Tool{{Name: "shell", Description: "Runs.", Schema: json.RawMessage(`{"type":"object"}`)}},
	}
}

func told(ctx context.Context, c model.Client, r model.Request) (string, error) {
	var b strings.Builder
	for p, err := range c.Stream(ctx, r) {
		switch {
		case err != nil:
			return b.String(), err
		case p.Call != nil:
			fmt.Fprintf(&b, "[%s %s %s]", p.Call.ID, p.Call.Name, p.Call.Arguments)
		case p.Reasoning != "":
			b.WriteString("(" + p.Reasoning + ")")
		case p.Usage != nil:
			fmt.Fprintf(&b, "[%d %d]", p.Usage.Input, p.Usage.Output)
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

const end = `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":2}` + "\n"

func TestAnswers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300_000)
	for name, c := range map[string]struct{ lines, want string }{
		"text": {`{"message":{"content":"Hel"},"done":false}` + "\n" + `{"message":{"content":"lo"},"done":false}` + "\n" + end, "Hello[10 2][end]"},
		"thinking": {
			`{"message":{"content":"","thinking":"hm"}}` + "\n" + `{"message":{"content":"a"}}` + "\n" + end, "(hm)a[10 2][end]",
		},
		"calls": {
			`{"message":{"content":"","tool_calls":[{"function":{"name":"shell","arguments":{"n":12345678901234567890}}},{"id":"x","function":{"index":1,"name":"shell","arguments":{}}}]}}` + "\n" +
				`{"message":{"tool_calls":[{"function":{"index":0,"name":"shell","arguments":{}}}]}}` + "\n" + end,
			`[call00001 shell {"n":12345678901234567890}][x shell {}][call00002 shell {}][10 2][end]`,
		},
		"a call as text": {`{"message":{"content":"<tool_call>{\"name\":\"shell\",\"arguments\":{}}"}}` + "\n" + end, "[call00001 shell {}][10 2][end]"},
		"a long line":    {`{"message":{"content":"` + long + `"}}` + "\n" + end, long + "[10 2][end]"},
		"CRLF, blanks":   {"\r\n" + `{"message":{"content":"a"}}` + "\r\n\r\n" + end, "a[10 2][end]"},
		"no last end":    {`{"message":{"content":"a"},"done":true}`, "a[end]"},
		"nulls":          {`{"message":null}` + "\n" + `{"message":{"content":null,"tool_calls":null},"error":null}` + "\n" + `{"message":{"content":"a"},"done":true}`, "a[end]"},
		"the limit":      {`{"message":{"content":"a"},"done":true,"done_reason":"length"}`, "a[note the answer was cut off: m at URL reached its length limit][end]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := start(t, &fake{show: capable, chat: saying(c.lines)}, Config{})
			got, err := told(t.Context(), client, request("hi"))
			if got = strings.ReplaceAll(got, client.wire.URL, "URL"); err != nil || got != c.want {
				t.Errorf("%v\n got %.300s\nwant %.300s", err, got, c.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	failing := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	for name, c := range map[string]struct {
		chat http.HandlerFunc
		kind model.ErrorKind
		says string
	}{
		"no model":       {failing(404, `{"error":"model 'm' not found"}`), model.NoModel, "get it with `ollama pull m`; models there: qwen3:8b, nomic"},
		"in the middle":  {saying(`{"message":{"content":"a"}}` + "\n" + `{"error":"runner stopped"}` + "\n"), model.Rejected, "runner stopped"},
		"too large":      {failing(500, `{"error":"model requires more system memory (9 GiB) than is available (1 GiB)"}`), model.Rejected, "choose a smaller model"},
		"nothing":        {saying(end), model.BadReply, "answered with nothing"},
		"an empty body":  {saying(""), model.BadReply, "answered with nothing"},
		"cut":            {saying(`{"message":{"content":"a"}}` + "\n"), model.Lost, "cut off"},
		"cut in a line":  {saying(`{"message":{"content":"a"}}` + "\n" + `{"messa`), model.Lost, "cut off"},
		"HTML":           {saying("<html><title>Sign in</title></html>"), model.BadReply, "Sign in"},
		"busy":           {failing(503, `{"error":"server busy"}`), model.Busy, "server busy"},
		"a gate's words": {failing(401, ""), model.BadKey, "wants a key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{show: capable, tags: `{"models":[{"name":"qwen3:8b"},{"name":"nomic"}]}`, chat: c.chat}
			_, err := told(t.Context(), start(t, f, Config{}), request("hi"))
			var fault *model.Error
			if !errors.As(err, &fault) || fault.Kind != c.kind || !strings.Contains(fault.Message, c.says) {
				t.Error(err)
			}
		})
	}
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(nil)
	s.Close()
	_, err := told(t.Context(), New(Config{BaseURL: s.URL, Model: "m"}), request("hi"))
	if want := "no server at " + s.URL + ": start it with `ollama serve`"; err == nil || err.Error() != want {
		t.Error(err)
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		show   string
		config Config
		window int
		want   map[string]any // of the body, but for messages and tools
		tools  bool
	}{
		"the Modelfile's window": {show: capable, want: map[string]any{"think": true, "options": map[string]any{"num_ctx": 9000.0}}, tools: true},
		"the request's window":   {show: capable, window: 20000, want: map[string]any{"think": true, "options": map[string]any{"num_ctx": 20000.0}}, tools: true},
		"never above the model's": {
			show: capable, window: 99999, config: Config{Think: "low", KeepAlive: "10m"},
			want: map[string]any{"think": "low", "keep_alive": "10m", "options": map[string]any{"num_ctx": 40960.0}}, tools: true,
		},
		"configured": {
			show: `{"capabilities":["completion","thinking","tools"],"model_info":{"a.context_length":131072}}`, config: Config{Window: 65536, Think: "off", KeepAlive: "-1"},
			want: map[string]any{"think": false, "keep_alive": -1.0, "options": map[string]any{"num_ctx": 65536.0}}, tools: true,
		},
		"capped": {
			show: `{"capabilities":["completion","tools"],"model_info":{"a.context_length":131072}}`,
			want: map[string]any{"options": map[string]any{"num_ctx": 32768.0}}, tools: true,
		},
		"no tools":          {show: `{"capabilities":["completion"],"model_info":{"a.context_length":4096}}`, want: map[string]any{"options": map[string]any{"num_ctx": 4096.0}}},
		"an older server":   {show: "", want: map[string]any{}, tools: true},
		"tells no limit":    {show: "{}", window: 5000, want: map[string]any{"options": map[string]any{"num_ctx": 5000.0}}, tools: true},
		"answers all paths": {show: `{"message":{"content":"hi"},"done":true}` + "\n{}", want: map[string]any{}, tools: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{show: c.show, chat: saying(`{"message":{"content":"a"},"done":true}`)}
			client := start(t, f, c.config)
			r := request("hi")
			r.Window = c.window
			for range 2 {
				got, err := told(t.Context(), client, r)
				if err != nil || !strings.HasSuffix(got, "a[end]") {
					t.Fatal(got, err)
				}
			}
			_, tools := f.body["tools"]
			if tools != c.tools {
				t.Errorf("tools were sent: %v", tools)
			}
			delete(f.body, "tools")
			delete(f.body, "messages")
			c.want["model"], c.want["stream"] = "m", true
			if d := cmp.Diff(c.want, f.body); d != "" {
				t.Error(d)
			}
			if f.shows != 1 {
				t.Errorf("asked %d times", f.shows)
			}
		})
	}
}

func TestNoToolsIsSaidOnce(t *testing.T) {
	t.Parallel()
	f := &fake{show: `{"capabilities":["completion"]}`, chat: saying(`{"message":{"content":"a"},"done":true}`)}
	client := start(t, f, Config{})
	first, _ := told(t.Context(), client, request("hi"))
	second, _ := told(t.Context(), client, request("hi"))
	if !strings.HasPrefix(first, "[note m can't use tools") || second != "a[end]" {
		t.Error(first, second)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(messages(model.Request{Instructions: "i", Messages: []model.Message{
		{Role: model.User, Text: "a"}, {Role: model.User, Text: "b"},
		{Role: model.Assistant, Calls: []model.Call{{ID: "x", Name: "shell", Arguments: json.RawMessage(`{"n":1.0}`)}, {ID: "y", Name: "shell", Arguments: json.RawMessage(`{`), Malformed: "cut"}}},
		{Role: model.Answer, Call: "x", Name: "shell", Text: "ok"}, {Role: model.Answer, Call: "y", Name: "shell", Text: "no"},
	}}))
	want := `[{"role":"system","content":"i"},{"role":"user","content":"a\n\nb"},` +
		`{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"name":"shell","arguments":{"n":1.0}}},{"id":"y","function":{"name":"shell","arguments":{}}}]},` +
		`{"role":"tool","content":"ok","tool_name":"shell","tool_call_id":"x"},{"role":"tool","content":"no","tool_name":"shell","tool_call_id":"y"}]`
	if err != nil || string(b) != want {
		t.Errorf("%v\n%s\n%s", err, b, want)
	}
}

func TestListAndDescribe(t *testing.T) {
	t.Parallel()
	client := start(t, &fake{show: capable, tags: `{"models":[{"name":"qwen3:8b"}]}`}, Config{})
	list, err := client.List(t.Context())
	if d := cmp.Diff([]model.Info{{Name: "ollama:qwen3:8b", Window: 9000, Tools: true, Thinking: true}}, list); d != "" || err != nil {
		t.Error(err, d)
	}
	info, err := client.Describe(t.Context())
	if d := cmp.Diff(model.Info{Name: "ollama:m", Window: 9000, Tools: true, Thinking: true}, info); d != "" || err != nil {
		t.Error(err, d)
	}
	embed := start(t, &fake{show: `{"capabilities":["embedding"]}`}, Config{})
	if info, err = embed.Describe(t.Context()); err != nil || info.Problem == "" || info.Tools {
		t.Error(info, err)
	}
}

// TestStop stops while the model's capabilities are asked for, and in the middle of an answer.
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

func TestStop(t *testing.T) {
	t.Parallel()
	pressed := errors.New("stopped by you")
	for _, path := range []string{"/api/show", "/api/chat"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			closed := make(chan time.Time, 1)
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if r.URL.Path != path {
					_, _ = io.WriteString(w, capable)
					return
				}
				if path == "/api/chat" {
					_, _ = io.WriteString(w, `{"message":{"content":"a"}}`+"\n")
					w.(http.Flusher).Flush()
				}
				began := time.Now()
				cancel(pressed)
				<-r.Context().Done()
				closed <- began
			}))
			defer s.Close()
			_, err := told(ctx, New(Config{BaseURL: s.URL, Model: "m"}), request("hi"))
			if took := time.Since(<-closed); !errors.Is(err, pressed) || took > time.Second {
				t.Errorf("%v after %v", err, took)
			}
		})
	}
}

func TestBaseURL(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"":                         DefaultURL,
		"localhost":                "http://localhost:11434",
		":8080":                    "http://127.0.0.1:8080",
		"0.0.0.0":                  "http://127.0.0.1:11434",
		"0.0.0.0:1234":             "http://127.0.0.1:1234",
		"box:1/":                   "http://box:1",
		"https://box.example":      "https://box.example",
		"https://box.example/base": "https://box.example/base",
		"http://box:5":             "http://box:5",
		"[::1]":                    "http://[::1]:11434",
		"[::]:99":                  "http://127.0.0.1:99",
		"::1":                      "http://[::1]:11434",
	} {
		if got := BaseURL(host); got != want {
			t.Errorf("%q: %s, want %s", host, got, want)
		}
	}
}
