package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/tailscale/hujson"

	"wisp/cmd/place"
	"wisp/engine/text"
)

// document is a file of settings as it was read. The zero value is a file that isn't there.
type document struct {
	configuration
	path   string
	hash   string    // the SHA-256 of its content; "" where there is no file
	keys   []setting // what it sets, in its order
	faults []error   // values that can't be used, beside others that can
	notes  []string  // what the person should know of the file itself

	text []byte
	root hujson.Value
}

// setting is one thing that a file sets, and where.
type setting struct {
	key     string // dotted
	pattern string // of a rule
	value   string // as JSON
	line    int
}

// String says it in one line, without what a terminal acts upon.
func (s setting) String() string {
	name := s.key
	if s.pattern != "" {
		name += " " + strconv.Quote(s.pattern)
	}
	return text.Line(fmt.Sprintf("line %d: %s: %s", s.line, name, s.value))
}

// readDocument reads the file of settings at a path. A file that isn't there is an empty one. An error names the file, the
// line and the key, and nothing of the file is to be used then.
func readDocument(path string) (document, error) {
	content, info, err := place.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return document{path: path}, nil
	}
	if err != nil {
		return document{path: path}, fmt.Errorf("configuration %s can't be read: %w", text.Line(path), err)
	}
	return parseDocument(path, content, info)
}

// parseDocument reads the content of a file of settings. info says who may write it; nil where that doesn't matter.
func parseDocument(path string, content []byte, info os.FileInfo) (document, error) {
	sum := sha256.Sum256(content)
	d := document{path: path, hash: hex.EncodeToString(sum[:]), text: content}
	wrong := func(err error) (document, error) {
		return document{path: path, hash: d.hash}, errors.New(text.Line("configuration " + path + separator(err) + err.Error()))
	}
	if info != nil {
		note, err := othersWrite(path, info)
		if err != nil {
			return wrong(err)
		}
		if note != "" {
			d.notes = append(d.notes, text.Line("configuration "+path+": "+note))
		}
	}
	var err error
	if d.root, err = place.Parse(content); err != nil {
		return wrong(err)
	}
	r := reader{document: &d}
	if err := r.value(&d.root, reflect.ValueOf(&d.configuration).Elem(), ""); err != nil {
		return wrong(err)
	}
	return d, nil
}

// separator joins a file's name to what is wrong in it.
func separator(err error) string {
	if strings.HasPrefix(err.Error(), "line ") {
		return ", "
	}
	return ": "
}

// reader puts the values of a document into settings, and refuses what it doesn't know. It does what encoding/json does, but
// knows the line of everything, takes no key in another case and none twice, and takes no null for a value.
type reader struct {
	*document
	want func(key string) bool // which keys to take; nil: all, and they are listed in the document
}

// own is a type of settings with a form of its own.
type own interface {
	read(r *reader, v *hujson.Value, key string) error
}

// wrong says what is wrong at a value.
func (r *reader) wrong(v *hujson.Value, format string, a ...any) error {
	return fmt.Errorf("line %d: %s", place.Line(r.text, v.StartOffset), fmt.Sprintf(format, a...))
}

// set lists a setting.
func (r *reader) set(v *hujson.Value, key, pattern string) {
	if r.want != nil {
		return
	}
	value := hujson.Value{Value: v.Value}.Clone()
	if literal, ok := value.Value.(hujson.Literal); ok && literal.Kind() == '"' {
		value.Value = hujson.String(literal.String()) // one spelling
	}
	value.Minimize()
	r.keys = append(r.keys, setting{key: key, pattern: pattern, value: string(value.Pack()), line: place.Line(r.text, v.StartOffset)})
}

// value reads one value into what to is; key is its dotted name, "" for the whole file.
func (r *reader) value(v *hujson.Value, to reflect.Value, key string) error {
	if special, ok := to.Addr().Interface().(own); ok {
		return special.read(r, v, key)
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return r.value(v, to.Elem(), key)
	case reflect.Struct, reflect.Map:
		return r.object(v, to, key)
	case reflect.Slice:
		return r.list(v, to, key)
	}
	literal, _ := v.Value.(hujson.Literal)
	switch kind := v.Value.Kind(); {
	case to.Kind() == reflect.String && kind == '"':
		if err := r.word(v, key, literal.String()); err != nil {
			r.faults = append(r.faults, errors.New(text.Line("configuration "+r.path+", "+err.Error())))
			return nil
		}
		to.SetString(literal.String())
	case to.Kind() == reflect.Bool && (kind == 't' || kind == 'f'):
		to.SetBool(kind == 't')
	case to.Kind() == reflect.Int && kind == '0':
		n, err := strconv.ParseInt(string(literal), 10, 32)
		if err != nil {
			return r.wrong(v, "%s must be a whole number below 2^31, not %s", key, clipped(string(literal)))
		}
		to.SetInt(n)
	case to.Kind() == reflect.Float64 && kind == '0':
		n, err := strconv.ParseFloat(string(literal), 64)
		if err != nil {
			return r.wrong(v, "%s must be a number, not %s", key, clipped(string(literal)))
		}
		to.SetFloat(n)
	default:
		return r.wrong(v, "%s must be %s, not %s", key, wanted(to.Kind()), kindName(v))
	}
	r.set(v, key, "")
	return nil
}

