package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxArguments bounds a call's arguments in bytes: what the largest write of a file by a model comes to, with room.
const maxArguments = 4 << 20

// maxComplaint bounds in bytes what is repeated of arguments that don't fit.
const maxComplaint = 300

// form is the struct T as a tool's arguments: its schema, and how arguments are read into it. The schema is made at
// its first use, so that a process that calls no tool doesn't pay for it.
type form[T any] struct {
	tool string

	once   sync.Once
	schema schema
	text   json.RawMessage
}

func (f *form[T]) make() {
	f.schema = schemaOf(reflect.TypeFor[T]())
	f.text = f.schema.json()
}

// json returns the JSON Schema.
func (f *form[T]) json() json.RawMessage {
	f.once.Do(f.make)
	return f.text
}

// read reads arguments. It forgives what small models do: nothing at all for no arguments, an object written as a
// string, a number or a boolean written as a string, null for what may be left out. All else must fit the schema; the
// error is one sentence with the schema's own complaint and what is expected.
func (f *form[T]) read(raw json.RawMessage) (T, error) {
	f.once.Do(f.make)
	var value T
	if len(raw) > maxArguments {
		return value, f.misfit(fmt.Sprintf("they are %d bytes, more than %d", len(raw), maxArguments))
	}
	object, err := object(raw)
	if err != nil {
		return value, f.misfit(err.Error())
	}
	for name, given := range object {
		property, ok := f.schema.find(name)
		if !ok {
			continue
		}
		// Many models write null for what they leave out.
		if given == nil && !property.required {
			delete(object, name)
			continue
		}
		object[name] = forgive(given, property.kind)
		property.forgiveItems(object[name])
	}
	if err := f.schema.check(object); err != nil {
		return value, f.misfit(err.Error())
	}
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	if err != nil {
		return value, f.misfit(err.Error())
	}
	return value, nil
}

// object parses the arguments into a map with numbers as they were written.
func object(raw json.RawMessage) (map[string]any, error) {
	for range 2 { // once more for an object that was written as a string
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			return map[string]any{}, nil
		}
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, fmt.Errorf("%v, in %s", err, excerpt(string(raw)))
		}
		if decoder.More() {
			return nil, fmt.Errorf("there is more after the object, in %s", excerpt(string(raw)))
		}
		switch value := value.(type) {
		case map[string]any:
			return value, nil
		case string:
			raw = json.RawMessage(value)
		default:
			return nil, fmt.Errorf("%s is not an object", excerpt(string(raw)))
		}
	}
	return nil, fmt.Errorf("a string is not an object")
}

// forgive turns a value into the type that is wanted, where it says the same in another type; else it stays.
func forgive(given any, want string) any {
	text, isText := given.(string)
	text = strings.TrimSpace(text)
	switch want {
	case "integer", "number":
		if isText {
			// Only what JSON calls a number: ParseFloat alone would take "inf" and "0x10".
			if !json.Valid([]byte(text)) || strings.Trim(text, "-+.0123456789eE") != "" {
				return given
			}
			given = json.Number(text)
		}
	case "boolean":
		if isText && strings.EqualFold(text, "true") {
			return true
		}
		if isText && strings.EqualFold(text, "false") {
			return false
		}
	}
	if written, ok := given.(json.Number); ok {
		return number(written)
	}
	return given
}

// forgiveItems forgives the same in the objects of a list.
func (f field) forgiveItems(given any) {
	list, _ := given.([]any)
	for _, item := range list {
		object, _ := item.(map[string]any)
		for name, value := range object {
			if property, ok := f.of.find(name); ok {
				object[name] = forgive(value, property.kind)
			}
		}
	}
}

// number gives the schema a number of Go's. A whole number that is too large for its field becomes the largest
// there is: every tool bounds its numbers anyway.
func number(written json.Number) any {
	if whole, err := strconv.ParseInt(written.String(), 10, 64); err == nil {
		return whole
	}
	value, err := written.Float64()
	if err != nil && !math.IsInf(value, 0) {
		return written.String()
	}
	switch {
	case value >= math.MaxInt64:
		return int64(math.MaxInt64)
	case value <= math.MinInt64:
		return int64(math.MinInt64)
	case value == math.Trunc(value):
		return int64(value)
	}
	return value
}

// misfit is the one sentence that a model reads.
func (f *form[T]) misfit(why string) error {
	return fmt.Errorf("the arguments of %s don't fit: %s. Expected: %s", f.tool, bounded(why, maxComplaint), f.expected())
}

// expected lists the fields: "command (string, required), workdir (string)".
func (f *form[T]) expected() string {
	var fields []string
	for _, f := range f.schema {
		kind := f.kind
		if f.required {
			kind += ", required"
		}
		fields = append(fields, fmt.Sprintf("%s (%s)", f.name, kind))
	}
	return strings.Join(fields, ", ")
}

// excerpt quotes the beginning of a text.
func excerpt(text string) string { return strconv.Quote(bounded(text, 80)) }

// bounded cuts a text at n bytes, on a whole character, and makes it one printable line.
func bounded(text string, n int) string {
	if len(text) > n {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n] + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}
