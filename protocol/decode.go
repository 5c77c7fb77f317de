package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// DecodeIn reads one inbound line. Anything wrong with it is a Fault with a sentence for whoever wrote the face.
func DecodeIn(line []byte) (In, *Fault) {
	fields, err := object(line)
	if err != nil {
		return nil, &Fault{Code: BadJSON, Message: err.Error()}
	}
	var id, kind string
	if f := take(fields, "id", &id); f != nil {
		return nil, f
	}
	bad := func(code, format string, a ...any) *Fault {
		return &Fault{Code: code, Message: fmt.Sprintf(format, a...), Request: id}
	}
	if f := take(fields, "type", &kind); f != nil {
		f.Request = id
		return nil, f
	}
	if kind == "" {
		return nil, bad(BadField, `the object has no "type": it needs one, such as "prompt"`)
	}
	for _, m := range inTable {
		if m.in() != kind {
			continue
		}
		v := reflect.New(reflect.TypeOf(m)).Elem()
		if what := decodeFields(v, fields); what != "" {
			return nil, bad(BadField, "%s: %s", kind, what)
		}
		got := v.Interface().(In)
		if what := problem(got); what != "" {
			return nil, bad(BadField, "%s: %s", kind, what)
		}
		return got, nil
	}
	return nil, bad(UnknownType, "no message has the type %q: see `wisp protocol` for those there are", clip(kind, 40))
}

// object splits a line into its fields, exact in their case; the last of equal names counts.
func object(line []byte) (map[string]json.RawMessage, error) {
	line = bytes.Trim(line, " \t\r\n")
	if len(line) == 0 || line[0] != '{' {
		return nil, fmt.Errorf("the line is no JSON object: %q", clip(string(line), 40))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("the line is no whole JSON object: %v at byte %d", err, syntax.Offset)
		}
		return nil, fmt.Errorf("the line is no JSON object: %v", err)
	}
	return fields, nil
}

// take reads an optional string.
func take(fields map[string]json.RawMessage, name string, to *string) *Fault {
	raw, ok := fields[name]
	if !ok || isNull(raw) {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return &Fault{Code: BadField, Message: fmt.Sprintf("%q must be a string", name)}
	}
	return nil
}

// decodeFields fills a struct's fields and says what is wrong with them; "" where nothing is. A field's name counts
// in its exact case, at every depth: encoding/json alone would take any case inside.
func decodeFields(v reflect.Value, fields map[string]json.RawMessage) string {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			if what := decodeFields(v.Field(i), fields); what != "" {
				return what
			}
			continue
		}
		name := wireName(f)
		raw, present := fields[name]
		switch rule := f.Tag.Get("wire"); {
		case !present && rule != "":
			return fmt.Sprintf("%q is missing", name)
		case present && isNull(raw) && rule == "required":
			return fmt.Sprintf("%q is null, and must be %s", name, kindOf(f.Type))
		case !present || isNull(raw):
			continue
		}
		if what := decodeValue(v.Field(i), name, raw); what != "" {
			return what
		}
		if allowed := enum(f); allowed != nil && !slices.Contains(allowed, v.Field(i).String()) {
			return fmt.Sprintf("%q must be one of %s", name, strings.Join(allowed, ", "))
		}
	}
	return ""
}

// decodeValue fills one value that isn't null.
func decodeValue(v reflect.Value, name string, raw json.RawMessage) string {
	wrong := fmt.Sprintf("%q must be %s", name, kindOf(v.Type()))
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decodeValue(v.Elem(), name, raw)
	case reflect.Struct:
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			return wrong
		}
		if what := decodeFields(v, fields); what != "" {
			return fmt.Sprintf("in %q, %s", name, what)
		}
	case reflect.Slice:
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return wrong
		}
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
		for i, item := range items {
			if isNull(item) {
				return wrong
			}
			if what := decodeValue(v.Index(i), fmt.Sprintf("%s[%d]", name, i), item); what != "" {
				return what
			}
		}
	default:
		if json.Unmarshal(raw, v.Addr().Interface()) != nil {
			return wrong
		}
	}
	return ""
}

// wireName is a field's name on the wire.
func wireName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// enum lists the values that a field is closed to; nil where it is open.
func enum(f reflect.StructField) []string {
	if tag, ok := f.Tag.Lookup("enum"); ok {
		return strings.Split(tag, ",")
	}
	return nil
}

// idNear finds the id at the beginning of a line that is too long to be read: the fields before it must be strings.
func idNear(line []byte) string {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	for {
		name, err := d.Token()
		if err != nil {
			return ""
		}
		value, err := d.Token()
		if err != nil {
			return ""
		}
		text, ok := value.(string)
		if !ok {
			return ""
		}
		if name == "id" {
			return text
		}
	}
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

// kindOf says in words what a field's value must be.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return "a list of strings"
		}
		return "a list of objects"
	default:
		return "an object"
	}
}

// DecodeOut reads one outbound line for a face. A type that this version doesn't know gives nil and no error, as
// the wire asks of a face.
func DecodeOut(line []byte) (m Out, seq int64, err error) {
	var head struct {
		Type string `json:"type"`
		Seq  int64  `json:"seq"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, 0, fmt.Errorf("the engine's line is no JSON object: %v", err)
	}
	for _, m := range outTable {
		if m.out() != head.Type {
			continue
		}
		v := reflect.New(reflect.TypeOf(m))
		if err := json.Unmarshal(line, v.Interface()); err != nil {
			return nil, head.Seq, fmt.Errorf("the engine's %s line: %v", head.Type, err)
		}
		return v.Elem().Interface().(Out), head.Seq, nil
	}
	return nil, head.Seq, nil
}

// clip cuts text for a message to n bytes, on a whole character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