// object reads an object into a struct or a map.
func (r *reader) object(v *hujson.Value, to reflect.Value, key string) error {
	object, ok := v.Value.(*hujson.Object)
	if !ok && key == "" {
		return r.wrong(v, "the file must be an object, not %s", kindName(v))
	}
	if !ok {
		return r.wrong(v, "%s must be an object, not %s", key, kindName(v))
	}
	return r.members(object, key, func(name string, at, value *hujson.Value) error {
		full := strings.TrimPrefix(key+"."+name, ".")
		if to.Kind() == reflect.Map {
			one := reflect.New(to.Type().Elem()).Elem()
			if err := r.value(value, one, full); err != nil {
				return err
			}
			if to.IsNil() {
				to.Set(reflect.MakeMap(to.Type()))
			}
			to.SetMapIndex(reflect.ValueOf(name), one)
			return nil
		}
		for i := range to.NumField() {
			if to.Type().Field(i).Tag.Get("json") == name {
				return r.value(value, to.Field(i), full)
			}
		}
		return r.wrong(at, "there is no setting %s", quoted(full))
	})
}

// members reads the members of an object that are wanted, in their order. One that stands twice is an error: who reads the
// file may see the first, and the last would hold.
func (r *reader) members(object *hujson.Object, key string, read func(name string, at, value *hujson.Value) error) error {
	first := map[string]int{}
	for i := range object.Members {
		m := &object.Members[i]
		name := m.Name.Value.(hujson.Literal).String()
		if line := first[name]; line > 0 {
			return r.wrong(&m.Name, "%s stands twice, first in line %d", strings.TrimPrefix(key+": ", ": ")+quoted(name), line)
		}
		first[name] = place.Line(r.text, m.Name.StartOffset)
		if r.want != nil && !r.want(strings.TrimPrefix(key+"."+name, ".")) {
			continue
		}
		if err := read(name, &m.Name, &m.Value); err != nil {
			return err
		}
	}
	return nil
}

// list reads a list of strings.
func (r *reader) list(v *hujson.Value, to reflect.Value, key string) error {
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		return r.wrong(v, "%s must be a list, not %s", key, kindName(v))
	}
	var out []string
	for i := range array.Elements {
		one := &array.Elements[i]
		literal, _ := one.Value.(hujson.Literal)
		if one.Value.Kind() != '"' {
			return r.wrong(one, "%s must be a list of strings, not of %s", key, kindName(one))
		}
		if err := r.word(one, key, literal.String()); err != nil {
			r.faults = append(r.faults, errors.New(text.Line("configuration "+r.path+", "+err.Error())))
			continue
		}
		out = append(out, literal.String())
	}
	to.Set(reflect.ValueOf(out))
	r.set(v, key, "")
	return nil
}

// word says what is wrong with a value of a setting that takes a few only; the rest of the file can be used all the same.
func (r *reader) word(v *hujson.Value, key, value string) error {
	switch words := wordsOf(key); {
	case key == "sandbox.writablePaths":
		if !strings.HasPrefix(value, "/") && value != "~" && !strings.HasPrefix(value, "~/") {
			return r.wrong(v, "%s: %s must be absolute or begin with ~/", key, quoted(value))
		}
	case words != nil && !slices.Contains(words, value):
		return r.wrong(v, "%s must be %s or %s, not %s", key, strings.Join(words[:len(words)-1], ", "), words[len(words)-1], quoted(value))
	}
	return nil
}

// wordsOf are the words that a setting takes; nil where it takes any.
func wordsOf(key string) []string {
	switch key {
	case "approval.threshold":
		return []string{"low", "moderate", "high"}
	case "approval.mode":
		return []string{"ask", "smart", "plan"}
	}
	return nil
}

// wanted is what a setting must be, in words.
func wanted(kind reflect.Kind) string {
	switch kind {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// kindName is what a value is, in words.
func kindName(v *hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		return "a number"
	}
	return string(v.Value.(hujson.Literal)) // null, true, false
}

// quoted is a text of a file as a fault shows it.
func quoted(s string) string { return strconv.Quote(clipped(s)) }

// clipped is the start of a text that may be long.
func clipped(s string) string {
	if all := []rune(s); len(all) > 80 {
		return string(all[:80]) + "…"
	}
	return s
}
