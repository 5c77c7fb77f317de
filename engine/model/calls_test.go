package model

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// deltas reads the tool_calls of one message each, as a chat completion writes them.
func deltas(t *testing.T, messages ...string) []Call {
	t.Helper()
	a := NewAssembler(Request{Tools: []Tool{{Name: "shell"}, {Name: "read_file"}}})
	for _, m := range messages {
		var calls []struct {
			Index    *int   `json:"index"`
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		}
		if err := json.Unmarshal([]byte(m), &calls); err != nil {
			t.Fatal(err)
		}
		var parts []Part
		for _, c := range calls {
			parts = append(parts, Part{Index: c.Index, ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		a.Add(parts...)
	}
	return a.Calls()
}

// assembled is what messages make: id, name and arguments, a call a line, with a ! where they are malformed.
type assembled map[string]struct {
	messages []string
	want     string
}

func TestAssembler(t *testing.T) {
	t.Parallel()
	assembled{
		"by the book": {[]string{
			`[{"index":0,"id":"a","function":{"name":"shell","arguments":""}}]`, `[{"index":0,"function":{"arguments":"{\"x\":"}}]`, `[{"index":0,"function":{"arguments":"1}"}}]`,
		}, `a shell {"x":1}`},
		"no id, no index": {[]string{
			`[{"function":{"name":"shell","arguments":"{\"x\":"}}]`, `[{"function":{"arguments":"1}"}}]`,
			`[{"function":{"name":"read_file","arguments":"{}"}}]`,
		}, "call00001 shell {\"x\":1}\ncall00002 read_file {}"},
		"one index, two ids": {[]string{
			`[{"index":0,"id":"a","function":{"name":"shell","arguments":"{}"}}]`, `[{"index":0,"id":"b","function":{"name":"shell","arguments":"{}"}}]`,
		}, "a shell {}\nb shell {}"},
		"one index, two ids, in pieces": {[]string{
			`[{"index":0,"id":"a","function":{"name":"shell"}}]`, `[{"index":0,"function":{"arguments":"{\"x\":1}"}}]`,
			`[{"index":0,"id":"b","function":{"name":"shell"}}]`, `[{"index":0,"function":{"arguments":"{\"x\":2}"}}]`,
		}, "a shell {\"x\":1}\nb shell {\"x\":2}"},
		"one index, no ids": {[]string{
			`[{"index":0,"function":{"name":"shell","arguments":"{}"}},{"index":0,"function":{"name":"shell","arguments":"{\"x\":1}"}}]`,
		}, "call00001 shell {}\ncall00002 shell {\"x\":1}"},
		"interleaved": {[]string{
			`[{"index":0,"id":"a","function":{"name":"shell","arguments":""}},{"index":1,"id":"b","function":{"name":"read_file","arguments":""}}]`,
			`[{"index":1,"function":{"arguments":"{\"p\":2}"}},{"index":0,"function":{"arguments":"{\"p\":1}"}}]`,
		}, "a shell {\"p\":1}\nb read_file {\"p\":2}"},
		"interleaved by id": {[]string{
			`[{"id":"a","function":{"name":"shell"}},{"id":"b","function":{"name":"read_file"}}]`, `[{"id":"a","function":{"arguments":"{\"p\":1}"}}]`, `[{"id":"b","function":{"arguments":"{\"p\":2}"}}]`,
		}, "a shell {\"p\":1}\nb read_file {\"p\":2}"},
	}.check(t)
}

func TestAssemblerOfOddParts(t *testing.T) {
	t.Parallel()
	assembled{
		"id and name in each piece": {[]string{
			`[{"index":0,"id":"a","function":{"name":"shell","arguments":""}}]`, `[{"index":0,"id":"a","function":{"name":"shell","arguments":"{\"x\""}}]`, `[{"index":0,"id":"a","function":{"name":"shell","arguments":":1}"}}]`,
		}, `a shell {"x":1}`},
		"null names and ids": {[]string{
			`[{"index":0,"id":"a","function":{"name":"shell","arguments":null}}]`, `[{"index":0,"id":null,"function":{"name":null,"arguments":"{\"x\":1}"}}]`,
		}, `a shell {"x":1}`},
		"a name in pieces": {[]string{
			`[{"index":0,"id":"a","function":{"name":"read_"}}]`, `[{"index":0,"function":{"name":"file","arguments":"{}"}}]`,
		}, `a read_file {}`},
		"one id for all": {[]string{
			`[{"id":"x","function":{"name":"shell","arguments":"{\"a\":1}"}}]`, `[{"id":"x","function":{"name":"shell","arguments":"{\"a\":2}"}}]`,
		}, "x shell {\"a\":1}\ncall00001 shell {\"a\":2}"},
		"sent once more at the end": {[]string{
			`[{"index":0,"id":"a","function":{"name":"shell","arguments":"{\"a\":1}"}}]`, `[{"index":0,"id":"a","function":{"name":"shell","arguments":"{\"a\":1}"}}]`,
		}, `a shell {"a":1}`},
		"an object":         {[]string{`[{"function":{"name":"shell","arguments":{"n":12345678901234567890,"f":1.0}}}]`}, `call00001 shell {"n":12345678901234567890,"f":1.0}`},
		"an id comes later": {[]string{`[{"index":0,"function":{"name":"shell"}}]`, `[{"index":0,"id":"a","function":{"arguments":"{}"}}]`}, `a shell {}`},
		"no arguments":      {[]string{`[{"index":0,"id":"a","function":{"name":"shell"}}]`}, `a shell {}`},
		"null arguments":    {[]string{`[{"index":0,"id":"a","function":{"name":"shell","arguments":null}}]`}, `a shell null!`},
		"an array":          {[]string{`[{"index":0,"id":"a","function":{"name":"shell","arguments":[1]}}]`}, `a shell [1]!`},
		"a new index in the middle": {[]string{
			`[{"index":0,"id":"a","function":{"name":"shell","arguments":"{\"x\":"}}]`, `[{"index":1,"function":{"arguments":"1}"}}]`,
		}, `a shell {"x":1}`},
	}.check(t)
}

func (cases assembled) check(t *testing.T) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range deltas(t, c.messages...) {
				line := c.ID + " " + c.Name + " " + string(c.Arguments)
				if c.Malformed != "" {
					line += "!"
				}
				got = append(got, line)
			}
			if d := cmp.Diff(c.want, strings.Join(got, "\n")); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestMadeIDsAreNew(t *testing.T) {
	t.Parallel()
	a := NewAssembler(Request{Messages: []Message{{Role: Assistant, Calls: []Call{{ID: "call00001"}, {ID: "x"}}}}})
	a.Add(Part{Name: "shell", Whole: true}, Part{Name: "shell", ID: "x", Whole: true})
	calls := a.Calls()
	if calls[0].ID != "call00002" || calls[1].ID != "call00003" {
		t.Errorf("ids: %s, %s", calls[0].ID, calls[1].ID)
	}
}

func TestParseArguments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ arguments, malformed string }{
		"":                                {"{}", ""},
		"  \n":                            {"{}", ""},
		`{"a": 1.0, "b": 1e5}`:            {`{"a": 1.0, "b": 1e5}`, ""},
		"\n{}\n":                          {"{}", ""},
		`"{\"a\":123456789012345678901}"`: {`{"a":123456789012345678901}`, ""},
		"null":                            {"null", "the arguments are null, not a JSON object: null"},
		"[]":                              {"[]", "the arguments are an array, not a JSON object: []"},
		`"x"`:                             {`"x"`, `the arguments are a string, not a JSON object: "x"`},
		"7":                               {"7", "the arguments are a number, not a JSON object: 7"},
		`{"command": "ls`:                 {`{"command": "ls`, "the arguments are no valid JSON (unexpected end of JSON input at byte 15): {\"command\": \"ls"},
		`{"a":1,}`:                        {`{"a":1,}`, "the arguments are no valid JSON (invalid character '}' looking for beginning of object key string at byte 8): {\"a\":1,}"},
		`{"a":1}{"a":1}`:                  {`{"a":1}{"a":1}`, "the arguments are no valid JSON (invalid character '{' after top-level value at byte 8): {\"a\":1}{\"a\":1}"},
	} {
		arguments, malformed := ParseArguments(text)
		if string(arguments) != want.arguments || malformed != want.malformed {
			t.Errorf("%q: %s, %q", text, arguments, malformed)
		}
	}
	_, malformed := ParseArguments(`{"content":"` + strings.Repeat("é\n", 5000))
	if len(malformed) > 250 || strings.Contains(malformed, "\n") {
		t.Errorf("an excerpt of %d bytes: %q", len(malformed), malformed)
	}
}

func TestSendable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": 1}`:                          `{"a": 1}`,
		`{"a":`:                             `{}`,
		`{"command":"echo a\u0000b"}`:       `{"command":"echo a\ufffdb"}`,
		`{"\u0000":["\u0000\u0000",{}]}`:    `{"\ufffd":["\ufffd\ufffd",{}]}`,
		`{"c":"printf 'a\\u0000'"}`:         `{"c":"printf 'a\\u0000'"}`,
		`{"c":"\\\u0000 \"\u0000 \u00001"}`: `{"c":"\\\ufffd \"\ufffd \ufffd1"}`,
		`"{\"a\":\"\\u0000\"}"`:             `{"a":"\ufffd"}`,
	} {
		c := Call{Arguments: json.RawMessage(text)}
		if got := string(c.Sendable()); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if string(c.Arguments) != text {
			t.Errorf("%s was changed into %s", text, c.Arguments)
		}
	}
}

func FuzzParseArguments(f *testing.F) {
	f.Add(`{"a":1}`)
	f.Add(`"{\"a\":"`)
	f.Fuzz(func(t *testing.T, text string) {
		arguments, malformed := ParseArguments(text)
		var fields map[string]json.RawMessage
		if malformed == "" && json.Unmarshal(arguments, &fields) != nil {
			t.Errorf("%q became %s", text, arguments)
		}
		if malformed != "" && string(arguments) != text {
			t.Errorf("%q was changed into %q", text, arguments)
		}
	})
}
