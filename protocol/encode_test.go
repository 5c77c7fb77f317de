package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// filled returns an outbound message with every string in it, at any depth, set to s, and every list n long.
func filled(m Out, s string, n int) Out {
	v := reflect.New(reflect.TypeOf(m)).Elem()
	fill(v, s, n)
	return v.Interface().(Out)
}

func fill(v reflect.Value, s string, n int) {
	switch {
	case v.Type() == reflect.TypeFor[Time]():
		v.Set(reflect.ValueOf(Time{time.Date(2026, 11, 30, 19, 0, 0, 1e6, time.FixedZone("", 3600))}))
		return
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		text, _ := json.Marshal(s)
		v.SetBytes([]byte(`{"deep":[` + strings.Repeat(string(text)+",", n) + `{"er":` + string(text) + `}]}`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), s, n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), s, n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(v.Index(i), s, n)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1.5)
	default:
		v.SetInt(3)
	}
}

// wholesome checks one outbound line for all that the wire promises of any line, and returns its fields.
func wholesome(t testing.TB, line []byte, kind string, seq int64) map[string]any {
	t.Helper()
	if len(line) > MaxOut {
		t.Errorf("%s: %d bytes", kind, len(line))
	}
	if n := bytes.Count(line, []byte("\n")); n != 1 || line[len(line)-1] != '\n' {
		t.Errorf("%s: %d newlines", kind, n)
	}
	if !utf8.Valid(line) {
		t.Errorf("%s: invalid UTF-8", kind)
	}
	for _, r := range string(bytes.TrimSuffix(line, []byte("\n"))) {
		if r < 0x20 || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029' {
			t.Errorf("%s: %U stands raw", kind, r)
			break
		}
	}
	var fields map[string]any
	if err := json.Unmarshal(line, &fields); err != nil {
		t.Fatalf("%s: %v in %.300q", kind, err, line)
	}
	if fields["type"] != kind || fields["seq"] != float64(seq) {
		t.Errorf("%s, %d: the line says %v, %v", kind, seq, fields["type"], fields["seq"])
	}
	return fields
}

func TestNothingUnsafeStandsRaw(t *testing.T) {
	t.Parallel()
	var every strings.Builder
	for r := rune(0); r < 0x100; r++ {
		every.WriteRune(r)
	}
	every.WriteString("\u2028\u2029\ufeff你🙂 \xff\xc2 \xed\xa0\x80 <&>")
	for _, m := range outTable {
		m = filled(m, every.String(), 2)
		line := AppendOut(nil, 7, m)
		fields := wholesome(t, line, m.out(), 7)
		text, _ := json.Marshal(fields)
		if bytes.Contains(text, []byte(`\u0000`)) {
			t.Errorf("%s carries a NUL", m.out())
		}
		if !bytes.Contains(line, []byte("␀")) || !bytes.Contains(line, []byte("你🙂")) || !bytes.Contains(line, []byte("<&>")) {
			t.Errorf("%s lost text: %s", m.out(), line)
		}
		once, seq, err := DecodeOut(line)
		twice, _, _ := DecodeOut(AppendOut(nil, seq, once))
		if err != nil || !reflect.DeepEqual(once, twice) {
			t.Errorf("%s doesn't come back: %v\n%s", m.out(), err, line)
		}
	}
}

func TestRawDetailsAreMadeSafe(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                               `{}`,
		"{\"a\":\"\u2028\u2029\u009b\"}": `{"a":"\u2028\u2029\u009b"}`,
		"{\"a\":\"x\xffy\"}":             `{"a":"x\ufffdy"}`,
		`{"a":"\u0000\\u0000\\\u0000"}`:  `{"a":"␀\\u0000\\␀"}`,
		"{ \"a\" :\n [1] }":              `{"a":[1]}`,
	} {
		var details json.RawMessage
		if in != "" {
			details = json.RawMessage(in)
		}
		line := string(AppendOut(nil, 1, Event{Kind: "x", Details: details}))
		if !strings.Contains(line, `"details":`+want+`,`) {
			t.Errorf("%q became %s", in, line)
		}
	}
}

// The bound holds whatever a message carries: nothing that a command prints can make a line that no face would take.
func TestNoLineIsLongerThanItsBound(t *testing.T) {
	t.Parallel()
	const unit = "\"\\\n你🙂\x01\xff\x00x"
	for _, m := range outTable {
		texts := len(stringsIn(appendOut(nil, 1, filled(m, "x", 1)))) // the fields' names are half of them
		long := strings.Repeat(unit, 3*MaxOut/texts/len(unit))
		wholesome(t, AppendOut(nil, 1_234_567, filled(m, long, 1)), m.out(), 1_234_567)
	}
	for _, m := range []Out{Completions{}, Event{}, Queue{}} { // many short texts
		wholesome(t, AppendOut(nil, 1_234_567, filled(m, "\n你\n你", 50_000)), m.out(), 1_234_567)
	}
	wholesome(t, AppendOut(nil, 9, filled(Withdrawn{}, strings.Repeat("\"\\你", 3<<20/5), 1)), "withdrawn", 9)
}

