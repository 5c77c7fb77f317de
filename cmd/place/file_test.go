package place

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.json")
	for content, want := range map[string]string{
		"":                              "",
		"{}":                            "{}",
		"\ufeff{}\n":                    "{}\n",
		strings.Repeat("x", maxFile):    strings.Repeat("x", maxFile),
		strings.Repeat("x", maxFile+1):  "longer than 1 MiB",
		strings.Repeat("x", 10*maxFile): "longer than 1 MiB",
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		got, info, err := ReadFile(path)
		switch {
		case err != nil && !strings.Contains(err.Error(), want), err == nil && (string(got) != want || info == nil):
			t.Errorf("%d bytes: %d bytes, %v", len(content), len(got), err)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"{}":                          "",
		"{} // said":                  "",
		"{/* { [ */ \"a\": \"[{\",}":  "",
		"{\"a\": \"\\\"[[\"} // [[[":  "",
		" \n":                         "it is empty; {} is a file without settings",
		"// said":                     "line 1: parsing value: unexpected EOF",
		"{\n\"a\": 1\n\"b\": 2}":      `line 3, after "a": invalid character '"' after object value (expecting ',' or '}')`,
		"{\"a\":\n\n":                 `line 1, after "a": parsing value: unexpected EOF`,
		"{\"a\": /* ":                 `line 1, after "a": parsing comment: unexpected EOF`,
		"{\"a\": tru}":                `line 1, after "a": a value that is no JSON`,
		"{\"a\":\n\"\xc3\"}":          `line 2, after "a": it is no UTF-8 text`,
		strings.Repeat("[", 1000_000): "line 1: its values stand too deep in one another",
	} {
		_, err := Parse([]byte(content))
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%.40q: %v, want %s", content, err, want)
		}
	}
}

// What a reader that calls itself would take is bounded whatever the text: nothing that parses is deeper than it may be.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a": [1, {}], /* x */ "b": "\""} // y`, strings.Repeat("[", 70), `"/*" [`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		v, err := Parse([]byte(content))
		if err != nil {
			return
		}
		v.Standardize()
		depth, deepest, quoted := 0, 0, false
		text := v.Pack()
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case !quoted && (c == '{' || c == '['):
				depth++
				deepest = max(deepest, depth)
			case !quoted && (c == '}' || c == ']'):
				depth--
			}
		}
		if deepest > maxDepth {
			t.Errorf("%q is %d deep", content, deepest)
		}
	})
}
