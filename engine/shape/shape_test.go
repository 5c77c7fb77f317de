package shape

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	person := `{"type":"object","properties":{"name":{"type":"string","minLength":1},"age":{"type":"integer","minimum":0}},"required":["name"],"additionalProperties":false}`
	for _, c := range []struct{ schema, value, want string }{
		{person, `{"name":"Ada","age":36}`, ""},
		{person, `{"name":"Ada","age":36.5}`, "/age must be of type integer, not number"},
		{person, `{"age":1}`, `the value lacks "name", which is required`},
		{person, `{"name":""}`, "/name must have at least 1 characters, and has 0"},
		{person, `{"name":"Ada","x":1}`, `the value has "x", which isn't asked for`},
		{person, `[]`, "the value must be of type object, not array"},
		{person, `{"name":"Ada"} and more`, "it is no JSON: something stands after the value"},
		{person, `nothing`, "it is no JSON: invalid character 'o' in literal null (expecting 'u')"},
		{`{"type":["string","null"]}`, `null`, ""},
		{`{"enum":["a",1]}`, `"b"`, `the value must be one of ["a",1], not "b"`},
		{`{"items":{"type":"number"},"uniqueItems":true}`, `[1,1]`, "/1 stands in the list twice"},
		{`{"items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"number","maximum":3}}}`, `[1,4]`, "/1 must be at most 3, not 4"},
		{`{"oneOf":[{"type":"number"},{"minimum":2}]}`, `3`, "the value must fit one of the 2 forms that it may have, and fits 2"},
		{`{"pattern":"^a+$"}`, `"ab"`, `the value must match the pattern "^a+$"`},
		{`{"if":{"type":"number"},"then":{"minimum":2},"else":{"type":"string"}}`, `true`, "the value must be of type string, not boolean"},
		{`{"$ref":"#"}`, `1`, "the value is nested too deep, or the schema refers to itself"},
		{`false`, `1`, "the value may not be there"},
	} {
		s, err := Parse([]byte(c.schema))
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
		} else if got := s.Check([]byte(c.value)); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.value, c.schema, got, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{`: "no JSON", `[]`: "must be an object", `{"type":"text"}`: "must be a type", `{"unevaluatedItems":false}`: "isn't known here",
		`{"$ref":"http://x"}`: "isn't in it", `{"$ref":"#/$defs/no"}`: "isn't in it", `{"pattern":"("}`: "can't be used",
		`{"properties":[]}`: "an object of schemas", `{"anyOf":[]}`: "a list of schemas", `{"required":"a"}`: "a list of texts",
		`{"minimum":"1"}`: "must be a number", `{"items":{"type":1}}`: "#/items/type",
	} {
		if _, err := Parse([]byte(schema)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", schema, err, want)
		}
	}
}

// What this package says of a value is what the library says.
func FuzzAgainstLibrary(f *testing.F) {
	schemas := []string{
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"items":{"type":"integer","minimum":0}}},"required":["a"],"additionalProperties":{"type":"boolean"}}`,
		`{"anyOf":[{"type":"string","maxLength":3},{"type":"array","prefixItems":[{"type":"number"}],"items":{"const":null},"maxItems":3}]}`,
		`{"oneOf":[{"multipleOf":2},{"multipleOf":3}],"not":{"type":"string"}}`,
		`{"patternProperties":{"^x":{"type":"null"}},"minProperties":1,"propertyNames":{"maxLength":2},"contains":{"type":"string"}}`,
		`{"$ref":"#/$defs/tree","$defs":{"tree":{"type":["object","null"],"properties":{"left":{"$ref":"#/$defs/tree"}},"additionalProperties":false}}}`,
		`{"enum":[1,"a",null,[1]],"if":{"type":"number"},"then":{"exclusiveMaximum":2}}`,
	}
	for i := range schemas {
		for _, v := range []string{`{"a":"x","b":[1,2]}`, `"abc"`, `[1,null]`, `[1,2]`, `6`, `4`, `{"xy":null}`, `{"left":{"left":null}}`, `1`, `[1]`, `["a"]`, `{}`} {
			f.Add(i, []byte(v))
		}
	}
	f.Fuzz(func(t *testing.T, i int, value []byte) {
		text := schemas[uint(i)%uint(len(schemas))]
		var v any
		if json.Unmarshal(value, &v) != nil {
			return
		}
		var theirs jsonschema.Schema
		if err := json.Unmarshal([]byte(text), &theirs); err != nil {
			t.Fatal(err)
		}
		resolved, err := theirs.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if why, err := ours.Check(value), resolved.Validate(v); (why == "") != (err == nil) {
			t.Errorf("%s of %s: here %q, there %v", value, text, why, err)
		}
	})
}

// Choices within choices multiply: a check ends all the same.
func TestChoicesEnd(t *testing.T) {
	t.Parallel()
	one := `{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}`
	s, err := Parse([]byte(`{"$ref":"#/$defs/a","$defs":{"a":{"type":"array","items":` + one + `}}}`))
	if err != nil {
		t.Fatal(err)
	}
	value := strings.Repeat("[", 60) + "1" + strings.Repeat("]", 60)
	if why := s.Check([]byte(value)); !strings.Contains(why, "too much to be compared") {
		t.Errorf("%q", why)
	}
}
