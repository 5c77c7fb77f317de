package tools

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// schema is what a tool's arguments must be: one flat object of strings, integers, booleans, and lists of strings or of such
// objects, in the order of its struct. It is ours because a library for all of JSON Schema costs every start of the process, wisp --version
// included, a third of what a Go program takes to start at all; a test holds it against one.
type schema []field

// field is one property of the object.
type field struct {
	name, kind, about string
	required          bool
	of                schema // of a list's objects; nil where it is of strings
}

// schemaOf reads a struct: the field's json tag names it, and omitempty there lets it be left out; its jsonschema tag says
// what it is. It panics on what it has no type for: the struct is ours, and a test makes each.
func schemaOf(of reflect.Type) schema {
	var s schema
	for i := range of.NumField() {
		f := of.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		one := field{name: name, about: f.Tag.Get("jsonschema"), required: options != "omitempty"}
		kind := f.Type
		if kind.Kind() == reflect.Pointer { // nil where it is left out
			kind = kind.Elem()
		}
		switch kind.Kind() {
		case reflect.String:
			one.kind = "string"
		case reflect.Int64:
			one.kind = "integer"
		case reflect.Bool:
			one.kind = "boolean"
		case reflect.Slice:
			one.kind = "array"
			if f.Type.Elem().Kind() == reflect.Struct {
				one.of = schemaOf(f.Type.Elem())
			}
		default:
			panic(fmt.Sprintf("tools: %v: a schema has no type for %s", of, f.Name))
		}
		s = append(s, one)
	}
	return s
}

// find returns the field of that name.
func (s schema) find(name string) (field, bool) {
	i := slices.IndexFunc(s, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return s[i], true
}

// json returns the JSON Schema, its properties in order.
func (s schema) json() json.RawMessage {
	var b strings.Builder
	var required []string
	b.WriteString(`{"type":"object","properties":{`)
	for i, f := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `%s:{"type":%s,"description":%s%s}`, jsonString(f.name), jsonString(f.kind), jsonString(f.about), f.items())
		if f.required {
			required = append(required, jsonString(f.name))
		}
	}
	b.WriteByte('}')
	if required != nil {
		b.WriteString(`,"required":[` + strings.Join(required, ",") + `]`)
	}
	b.WriteString(`,"additionalProperties":false}`)
	return json.RawMessage(b.String())
}

// items is what a list holds, as its schema says it.
func (f field) items() string {
	switch {
	case f.kind != "array":
		return ""
	case f.of != nil:
		return `,"items":` + string(f.of.json())
	}
	return `,"items":{"type":"string"}`
}

// jsonString is a JSON string.
func jsonString(text string) string {
	line, _ := json.Marshal(text) // a string always encodes
	return string(line)
}

// check says what of an object doesn't fit, nil where all of it does.
func (s schema) check(object map[string]any) error {
	var missing, unknown []string
	for _, f := range s {
		given, ok := object[f.name]
		if kind := kindOf(given); ok && kind != f.kind {
			if given == nil {
				given = "null"
			}
			return fmt.Errorf("%s: type: %v has type %q, want %q", f.name, given, kind, f.kind)
		}
		if f.required && !ok {
			missing = append(missing, f.name)
		}
		if list, ok := given.([]any); ok {
			if err := f.checkItems(list); err != nil {
				return err
			}
		}
	}
	for name := range object {
		if _, ok := s.find(name); !ok {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	switch {
	case unknown != nil:
		return fmt.Errorf("unknown fields %q", unknown)
	case missing != nil:
		return fmt.Errorf("missing properties: %q", missing)
	}
	return nil
}

// checkItems says what of a list doesn't fit.
func (f field) checkItems(list []any) error {
	for i, item := range list {
		object, ok := item.(map[string]any)
		switch {
		case f.of == nil && kindOf(item) != "string":
			return fmt.Errorf("%s[%d]: type: %v has type %q, want \"string\"", f.name, i, item, kindOf(item))
		case f.of == nil:
		case !ok:
			return fmt.Errorf("%s[%d]: type: %v has type %q, want \"object\"", f.name, i, item, kindOf(item))
		default:
			if err := f.of.check(object); err != nil {
				return fmt.Errorf("%s[%d]: %w", f.name, i, err)
			}
		}
	}
	return nil
}

// kindOf is JSON Schema's word for a value.
func kindOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if value != math.Trunc(value) {
			return "number"
		}
	}
	return "integer"
}
