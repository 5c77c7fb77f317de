package openai

import (
	"encoding/json"
	"testing"
)

// chunk is a message as servers stream it, with the text as it stands in the JSON.
func chunk(text string) string {
	return `{"id":"x","created":1,"choices":[{"index":0,"delta":{"content":"` + text + `"},"finish_reason":null}]}`
}

// learned is what is known after the messages.
func learned(messages ...string) *alike {
	var a alike
	for _, data := range messages {
		var m message
		if json.Unmarshal([]byte(data), &m) == nil {
			a.learn([]byte(data), &m)
		}
	}
	return &a
}

func TestAlike(t *testing.T) {
	t.Parallel()
	spaced := `{"choices": [{"delta": {"content": "a"}}]}`
	for name, test := range map[string]struct {
		first, second, want string
		ok                  bool
	}{
		"another text":        {chunk("a"), chunk(" word"), " word", true},
		"no text":             {chunk("a"), chunk(""), "", true},
		"beyond ASCII":        {chunk("a"), chunk("é😀"), "é😀", true},
		"blanks":              {spaced, `{"choices": [{"delta": {"content": "b"}}]}`, "b", true},
		"an escape":           {chunk("a"), chunk(`\n`), "", false},
		"learned of escapes":  {chunk(`\n`), chunk("a"), "", false},
		"no UTF-8":            {chunk("a"), chunk("\xff"), "", false},
		"another field":       {chunk("a"), `{"id":"y"` + chunk("a")[9:], "", false},
		"a field in the text": {chunk("a"), chunk(`a"},"x":{"content":"b`), "", false},
		"the end":             {chunk("a"), `{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`, "", false},
		"the place isn't the content's": {
			`{"x":{"content":"a"},"choices":[{"delta":{"content":"a"}}]}`, `{"x":{"content":"b"},"choices":[{"delta":{"content":"a"}}]}`, "", false,
		},
	} {
		got, ok := learned(test.first).text([]byte(test.second))
		if got != test.want || ok != test.ok {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
}

// TestAlikeInVain has a server that puts something new into each message: nothing more is learned after a while.
func TestAlikeInVain(t *testing.T) {
	t.Parallel()
	var a alike
	for i := range 2 * maxLearning {
		data := []byte(chunk("a"))
		data[7] += byte(i) // the id
		var m message
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		a.learn(data, &m)
	}
	if a.learned != maxLearning {
		t.Errorf("learned %d times", a.learned)
	}
}

// FuzzAlike holds what is read without the decoder against the decoder.
func FuzzAlike(f *testing.F) {
	f.Add(chunk("a"), chunk("b"))
	f.Add(chunk("content"), chunk(`\u0041`))
	f.Add(`{"content":"a","choices":[{"delta":{"Content":"a"}}]}`, `{"content":"b","choices":[{"delta":{"Content":"a"}}]}`)
	f.Add(`{"choices":[{"delta":{"content":"a","content":"a"}}]}`, `{"choices":[{"delta":{"content":"b","content":"a"}}]}`)
	f.Fuzz(func(t *testing.T, first, second string) {
		got, ok := learned(first).text([]byte(second))
		if !ok {
			return
		}
		var m message
		if err := json.Unmarshal([]byte(second), &m); err != nil {
			t.Fatalf("%q after %q is no JSON: %v", second, first, err)
		}
		if got != "" && !m.textAlone() || len(m.Choices) != 1 || m.Choices[0].Delta.Content != got {
			t.Errorf("%q after %q: %q, and by the decoder %+v", second, first, got, m)
		}
	})
}
