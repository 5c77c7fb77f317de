package model

import (
	"encoding/json"
	"html"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// wordsBytes bounds what is repeated of a server's own words.
const wordsBytes = 300

// Words takes a server's own words out of the body of an error, in whatever shape it came: an object or a string under
// "error", "message" or "detail", an HTML page, plain text. They are one line of at most 300 bytes; "" where there
// are none. The code is the number that some servers put beside them, else 0.
func Words(body []byte) (words string, code int) {
	text := strings.TrimSpace(string(body))
	if strings.HasPrefix(text, "<") {
		return Short(page(text), wordsBytes), 0
	}
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		words, code = spoken(value, 0)
		return Short(words, wordsBytes), code
	}
	return Short(text, wordsBytes), 0
}

// page is the title of an HTML page, or what it is.
func page(text string) string {
	lower := strings.ToLower(text)
	if from := strings.Index(lower, "<title"); from >= 0 && len(lower) == len(text) {
		rest := text[from:]
		if _, title, ok := strings.Cut(rest, ">"); ok {
			title, _, _ = strings.Cut(title, "<")
			if title = strings.TrimSpace(html.UnescapeString(title)); title != "" {
				return title
			}
		}
	}
	return "an HTML page"
}

// spokenDepth bounds how deep words are looked for: the deepest known shape is error.metadata.raw.
const spokenDepth = 4

// spoken finds the words in a decoded JSON value.
func spoken(value any, depth int) (words string, code int) {
	if depth > spokenDepth {
		return "", 0
	}
	switch v := value.(type) {
	case string:
		return v, 0
	case []any:
		if len(v) > 0 {
			return spoken(v[0], depth+1)
		}
	case map[string]any:
		code = number(v["code"])
		if code == 0 {
			code = number(v["status"])
		}
		for _, key := range []string{"error", "message", "detail", "msg", "errors", "error_description", "code", "type"} {
			inner, c := spoken(v[key], depth+1)
			if c != 0 {
				code = c
			}
			if inner != "" {
				return inner, code
			}
		}
	}
	return "", code
}

// number is an HTTP status out of a JSON value; 0 where it is none.
func number(value any) int {
	n := 0
	switch v := value.(type) {
	case float64:
		n = int(v)
	case string:
		n, _ = strconv.Atoi(v)
	}
	if n < 400 || n > 599 {
		return 0
	}
	return n
}

// Fault makes the error of a refusal: one sentence with the address, the server's words and what to do. Status is 0 for
// an error that came in an answer that began well.
func (w *Wire) Fault(status int, header http.Header, body []byte) *Error {
	words, code := Words(body)
	words = w.withoutKey(words)
	told := status
	if status == 0 || status == http.StatusOK {
		status, told = code, code
	}
	e := &Error{Kind: kind(status, strings.ToLower(words)), Status: told, After: retryAfter(header)}
	e.Message = w.sentence(e, status, words)
	if e.Kind == Rejected && status >= 300 && status < 400 {
		e.Message = w.address() + " sends requests elsewhere, to " + Short(header.Get("Location"), wordsBytes) + ": set the base URL to that"
	}
	return e
}

// kind tells what is to be done, by the words where they are clearer than the status.
func kind(status int, words string) ErrorKind {
	has := func(texts ...string) bool {
		for _, t := range texts {
			if strings.Contains(words, t) {
				return true
			}
		}
		return false
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, has("invalid api key", "incorrect api key", "invalid_api_key"):
		return BadKey
	case status == http.StatusRequestEntityTooLarge,
		has("context length", "context_length", "context size", "context window", "maximum context", "too many tokens",
			"prompt is too long", "input is too long", "input length", "exceed_context", "reduce the length"):
		return Overflow
	case has("insufficient_quota", "exceeded your current quota", "--jinja", "does not support"), cannotLoad(words):
		return Rejected
	case has("model") && has("not found", "not_found", "does not exist", "no models loaded", "not loaded", "unknown model",
		"invalid model", "not a valid model", "no such model", "try pulling"):
		return NoModel
	case status == http.StatusNotImplemented, status == http.StatusHTTPVersionNotSupported:
		return Rejected
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status >= 500,
		has("overloaded", "rate limit", "rate_limit", "try again later", "server_error", "loading model"):
		return Busy
	}
	return Rejected
}

// cannotLoad says whether the server has the model and can't run it: trying again changes nothing.
func cannotLoad(words string) bool {
	for _, t := range []string{"requires more system memory", "unable to load", "failed to load", "error loading model", "out of memory"} {
		if strings.Contains(words, t) {
			return true
		}
	}
	return false
}

// sentence says what happened and what to do.
func (w *Wire) sentence(e *Error, status int, words string) string {
	said := words
	if said == "" {
		said = http.StatusText(status)
	}
	if status != 0 && !numbered(said, status) {
		said = strings.TrimSpace(strconv.Itoa(status) + " " + said)
	}
	switch e.Kind {
	case BadKey:
		if w.Key == "" {
			return w.address() + " wants a key, and none is set (" + said + "): set " + w.keyName()
		}
		return "the key in " + w.keyName() + " was refused by " + w.address() + " (" + said + ")"
	case NoModel:
		return "no model " + w.Model + " at " + w.address() + " (" + said + ")"
	case Overflow:
		return "the request is longer than the context of " + w.from() + " (" + said + "): /new starts afresh, or give the model a larger one"
	case Busy:
		return w.from() + " is busy or failing (" + said + "): try again in a moment"
	}
	switch {
	case cannotLoad(strings.ToLower(words)):
		return w.from() + " could not be loaded (" + said + "): choose a smaller model, or free memory there"
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return "nothing that answers chats at " + w.address() + " (" + said + "): check the base URL, which mostly ends in /v1"
	}
	if words == "" && status == 0 {
		said = "no reason given"
	}
	return w.from() + " refused the request: " + said
}

// numbered says whether words begin with the status themselves, as the title of many a server's page does.
func numbered(words string, status int) bool {
	rest, ok := strings.CutPrefix(words, strconv.Itoa(status))
	return ok && (rest == "" || rest[0] < '0' || rest[0] > '9')
}

// withoutKey takes the key out of the server's words, and what shows its beginning.
func (w *Wire) withoutKey(words string) string {
	if w.Key == "" {
		return words
	}
	words = strings.ReplaceAll(words, w.Key, "…")
	const shown = 6 // a shorter beginning, as "sk-", names no key
	if len(w.Key) <= shown {
		return words
	}
	fields := strings.Fields(words)
	for i, f := range fields {
		if strings.Contains(f, w.Key[:shown]) {
			fields[i] = "…"
		}
	}
	return strings.Join(fields, " ")
}

// retryAfter reads the header in either form. A date is compared with the server's own clock where it tells it.
func retryAfter(header http.Header) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		const most = 24 * 60 * 60 // no server means more, and more overflows
		return time.Duration(min(max(seconds, 0), most) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if now, err := http.ParseTime(header.Get("Date")); err == nil {
		return max(0, at.Sub(now))
	}
	return max(0, time.Until(at))
}