func TestWhatShrinkKeeps(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line of text\n", 2<<20/13)
	fields := wholesome(t, AppendOut(nil, 5, Shown{Request: "s1", Output: "8a7b6c5d", Text: long}), "shown", 5)
	text := fields["text"].(string)
	if fields["request"] != "s1" || fields["output"] != "8a7b6c5d" {
		t.Errorf("short fields were cut: %v, %v", fields["request"], fields["output"])
	}
	if len(text) < 900_000 || !strings.HasPrefix(long, text[:900_000]) || !strings.HasSuffix(text, " bytes left out") {
		t.Errorf("%d bytes of text were kept, ending in %q", len(text), text[max(0, len(text)-40):])
	}

	many := make([]string, 200_000)
	for i := range many {
		many[i] = fmt.Sprintf("candidate %d", i)
	}
	fields = wholesome(t, AppendOut(nil, 5, Completions{Candidates: many}), "completions", 5)
	kept := fields["candidates"].([]any)
	if len(kept) != 50_000 || kept[49_999] != "candidate 49999" {
		t.Errorf("%d candidates were kept", len(kept))
	}

	data := strings.Repeat("eHh4", 1<<20)
	fields = wholesome(t, AppendOut(nil, 5, Output{Of: "c4", Stream: "terminal", Data: data}), "output", 5)
	left := fields["data"].(string)
	if !isBase64(left) || fields["dropped"] != float64((len(data)-len(left))/4*3) {
		t.Errorf("%d bytes of base64, %v dropped", len(left), fields["dropped"])
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sizes []int
		room  int
		want  int
	}{
		{[]int{10}, 5, 5}, {[]int{10, 1}, 6, 5}, {[]int{10, 10, 1}, 12, 5}, {[]int{3, 10, 4, 10}, 21, 7}, {[]int{1, 1}, 0, 0}, {[]int{5}, -3, -3},
	} {
		if got := share(c.sizes, c.room); got != c.want {
			t.Errorf("share(%v, %d) = %d, want %d", c.sizes, c.room, got, c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		n, want int
	}{
		{"abc", 2, 2}, {"abc", 9, 3}, {"abc", -1, 0}, {`a\nb`, 2, 1}, {`a\nb`, 3, 3}, {`\\\\n`, 3, 2}, {`\u00e9x`, 5, 0}, {`\u00e9x`, 6, 6},
		{`\ud83d\ude42x`, 11, 0}, {`\ud83d\ude42x`, 12, 12}, {`\ud83dx`, 6, 6}, {"你x", 2, 0}, {"你x", 3, 3},
	} {
		if got := units([]byte(c.text), c.n); got != c.want {
			t.Errorf("units(%s, %d) = %d, want %d", c.text, c.n, got, c.want)
		}
	}
}

// A streamed reply costs what it says and little more: 5 characters late in a long session take 60 bytes.
func TestADeltaIsSmall(t *testing.T) {
	if n := len(AppendOut(nil, 20_000, Delta{Turn: 12, Text: "hello"})); n > 60 {
		t.Errorf("%d bytes", n)
	}
	if n := testing.AllocsPerRun(100, func() { AppendOut(make([]byte, 0, 64), 20_000, Delta{Turn: 12, Text: "hello"}) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

func TestListsAreNeverNull(t *testing.T) {
	t.Parallel()
	for _, m := range outTable {
		line := string(AppendOut(nil, 1, m))
		typ := reflect.TypeOf(m)
		for i := range typ.NumField() {
			if f := typ.Field(i); f.Type.Kind() == reflect.Slice && strings.Contains(line, fmt.Sprintf(`%q:null`, wireName(f))) {
				t.Errorf("%s is null in %s", wireName(f), line)
			}
		}
	}
}

func BenchmarkAppendDelta(b *testing.B) {
	buf := make([]byte, 0, 128)
	for b.Loop() {
		buf = AppendOut(buf[:0], 20_000, Delta{Turn: 12, Text: "hello"})
	}
}

func BenchmarkAppendStatus(b *testing.B) {
	buf := make([]byte, 0, 1024)
	for b.Loop() {
		buf = AppendOut(buf[:0], 20_000, Status{Directory: "/home/ada/engine", Mode: "ask"})
	}
}

func BenchmarkDecodePrompt(b *testing.B) {
	line := AppendIn(nil, Prompt{Text: strings.Repeat("text ", 200)})
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, fault := DecodeIn(line); fault != nil {
			b.Fatal(fault)
		}
	}
}

func BenchmarkShrink(b *testing.B) {
	m := Shown{Text: strings.Repeat("line of text\n", 3<<20/13)}
	for b.Loop() {
		AppendOut(nil, 1, m)
	}
}
