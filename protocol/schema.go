package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// Schema returns the JSON Schema (2020-12) of this version's lines, made from the Go types: $defs/in is what a face may
// send, $defs/out what the engine may write, and each message stands under $defs too, as in.TYPE or out.TYPE.
//
// A field that isn't required may be null on an inbound line, which is taken as absent. Unknown fields are allowed both
// ways, because both ends ignore them. `wisp protocol` prints it; docs/protocol.schema.json is a copy, held by a test.
func Schema() []byte {
	defs := node{}
	for _, m := range inTable {
		defs["in."+m.in()] = message(reflect.TypeOf(m), m.in(), false)
	}
	for _, m := range outTable {
		defs["out."+m.out()] = message(reflect.TypeOf(m), m.out(), true)
	}
	defs["in"] = node{"oneOf": refs(inTable, func(m In) string { return "in." + m.in() })}
	defs["out"] = node{"oneOf": refs(outTable, func(m Out) string { return "out." + m.out() })}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	// Maps are written with sorted keys, so that the text changes only where the types do.
	if err := enc.Encode(node{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   fmt.Sprintf("The lines of wisp chat --json, protocol %d", Version),
		"anyOf":   []any{node{"$ref": "#/$defs/in"}, node{"$ref": "#/$defs/out"}},
		"$defs":   defs,
	}); err != nil {
		panic(err) // maps of strings, numbers and lists always encode
	}
	return b.Bytes()
}

// node is a JSON object under construction.
type node = map[string]any

func refs[M any](table []M, name func(M) string) []any {
	list := make([]any, len(table))
	for i, m := range table {
		list[i] = node{"$ref": "#/$defs/" + name(m)}
	}
	return list
}

// message describes one message: its type, its fields, and outbound its number.
func message(t reflect.Type, name string, outbound bool) node {
	o := structure(t, outbound)
	fields, required := o["properties"].(node), o["required"].([]string)
	fields["type"] = node{"const": name}
	required = append([]string{"type"}, required...)
	if outbound {
		fields["seq"] = node{"type": "integer", "minimum": 1}
		required = append([]string{"type", "seq"}, required[1:]...)
	}
	o["required"] = required
	return o
}

// structure describes a struct's fields.
func structure(t reflect.Type, outbound bool) node {
	fields, required := node{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous { // ID
			fields["id"] = nullable(node{"type": "string"})
			continue
		}
		var may, must bool // be null; be there
		if outbound {
			may, must = f.Type.Kind() == reflect.Pointer && !optional(f), !optional(f)
		} else {
			rule := f.Tag.Get("wire")
			may, must = rule != "required", rule != ""
		}
		value := kind(f.Type, outbound)
		if allowed := enum(f); allowed != nil {
			value["enum"] = allowed
		}
		if may {
			value = nullable(value)
		}
		fields[wireName(f)] = value
		if must {
			required = append(required, wireName(f))
		}
	}
	return node{"type": "object", "properties": fields, "required": required}
}

// kind describes a value of a Go type.
func kind(t reflect.Type, outbound bool) node {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return node{"type": "object"}
	case t == reflect.TypeFor[Time]():
		return node{"type": "string", "format": "date-time"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kind(t.Elem(), outbound)
	case reflect.Slice:
		return node{"type": "array", "items": kind(t.Elem(), outbound)}
	case reflect.Struct:
		return structure(t, outbound)
	case reflect.Bool:
		return node{"type": "boolean"}
	case reflect.String:
		return node{"type": "string"}
	case reflect.Float64:
		return node{"type": "number"}
	default:
		return node{"type": "integer"}
	}
}

// nullable lets a value be null too.
func nullable(o node) node {
	o["type"] = []string{o["type"].(string), "null"}
	if allowed, ok := o["enum"].([]string); ok {
		values := make([]any, 0, len(allowed)+1)
		for _, v := range allowed {
			values = append(values, v)
		}
		o["enum"] = append(values, nil)
	}
	return o
}
