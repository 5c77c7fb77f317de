package tools

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "rewrite testdata/schemas")

func TestSchemas(t *testing.T) {
	t.Parallel()
	for _, tool := range everyTool() {
		spec := tool.Spec()
		var indented bytes.Buffer
		if err := json.Indent(&indented, spec.Schema, "", "  "); err != nil {
			t.Fatal(err)
		}
		indented.WriteByte('\n')
		path := filepath.Join("testdata", "schemas", spec.Name+".json")
		if *update {
			if err := os.WriteFile(path, indented.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(want, indented.Bytes()) {
			t.Errorf("%s is not the schema of %s (%v): go test ./tools -run TestSchemas -update\n%s", path, spec.Name, err, &indented)
		}
		if len(spec.Description) == 0 || len(spec.Description) >= 900 {
			t.Errorf("the description of %s is %d bytes", spec.Name, len(spec.Description))
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	all := All(Machine{})
	for name, want := range map[string]string{"shell": "shell", "run_command": "shell", "read_file": "read_file",
		"list_files": "list_files", "search_files": "search_files", "Shell": "", "": "", "rm": ""} {
		tool, ok := Find(all, name)
		if ok != (want != "") || ok && tool.Spec().Name != want {
			t.Errorf("%q: %v, %v", name, tool, ok)
		}
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	search := &form[searchFilesArguments]{tool: "search_files"}
	for _, test := range []struct {
		raw  string
		want searchFilesArguments
	}{
		{`{"pattern":"x"}`, searchFilesArguments{Pattern: "x"}},
		{`{"pattern":"x","limit":"12"}`, searchFilesArguments{Pattern: "x", Limit: 12}},
		{`{"pattern":"x","limit":" 12 "}`, searchFilesArguments{Pattern: "x", Limit: 12}},
		{`{"pattern":"x","limit":12.0}`, searchFilesArguments{Pattern: "x", Limit: 12}},
		{`{"pattern":"x","limit":"1e2"}`, searchFilesArguments{Pattern: "x", Limit: 100}},
		{`{"pattern":"x","limit":9007199254740993}`, searchFilesArguments{Pattern: "x", Limit: 9007199254740993}},
		{`{"pattern":"x","limit":123456789012345678901234567890}`, searchFilesArguments{Pattern: "x", Limit: 1<<63 - 1}},
		{`{"pattern":"x","limit":-1e400}`, searchFilesArguments{Pattern: "x", Limit: -1 << 63}},
		{`{"pattern":"x","ignoreCase":"true"}`, searchFilesArguments{Pattern: "x", IgnoreCase: true}},
		{`{"pattern":"x","ignoreCase":"False"}`, searchFilesArguments{Pattern: "x"}},
		{`{"pattern":"x","path":null,"limit":null}`, searchFilesArguments{Pattern: "x"}},
		{`"{\"pattern\":\"x\"}"`, searchFilesArguments{Pattern: "x"}},
		{`{"pattern":"12"}`, searchFilesArguments{Pattern: "12"}},
		{`{"pattern":"é<&>😀"}`, searchFilesArguments{Pattern: "é<&>😀"}},
	} {
		if got, err := search.read(json.RawMessage(test.raw)); err != nil || got != test.want {
			t.Errorf("%s: got %+v, %v", test.raw, got, err)
		}
	}
}

// TestMisfits has arguments that nothing may run with. Each is answered with what is wrong and what is expected.
func TestMisfits(t *testing.T) {
	t.Parallel()
	search := &form[searchFilesArguments]{tool: "search_files"}
	const expected = "Expected: pattern (string, required), path (string), glob (string), ignoreCase (boolean), limit (integer)"
	for _, test := range []struct{ raw, want string }{
		{``, `missing properties: ["pattern"]`},
		{`{}`, `missing properties: ["pattern"]`},
		{`{"pattern":null}`, `pattern: type: null has type "null", want "string"`},
		{`null`, `"null" is not an object`},
		{`[]`, `"[]" is not an object`},
		{`3`, `not an object`},
		{`"x"`, `invalid character 'x'`},
		{`{"pattern": "ls`, `unexpected EOF, in "{\"pattern\": \"ls"`},
		{`{"pattern":"x"} {}`, `more after the object`},
		{`{"pattern":5}`, `pattern: type: 5 has type "integer", want "string"`},
		{`{"pattern":"x","limit":"soon"}`, `limit: type: soon has type "string", want "integer"`},
		{`{"pattern":"x","limit":"inf"}`, `limit: type: inf has type "string", want "integer"`},
		{`{"pattern":"x","limit":"0x10"}`, `want "integer"`},
		{`{"pattern":"x","limit":1.5}`, `limit: type: 1.5 has type "number", want "integer"`},
		{`{"pattern":"x","ignoreCase":1}`, `ignoreCase: type: 1 has type "integer", want "boolean"`},
		{`{"pattern":"x","regex":"y"}`, `unknown fields ["regex"]`},
		{`{"pattern":["x"]}`, `want "string"`},
		{`{"pattern":{"a":1}}`, `want "string"`},
		{`{"pattern":"x","limit":"` + strings.Repeat("9a", 5000) + `"}`, `…`},
		{strings.Repeat(" ", maxArguments+1), "more than 4194304"},
	} {
		got, err := search.read(json.RawMessage(test.raw))
		switch {
		case err == nil:
			t.Errorf("%.100s: no error, %+v", test.raw, got)
		case !strings.Contains(err.Error(), test.want) || !strings.HasSuffix(err.Error(), expected):
			t.Errorf("%.100s: %v; want %s", test.raw, err, test.want)
		case len(err.Error()) > 600:
			t.Errorf("%.100s: the error is %d bytes", test.raw, len(err.Error()))
		}
	}
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"pattern":"x","limit":"1"}`, `"{\"pattern\":1}"`, `{"pattern":{}}`, `{"limit":1e999}`, `[`, "\xff", `{"pattern":"x","limit":"-"}`} {
		f.Add([]byte(seed))
	}
	form := &form[searchFilesArguments]{tool: "search_files"}
	form.json()
	whole, err := jsonschema.For[searchFilesArguments](nil)
	if err != nil {
		f.Fatal(err)
	}
	library, err := whole.Resolve(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if object, err := object(raw); err == nil {
			for name, given := range object {
				object[name] = forgive(given, "")
			}
			if got, want := form.schema.check(object), library.Validate(object); (got == nil) != (want == nil) {
				t.Errorf("%q: %v, and by the library: %v", raw, got, want)
			}
		}
		got, err := form.read(raw)
		if err == nil && !utf8.ValidString(got.Pattern+got.Path+got.Glob) {
			t.Errorf("%q: %+v", raw, got)
		}
		if err != nil && (!utf8.ValidString(err.Error()) || strings.ContainsAny(err.Error(), "\n\x00\x1b") || len(err.Error()) > 1000) {
			t.Errorf("%q: %q", raw, err)
		}
	})
}

func BenchmarkSchema(b *testing.B) {
	for b.Loop() {
		form := &form[searchFilesArguments]{tool: "x"}
		form.json()
	}
}
