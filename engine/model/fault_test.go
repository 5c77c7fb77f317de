package model

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		kind   ErrorKind
		says   string
	}{
		"an object":       {400, `{"error":{"message":"bad thing","type":"x"}}`, Rejected, "m at http://h/v1 refused the request: 400 bad thing"},
		"a string":        {400, `{"error":"bad thing"}`, Rejected, "400 bad thing"},
		"FastAPI":         {422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`, Rejected, "field required"},
		"Google's list":   {400, `[{"error":{"code":400,"message":"bad thing"}}]`, Rejected, "bad thing"},
		"HTML":            {502, "<html><head><title>502 Bad\n Gateway</title></head><body>…</body></html>", Busy, "(502 Bad Gateway)"},
		"another number":  {500, "5000 tokens", Busy, "(500 5000 tokens)"},
		"no body":         {500, "", Busy, "500 Internal Server Error"},
		"plain":           {400, "nope\n\x1b[31mred", Rejected, "400 nope [31mred"},
		"no key":          {401, `{"error":{"message":"no auth"}}`, BadKey, "the key in THE_KEY was refused by http://h/v1 (401 no auth)"},
		"too many":        {429, `{"error":{"message":"Rate limit"}}`, Busy, "429 Rate limit"},
		"no money":        {429, `{"error":{"message":"You exceeded your current quota"}}`, Rejected, "quota"},
		"no model":        {404, `{"error":"model 'm' not found"}`, NoModel, "no model m at http://h/v1"},
		"OpenAI's":        {404, "{\"error\":{\"message\":\"The model `m` does not exist\",\"code\":\"model_not_found\"}}", NoModel, "no model m"},
		"nothing loaded":  {400, `{"error":{"message":"No models loaded. Please load a model"}}`, NoModel, "no model m"},
		"wrong path":      {404, "404 page not found", Rejected, "(404 page not found): check the base URL"},
		"too long":        {400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, Overflow, "/new starts afresh"},
		"won't fit":       {500, `{"error":"model requires more system memory (5.6 GiB) than is available (3.2 GiB)"}`, Rejected, "could not be loaded"},
		"loading":         {503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`, Busy, "503 Loading model"},
		"no tools":        {400, `{"error":"registry/m does not support tools"}`, Rejected, "does not support tools"},
		"within a 200":    {0, `{"error":{"message":"upstream overloaded","code":529}}`, Busy, "529 upstream overloaded"},
		"within, no code": {0, `{"error":"boom"}`, Rejected, "refused the request: boom"},
		"moved":           {308, "", Rejected, "sends requests elsewhere, to https://elsewhere/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := Wire{URL: "http://user:pass@h/v1?key=abc", Model: "m", Key: "sk-1234567890", KeyName: "THE_KEY"}
			e := w.Fault(c.status, http.Header{"Location": {"https://elsewhere/v1"}}, []byte(c.body))
			if e.Kind != c.kind || !strings.Contains(e.Message, c.says) {
				t.Errorf("%s: %s", e.Kind, e.Message)
			}
			if strings.Contains(e.Message, "pass") || strings.Contains(e.Message, "abc") || strings.ContainsAny(e.Message, "\n\x1b") {
				t.Errorf("%q", e.Message)
			}
		})
	}
}

func TestFaultsKeepTheKey(t *testing.T) {
	t.Parallel()
	w := Wire{URL: "http://h", Key: "sk-1234567890", KeyName: "K"}
	e := w.Fault(401, nil, []byte(`{"error":{"message":"Incorrect API key provided: sk-1234567890, also sk-123***890 and `+strings.Repeat("x", 5000)+`"}}`))
	if strings.Contains(e.Message, "sk-123") || len(e.Message) > 450 || !strings.Contains(e.Message, "Incorrect API key") {
		t.Errorf("%q", e.Message)
	}
}

func TestFaultWantsAKey(t *testing.T) {
	t.Parallel()
	w := Wire{URL: "http://h", KeyName: "providers.h.apiKeyEnv in the configuration"}
	const want = "http://h wants a key, and none is set (401 Unauthorized): set providers.h.apiKeyEnv in the configuration"
	if e := w.Fault(401, nil, nil); e.Kind != BadKey || e.Message != want {
		t.Errorf("%s: %s", e.Kind, e.Message)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "0.5": 500 * time.Millisecond, "-3": 0, "soon": 0, "": 0, "1e300": 24 * time.Hour,
		now.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second,
		now.Add(-time.Hour).Format(http.TimeFormat):       0,
	} {
		h := http.Header{"Retry-After": {value}, "Date": {now.Format(http.TimeFormat)}}
		if got := retryAfter(h); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"x","code":"429"}}`))
	f.Add([]byte("<html><title>x"))
	f.Fuzz(func(t *testing.T, body []byte) {
		words, _ := Words(body)
		if len(words) > wordsBytes || strings.ContainsAny(words, "\n\r\x1b\x00") {
			t.Errorf("%q", words)
		}
	})
}
