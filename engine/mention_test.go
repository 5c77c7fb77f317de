package engine

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMentions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][][]string{
		"":                          nil,
		"see @a.go":                 {{"a.go"}},
		"@a.go, please":             {{"a.go,", "a.go"}},
		"(@a.go)":                   {{"a.go)", "a.go"}},
		`"@a.go"`:                   {{`a.go"`, "a.go"}},
		"what is @a?!":              {{"a?!", "a?", "a"}},
		`@"my file.txt".`:           {{"my file.txt"}},
		`@"open`:                    nil,
		`@my\ file.txt and more`:    {{"my file.txt"}},
		"@src/ @~/x @/etc/hosts":    {{"src/"}, {"~/x"}, {"/etc/hosts"}},
		"ada@example.com a@b @":     nil,
		"@... and @. and @@ -1,2":   {{"@"}},
		"@é.txt\n@ü":                {{"é.txt"}, {"ü"}},
		strings.Repeat("@x ", 1000): slices.Repeat([][]string{{"x"}}, maxMentions),
	} {
		if got := mentions(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q names %q, want %q", clip(text, 60), got, want)
		}
	}
}

func TestMentionAt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		from int
		path string
		ok   bool
	}{
		"@":          {0, "", true},
		"see @sr":    {4, "sr", true},
		`see @my\ f`: {4, "my f", true},
		"see @my f":  {4, "my", false},
		`see @"my f`: {4, "", false},
		"a@b":        {0, "", false},
		"@a\nb":      {0, "", false},
		"":           {0, "", false},
	} {
		from, path, ok := mentionAt(text)
		if ok != want.ok || ok && (from != want.from || path != want.path) {
			t.Errorf("%q stands in %d %q %v, want %+v", text, from, path, ok, want)
		}
	}
	if got := asMention(`my file\x`); got != `my\ file\\x` {
		t.Errorf("written as %q", got)
	}
}

func FuzzMentions(f *testing.F) {
	for _, seed := range []string{"@a", `@"a b"`, `@a\`, "@\xff", `@"`, "@a\u2028@b", `(@..)`, `x@y @\ z`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, forms := range mentions(text) {
			for _, path := range forms {
				if path == "" || utf8.ValidString(text) && !utf8.ValidString(path) {
					t.Errorf("%q names %q", text, forms)
				}
				if !utf8.ValidString(path) || strings.ContainsAny(path, "\n\"") {
					continue
				}
				again := mentions("@" + asMention(path))
				if len(again) != 1 || again[0][0] != path {
					t.Errorf("%q is written %q, which names %q", path, asMention(path), again)
				}
			}
		}
		mentionAt(text)
	})
}
