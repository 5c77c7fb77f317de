package compose

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"wisp/engine/model"
	"wisp/engine/model/ollama"
	"wisp/engine/model/openai"
)

// wireTap is a server in a test's hands: it keeps the body of each chat.
type wireTap struct{ body []byte }

// RoundTrip answers any question with next to nothing.
func (w *wireTap) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	switch {
	case strings.HasSuffix(r.URL.Path, "/api/show"):
		answer = `{"capabilities":["completion","tools"]}`
	case strings.Contains(r.URL.Path, "chat"):
		w.body, _ = io.ReadAll(r.Body)
		if strings.HasPrefix(r.URL.Path, "/api") {
			answer = `{"message":{"role":"assistant","content":"ok"},"done":true}` + "\n"
		}
	default:
		answer = "{}"
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer)), Request: r}, nil
}

// sentMessage is a message in either provider's form.
type sentMessage struct {
	Role    string  `json:"role"`
	Content *string `json:"content"`
	Calls   []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	Answers string `json:"tool_call_id"`
}

// refused says what the strictest server of a provider's kind would refuse in a body; "" where it takes it.
func refused(body []byte) string {
	var sent struct{ Messages []sentMessage }
	if err := json.Unmarshal(body, &sent); err != nil {
		return err.Error()
	}
	if !utf8.Valid(body) || strings.Contains(string(body), `\u0000`) {
		return "no text"
	}
	last, user := "system", false
	var waiting []string
	for i, m := range sent.Messages {
		user = user || m.Role == "user"
		switch {
		case m.Content == nil:
			return fmt.Sprintf("message %d: content is null", i)
		case m.Role == "system" && i > 0, m.Role == "assistant" && last == "system":
			return fmt.Sprintf("message %d: %s after %s", i, m.Role, last)
		case m.Role != "tool" && (len(waiting) > 0 || m.Role == last && i > 0):
			return fmt.Sprintf("message %d: %s after %s, %d answers are due", i, m.Role, last, len(waiting))
		case m.Role == "tool" && (len(waiting) == 0 || m.Answers != waiting[0]):
			return fmt.Sprintf("message %d: an answer to %q, which is not due", i, m.Answers)
		case strings.TrimSpace(*m.Content) == "" && len(m.Calls) == 0:
			return fmt.Sprintf("message %d: empty", i)
		}
		if m.Role == "tool" {
			waiting = waiting[1:]
		}
		for _, c := range m.Calls {
			arguments := c.Function.Arguments
			var text string
			if json.Unmarshal(arguments, &text) == nil { // chat completions have them as a string
				arguments = json.RawMessage(text)
			}
			var object map[string]any
			if json.Unmarshal(arguments, &object) != nil || object == nil || c.Function.Name == "" || c.ID == "" {
				return fmt.Sprintf("message %d: call %+v", i, c)
			}
			waiting = append(waiting, c.ID)
		}
		last = m.Role
	}
	if len(waiting) > 0 || len(sent.Messages) > 1 && !user {
		return fmt.Sprintf("%d calls have no answer, a user's message: %v", len(waiting), user)
	}
	return ""
}

// Any record at all makes a request that each provider has a legal form for.
func TestAnyRecordIsLegalInEachForm(t *testing.T) {
	t.Parallel()
	tap := &wireTap{}
	web := &http.Client{Transport: tap}
	clients := map[string]model.Client{
		"openai": openai.New(openai.Config{Model: "m", BaseURL: "http://box/v1", HTTP: web}),
		"ollama": ollama.New(ollama.Config{Model: "m", BaseURL: "http://box", HTTP: web}),
	}
	rapid.Check(t, func(t *rapid.T) {
		entries := numbered(rapid.SliceOf(rapid.Custom(anyEntry)).Draw(t, "entries"))
		c := Composer{Instructions: "Be kind.", Facts: rapid.SliceOf(rapid.Custom(anyFact)).Draw(t, "facts")}
		next := c.Next(entries).Request
		for name, client := range clients {
			tap.body = nil
			for _, err := range client.Stream(t.Context(), next) {
				if err != nil {
					t.Fatal(err)
				}
			}
			if why := refused(tap.body); why != "" {
				t.Fatalf("%s: %s\n%s", name, why, tap.body)
			}
		}
	})
}
