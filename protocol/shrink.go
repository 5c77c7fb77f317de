package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unicode/utf8"
)

// tooShort is the length, in bytes of JSON, under which cutting texts would leave little more than the marks that say
// so: from there on a long list loses items instead.
const tooShort = 1000

// shrink codes a message whose line would be longer than MaxOut, so that the bound holds whatever it carries. Type
// and seq stay. The longest texts are cut to one common length; where a line is made of many short ones, its lists
// lose their later halves and its details are left out first.
func shrink(seq int64, m Out) []byte {
	if o, ok := m.(Output); ok && o.Data != "" {
		// Cut on a whole group, or nobody could read it; and so short that cutTexts never needs to.
		keep := min(len(o.Data), MaxOut/8) &^ 3
		o.Dropped += (len(o.Data) - keep) / 4 * 3
		o.Data = o.Data[:keep]
		m = o
	}
	for {
		line := appendOut(nil, seq, m)
		if len(line) <= MaxOut {
			return line
		}
		if short := cutTexts(line, MaxOut); len(short) <= MaxOut {
			return short
		}
		m = halved(m)
	}
}

// halved returns a message without its details and the later half of each of its lists.
func halved(m Out) Out {
	v := reflect.New(reflect.TypeOf(m)).Elem()
	v.Set(reflect.ValueOf(m))
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() != reflect.Slice:
		case f.Type() == reflect.TypeFor[json.RawMessage]():
			f.SetBytes([]byte("{}"))
		default:
			f.Set(f.Slice(0, f.Len()/2))
		}
	}
	return v.Interface().(Out)
}

// cutTexts returns a line of JSON with its longest strings cut so that it is no longer than the bound. Where that would
// cut them too short to be of use, the line comes back as it was.
func cutTexts(line []byte, bound int) []byte {
	const mark = "… %d bytes left out"
	const markRoom = len(mark) + 10
	texts := stringsIn(line)
	room := bound - len(line)
	sizes := make([]int, len(texts))
	for i, t := range texts {
		sizes[i] = t.end - t.start
		room += sizes[i]
	}
	most := share(sizes, room)
	if most < tooShort {
		return line
	}
	short := make([]byte, 0, bound)
	from := 0
	for _, t := range texts {
		if t.end-t.start <= most {
			continue
		}
		keep := units(line[t.start:t.end], most-markRoom)
		short = append(short, line[from:t.start+keep]...)
		short = fmt.Appendf(short, mark, t.end-t.start-keep)
		from = t.end
	}
	return append(short, line[from:]...)
}

// span is where a string's text stands in a line, without its quotes.
type span struct{ start, end int }

// stringsIn finds the strings of a line of JSON.
func stringsIn(line []byte) []span {
	var found []span
	for i := 0; i < len(line); i++ {
		if line[i] != '"' {
			continue
		}
		start := i + 1
		for i = start; line[i] != '"'; i++ {
			if line[i] == '\\' {
				i++
			}
		}
		found = append(found, span{start, i})
	}
	return found
}

// share returns the length that, where nothing is longer, makes all the sizes fit into the room. It sorts the sizes.
func share(sizes []int, room int) int {
	slices.Sort(sizes)
	for i, size := range sizes {
		if each := room / (len(sizes) - i); size > each {
			return each
		}
		room -= size
	}
	return math.MaxInt
}

// units returns the length of the longest beginning of a string's text that has at most n bytes and ends on a whole
// character: in none of the escapes, and not between the two of a surrogate pair.
func units(text []byte, n int) int {
	at := 0
	for at < len(text) {
		size := 1
		switch rest := text[at:]; {
		case bytes.HasPrefix(rest, []byte(`\u`)):
			size = 6
			if len(rest) >= 12 && (rest[2] == 'd' || rest[2] == 'D') && rest[6] == '\\' && rest[7] == 'u' {
				size = 12
			}
		case rest[0] == '\\':
			size = 2
		case rest[0] >= utf8.RuneSelf:
			_, size = utf8.DecodeRune(rest)
		}
		if at+size > n {
			break
		}
		at += size
	}
	return at
}
