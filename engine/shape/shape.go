// Package shape says whether a JSON value is of the shape that a JSON Schema asks for, and what isn't if not.
//
// It knows the keywords of draft 2020-12 that speak of values, and those of older drafts that mean the same: types, enum and
// const, objects, lists, numbers, texts, the combinations, and references within the schema. What only describes (title,
// examples, format) is passed over. A keyword that it doesn't know is refused when the schema is read, so that nothing is
// taken for checked that wasn't.
//
// It is a package of its own because the libraries make tables at every start of a process (docs/performance.md); a test compares
// it with one of them.
//
// What the package doesn't do: it makes no schema, fetches none that is named by an address, fills in no defaults, and checks
// no format. Its complaints are sentences for whoever wrote the value, a model mostly. Specified in conversation.md ("--schema FILE").
package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds how deep a schema and a value are followed: a reference may lead to itself.
const maxDepth = 200

// maxSteps bounds how many schemas are held against values in one check: choices within choices multiply.
const maxSteps = 1 << 18

// Schema is one that was read. It may be used from several goroutines.
type Schema struct {
	root     any
	patterns map[string]*regexp.Regexp
}

// Parse reads a schema. The error says what of it can't be kept.
func Parse(text []byte) (*Schema, error) {
	root, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("the schema is no JSON: %w", err)
	}
	s := &Schema{root: root, patterns: map[string]*regexp.Regexp{}}
	if err := s.read(root, "", 0); err != nil {
		return nil, err
	}
	return s, nil
}

// decode reads one JSON value, and nothing after it.
func decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something stands after the value")
	}
	return v, nil
}

// described are keywords that ask for nothing.
func described(key string) bool {
	switch key {
	case "$schema", "$id", "$anchor", "$comment", "$vocabulary", "title", "description", "default", "examples", "example", "format", "deprecated",
		"readOnly", "writeOnly", "contentEncoding", "contentMediaType":
		return true
	}
	return strings.HasPrefix(key, "x-")
}

// read sees that a schema can be kept, with all below it.
func (s *Schema) read(schema any, at string, depth int) error {
	object, ok := schema.(map[string]any)
	if _, is := schema.(bool); is {
		return nil
	}
	if !ok || depth > maxDepth {
		return fmt.Errorf("the schema at #%s must be an object, true or false", at)
	}
	for key, value := range object {
		if err := s.keyword(key, value, at+"/"+key, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// keyword sees that one keyword can be kept.
func (s *Schema) keyword(key string, value any, at string, depth int) error {
	wrong := func(what string) error { return fmt.Errorf("the schema at #%s must be %s", at, what) }
	switch key {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		all, ok := value.(map[string]any)
		if !ok {
			return wrong("an object of schemas")
		}
		for name, one := range all {
			if key == "patternProperties" {
				if err := s.pattern(name, at); err != nil {
					return err
				}
			}
			if err := s.read(one, at+"/"+name, depth); err != nil {
				return err
			}
		}
	case "allOf", "anyOf", "oneOf", "prefixItems":
		all, ok := value.([]any)
		if !ok || len(all) == 0 {
			return wrong("a list of schemas")
		}
		for i, one := range all {
			if err := s.read(one, at+"/"+strconv.Itoa(i), depth); err != nil {
				return err
			}
		}
	case "additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else":
		return s.read(value, at, depth)
	default:
		return s.plain(key, value, at, wrong)
	}
	return nil
}

// plain sees that a keyword can be kept which holds no schema.
func (s *Schema) plain(key string, value any, at string, wrong func(string) error) error {
	switch key {
	case "type":
		return s.types(value, wrong)
	case "required":
		return texts(value, wrong)
	case "enum":
		if _, ok := value.([]any); !ok {
			return wrong("a list")
		}
	case "pattern":
		text, ok := value.(string)
		if !ok {
			return wrong("a text")
		}
		return s.pattern(text, at)
	case "$ref":
		text, _ := value.(string)
		if _, err := s.resolve(text); err != nil {
			return err
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems",
		"minProperties", "maxProperties", "minContains", "maxContains":
		if n, ok := value.(float64); !ok || key == "multipleOf" && n <= 0 {
			return wrong("a number")
		}
	case "uniqueItems":
		if _, ok := value.(bool); !ok {
			return wrong("true or false")
		}
	case "const":
	default:
		if !described(key) {
			return fmt.Errorf("the schema at #%s has a keyword that isn't known here", at)
		}
	}
	return nil
}

func (s *Schema) pattern(text, at string) error {
	r, err := regexp.Compile(text)
	if err != nil {
		return fmt.Errorf("the schema at #%s has a pattern that can't be used: %w", at, err)
	}
	s.patterns[text] = r
	return nil
}

func (s *Schema) types(value any, wrong func(string) error) error {
	for _, one := range list(value) {
		if name, _ := one.(string); !slices.Contains([]string{"object", "array", "string", "number", "integer", "boolean", "null"}, name) {
			return wrong("a type, or a list of them")
		}
	}
	return nil
}

func texts(value any, wrong func(string) error) error {
	all, ok := value.([]any)
	for _, one := range all {
		if _, text := one.(string); !text {
			ok = false
		}
	}
	if !ok {
		return wrong("a list of texts")
	}
	return nil
}

// list is a value that may stand alone or in a list.
func list(value any) []any {
	if all, ok := value.([]any); ok {
		return all
	}
	return []any{value}
}

// resolve follows a reference within the schema: "#", or "#/$defs/NAME".
func (s *Schema) resolve(ref string) (any, error) {
	wrong := fmt.Errorf("the schema refers to %q, which isn't in it", ref)
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, wrong
	}
	at := s.root
	if path == "" {
		return at, nil
	}
	for _, name := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch v := at.(type) {
		case map[string]any:
			at, ok = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if ok = err == nil && i >= 0 && i < len(v); ok {
				at = v[i]
			}
		default:
			ok = false
		}
		if !ok {
			return nil, wrong
		}
	}
	return at, nil
}

// Check says what of a JSON text isn't as the schema asks, in a sentence; "" where all is.
func (s *Schema) Check(text []byte) string {
	v, err := decode(text)
	if err != nil {
		return "it is no JSON: " + err.Error()
	}
	return (&checking{Schema: s, left: maxSteps}).check(s.root, v, "", 0)
}

// checking is one check.
type checking struct {
	*Schema
	left int
}

// named is a place in the value, as a complaint begins.
func named(at string) string {
	if at == "" {
		return "the value"
	}
	return at
}

// check says what isn't as one schema asks.
func (s *checking) check(schema, v any, at string, depth int) string {
	if s.left--; s.left < 0 {
		return "the schema asks for too much to be compared: choices within choices multiply"
	}
	if depth > maxDepth {
		return named(at) + " is nested too deep, or the schema refers to itself"
	}
	object, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return named(at) + " may not be there"
		}
		return ""
	}
	if ref, ok := object["$ref"].(string); ok {
		to, err := s.resolve(ref)
		if err != nil {
			return err.Error()
		}
		if why := s.check(to, v, at, depth+1); why != "" {
			return why
		}
	}
	for _, one := range []func(map[string]any, any, string, int) string{s.kind, s.combined, s.object, s.array, s.number, s.text} {
		if why := one(object, v, at, depth); why != "" {
			return why
		}
	}
	return ""
}

