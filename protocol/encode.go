package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendOut appends one outbound line with its newline. The line is never longer than MaxOut: where the message would
// make it so, its longest texts are cut and say by how much. A NUL in a text becomes U+2400.
func AppendOut(dst []byte, seq int64, m Out) []byte {
	start := len(dst)
	dst = appendOut(dst, seq, m)
	if len(dst)-start > MaxOut {
		return append(dst[:start], shrink(seq, m)...)
	}
	return dst
}

// appendOut appends a line of any length.
func appendOut(dst []byte, seq int64, m Out) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(dst, m.out()...)
	dst = append(dst, `","seq":`...)
	dst = strconv.AppendInt(dst, seq, 10)
	switch m := m.(type) {
	case Delta: // the two that come by the thousand are written by hand
		dst = append(dst, `,"turn":`...)
		dst = strconv.AppendInt(dst, int64(m.Turn), 10)
		dst = appendText(dst, m.Text)
		dst = appendDropped(dst, m.Dropped)
	case Output:
		if m.Data != "" || m.Request != "" || m.Rewrites {
			dst = appendOutFields(dst, m)
			break
		}
		dst = append(dst, `,"of":`...)
		dst = AppendString(dst, m.Of)
		dst = append(dst, `,"stream":`...)
		dst = AppendString(dst, m.Stream)
		dst = appendText(dst, m.Text)
		dst = appendDropped(dst, m.Dropped)
	default:
		dst = appendOutFields(dst, m)
	}
	return append(dst, '}', '\n')
}

func appendText(dst []byte, s string) []byte {
	dst = append(dst, `,"text":`...)
	return AppendString(dst, s)
}

func appendDropped(dst []byte, n int) []byte {
	if n == 0 {
		return dst
	}
	dst = append(dst, `,"dropped":`...)
	return strconv.AppendInt(dst, int64(n), 10)
}

// AppendIn appends one inbound line with its newline.
func AppendIn(dst []byte, m In) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(dst, m.in()...)
	dst = append(dst, '"')
	dst = escapeRaw(dst, fieldsOf(m))
	return append(dst, '}', '\n')
}

func appendOutFields(dst []byte, m Out) []byte { return escapeRaw(dst, showNULs(fieldsOf(m))) }

// fieldsOf returns a message's fields as JSON, with a comma before the first.
func fieldsOf(m any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(whole(m)); err != nil {
		// Only a RawMessage that is no JSON can do this, and none is made of what comes from outside.
		panic(fmt.Sprintf("protocol: %T: %v", m, err))
	}
	body := bytes.TrimSpace(b.Bytes())
	body = body[:len(body)-1]
	if len(body) > 1 {
		body[0] = ','
		return body
	}
	return nil
}

// whole returns the message with the lists and details that it leaves nil made empty: on the wire they are never
// null. A field that may be left out is let be.
func whole(m any) any {
	v := reflect.New(reflect.TypeOf(m)).Elem()
	v.Set(reflect.ValueOf(m))
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case f.Kind() != reflect.Slice || !f.IsNil() || optional(v.Type().Field(i)):
		case f.Type() == reflect.TypeFor[json.RawMessage]():
			f.SetBytes([]byte("{}"))
		default:
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		}
	}
	return v.Interface()
}

// optional says whether a field's empty value is left out of its line.
func optional(f reflect.StructField) bool { return strings.Contains(f.Tag.Get("json"), ",omit") }

// showNULs replaces the escape of NUL inside JSON by U+2400, in place.
func showNULs(body []byte) []byte {
	if !bytes.Contains(body, []byte(`\u0000`)) {
		return body
	}
	kept := body[:0]
	for len(body) > 0 {
		switch {
		case body[0] != '\\':
			kept = append(kept, body[0])
			body = body[1:]
		case bytes.HasPrefix(body, []byte(`\u0000`)):
			kept = append(kept, "\u2400"...)
			body = body[6:]
		default: // the next belongs to the backslash, and begins nothing
			kept = append(kept, body[:2]...)
			body = body[2:]
		}
	}
	return kept
}

// escapeRaw appends JSON with what encoding/json leaves raw in it escaped: DEL and the controls U+0080 to U+009F in a
// string, and in a RawMessage line separators and invalid UTF-8 too. They can only stand inside strings.
func escapeRaw(dst, body []byte) []byte {
	start := 0
	for i := 0; i < len(body); {
		if body[i] < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(body[i:])
		if !standsRaw(r, size) {
			dst = append(dst, body[start:i]...)
			dst = appendUnit(dst, r)
			start = i + size
		}
		i += size
	}
	return append(dst, body[start:]...)
}

// standsRaw says whether a character beyond ASCII may stand unescaped inside a string on the wire.
func standsRaw(r rune, size int) bool {
	return !(r == utf8.RuneError && size == 1) && r > 0x9f && r != '\u2028' && r != '\u2029'
}

const hex = "0123456789abcdef"

// AppendString appends a JSON string: valid UTF-8, no control character and no line separator raw in it, and U+2400 in
// place of a NUL.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < 0x7f {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if standsRaw(r, size) {
				i += size
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendUnit(dst, r)
		} else {
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, c)
		}
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\t':
		return append(dst, '\\', 't')
	case '\r':
		return append(dst, '\\', 'r')
	case 0:
		return append(dst, "\u2400"...)
	}
	return appendUnit(dst, rune(c))
}

func appendUnit(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