// kind checks type, enum and const.
func (s *checking) kind(schema map[string]any, v any, at string, _ int) string {
	if want, ok := schema["type"]; ok {
		fits := func(one any) bool {
			n, number := v.(float64)
			return one == kindOf(v) || one == "integer" && number && n == math.Trunc(n)
		}
		if names := list(want); !slices.ContainsFunc(names, fits) {
			words := make([]string, len(names))
			for i, n := range names {
				words[i] = fmt.Sprint(n)
			}
			return fmt.Sprintf("%s must be of type %s, not %s", named(at), strings.Join(words, " or "), kindOf(v))
		}
	}
	if all, ok := schema["enum"].([]any); ok && !slices.ContainsFunc(all, func(one any) bool { return reflect.DeepEqual(one, v) }) {
		return fmt.Sprintf("%s must be one of %s, not %s", named(at), told(all), told(v))
	}
	if only, ok := schema["const"]; ok && !reflect.DeepEqual(only, v) {
		return fmt.Sprintf("%s must be %s, not %s", named(at), told(only), told(v))
	}
	return ""
}

// told is a value as a complaint shows it.
func told(v any) string {
	text, err := json.Marshal(v)
	if err != nil || len(text) <= 200 {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:200]), "") + "…"
}

// kindOf is the type of a value.
func kindOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	}
	return "null"
}

// number checks what is asked of a number.
func (s *checking) number(schema map[string]any, v any, at string, _ int) string {
	n, ok := v.(float64)
	if !ok {
		return ""
	}
	for _, limit := range []struct {
		key  string
		ok   func(limit float64) bool
		what string
	}{
		{"minimum", func(l float64) bool { return n >= l }, "at least"},
		{"maximum", func(l float64) bool { return n <= l }, "at most"},
		{"exclusiveMinimum", func(l float64) bool { return n > l }, "more than"},
		{"exclusiveMaximum", func(l float64) bool { return n < l }, "less than"},
		{"multipleOf", func(l float64) bool { q := n / l; return math.Abs(q-math.Round(q)) < 1e-9 }, "a multiple of"},
	} {
		if l, ok := schema[limit.key].(float64); ok && !limit.ok(l) {
			return fmt.Sprintf("%s must be %s %v, not %v", named(at), limit.what, l, n)
		}
	}
	return ""
}

// text checks what is asked of a text; its length is in characters.
func (s *checking) text(schema map[string]any, v any, at string, _ int) string {
	text, ok := v.(string)
	if !ok {
		return ""
	}
	if p, ok := schema["pattern"].(string); ok && !s.patterns[p].MatchString(text) {
		return fmt.Sprintf("%s must match the pattern %q", named(at), p)
	}
	return counted(schema, "Length", utf8.RuneCountInString(text), at, "characters")
}

// counted checks a number of things against the keywords min… and max….
func counted(schema map[string]any, of string, n int, at, what string) string {
	if l, ok := schema["min"+of].(float64); ok && float64(n) < l {
		return fmt.Sprintf("%s must have at least %v %s, and has %d", named(at), l, what, n)
	}
	if l, ok := schema["max"+of].(float64); ok && float64(n) > l {
		return fmt.Sprintf("%s must have at most %v %s, and has %d", named(at), l, what, n)
	}
	return ""
}
