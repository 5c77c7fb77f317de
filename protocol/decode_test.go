package protocol

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// sound has a value for each field of each inbound message, as JSON.
var sound = map[string]map[string]string{
	"hello":     {"client": `"x"`, "version": `"1"`, "protocol": `1`, "capabilities": `["interrupt"]`, "columns": `80`, "rows": `24`, "history": `3`},
	"line":      {"text": `"x"`},
	"prompt":    {"text": `"x"`, "attachments": `[{"path":"a"}]`, "steer": `true`},
	"command":   {"line": `"x"`, "outside": `true`, "private": `true`, "terminal": `{"columns":80,"rows":24}`},
	"input":     {"of": `"c1"`, "data": `"eA=="`},
	"resize":    {"columns": `80`, "rows": `24`, "of": `"c1"`},
	"interrupt": {},
	"answer":    {"approval": `"a1"`, "decision": `"once"`, "reason": `"x"`},
	"choose":    {"choice": `"m1"`, "value": `"x"`},
	"complete":  {"text": `"x"`, "cursor": `1`},
	"show":      {"output": `"8a7b"`, "offset": `0`, "limit": `5`},
	"queue":     {"action": `"edit"`, "item": `"q1"`, "text": `"x"`},
	"quit":      {},
}

// line writes a message's sound fields, with one of them replaced; left out where the value is "".
func line(kind, name, value string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":%q,"id":"r1"`, kind)
	for n, v := range sound[kind] {
		if n == name {
			v = value
		}
		if v != "" {
			fmt.Fprintf(&b, `,%q:%s`, n, v)
		}
	}
	return b.String() + "}"
}

var kinds = map[string]string{
	"string": `"s"`, "whole": `7`, "fraction": `7.5`, "bool": `true`, "strings": `["x"]`, "numbers": `[1]`, "nulls": `[null]`, "object": `{}`,
}

// wrongKinds writes each field of each inbound message with a value of each kind that isn't its own.
func wrongKinds() []string {
	var lines []string
	for _, m := range inTable {
		t := reflect.TypeOf(m)
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous {
				continue
			}
			own := map[string]string{
				"a string": "string", "true or false": "bool", "a whole number": "whole", "a list of strings": "strings",
				"a list of objects": "", "an object": "",
			}[kindOf(f.Type)]
			for name, value := range kinds {
				if name != own {
					lines = append(lines, line(m.in(), wireName(f), value))
				}
			}
		}
	}
	return lines
}

func TestEveryFieldOfEveryMessage(t *testing.T) {
	t.Parallel()
	for _, m := range inTable {
		kind := m.in()
		got, fault := DecodeIn([]byte(line(kind, "", "")))
		if fault != nil {
			t.Errorf("%s: %v", line(kind, "", ""), fault)
			continue
		}
		if reflect.TypeOf(got) != reflect.TypeOf(m) || got.Ref() != "r1" {
			t.Errorf("%s became %#v", kind, got)
		}
		typ := reflect.TypeOf(m)
		for i := range typ.NumField() {
			f := typ.Field(i)
			if f.Anonymous {
				continue
			}
			if sound[kind][wireName(f)] == "" {
				t.Errorf("the test knows no value for %s.%s", kind, wireName(f))
			}
			rule := f.Tag.Get("wire")
			expect(t, line(kind, wireName(f), ""), rule != "")
			expect(t, line(kind, wireName(f), "null"), rule == "required")
		}
	}
}

// expect checks whether a line is refused as bad_field, and that the refusal carries its id.
func expect(t *testing.T, line string, refused bool) {
	t.Helper()
	m, fault := DecodeIn([]byte(line))
	if (fault != nil) != refused {
		t.Errorf("%s: %#v, %v", line, m, fault)
	}
	if fault != nil && (fault.Code != BadField || fault.Request != "r1" || fault.Message == "") {
		t.Errorf("%s: %+v", line, fault)
	}
}

func TestWrongKinds(t *testing.T) {
	t.Parallel()
	lines := wrongKinds()
	if len(lines) < 150 {
		t.Fatalf("only %d lines were made", len(lines))
	}
	for _, line := range lines {
		expect(t, line, true)
	}
}

func TestDecodeIn(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		line string
		want string // the fault's code, or for a message that is taken the text of its Go value
		id   string // the fault's request
	}{
		{`{"type":"interrupt"}`, `protocol.Interrupt{ID:protocol.ID{ID:""}}`, ""},
		{`  {"type":"quit","future":{"a":[1e999]}}` + "\r", `protocol.Quit{ID:protocol.ID{ID:""}}`, ""},
		{`{"type":"line","text":"a","text":"b"}`, `protocol.Line{ID:protocol.ID{ID:""}, Text:"b"}`, ""},
		{`{"type":"line","text":1,"text":"b"}`, `protocol.Line{ID:protocol.ID{ID:""}, Text:"b"}`, ""},
		{`{"type":"line","Text":"a","TEXT":"b","text":"c"}`, `protocol.Line{ID:protocol.ID{ID:""}, Text:"c"}`, ""},
		{`{"type":"line","text":"c","Text":"a"}`, `protocol.Line{ID:protocol.ID{ID:""}, Text:"c"}`, ""},
		{`{"type":"line","Text":"a"}`, BadField, ""},
		{`{"Type":"quit"}`, BadField, ""},
		{`{"type":"Quit"}`, UnknownType, ""},
		{`{"type":"command","line":"x","terminal":{"Columns":1,"columns":80,"rows":24,"depth":3},"id":"r"}`, "", ""},
		{`{"type":"command","line":"x","terminal":{"Columns":80,"rows":24},"id":"r"}`, BadField, "r"},
		{`{"type":"command","line":"x","terminal":{"columns":null,"rows":24},"id":"r"}`, BadField, "r"},
		{`{"type":"prompt","text":"x","attachments":[{"PATH":"a"}],"id":"r"}`, BadField, "r"},
		{`{"type":"prompt","text":"x","attachments":[null],"id":"r"}`, BadField, "r"},
		{`{"type":"prompt","text":"x","attachments":[{"path":"a","data":"eA=="}],"id":"r"}`, BadField, "r"},
		{`{"type":"prompt","text":"x","attachments":[{"mediaType":"image/png","data":"no base64!"}],"id":"r"}`, BadField, "r"},
		{`{"type":"prompt","text":"x","attachments":[]}`, "", ""},
		{`{"type":"prompt","text":"\u0000\ud83d\ude42"}`, `protocol.Prompt{ID:protocol.ID{ID:""}, Text:"\x00🙂", Attachments:[]protocol.Attachment(nil), Steer:false}`, ""},
		{`{"type":"line","text":"\ud83d lone \ude42"}`, `protocol.Line{ID:protocol.ID{ID:""}, Text:"� lone �"}`, ""},
		{"{\"type\":\"line\",\"text\":\"\xff\xfe\"}", `protocol.Line{ID:protocol.ID{ID:""}, Text:"��"}`, ""},
		{"{\"type\":\"line\",\"text\":\"a\x00b\"}", BadJSON, ""},
		{"{\"type\":\"line\",\"text\":\"a\nb\"}", BadJSON, ""},
		{`{"type":"input","of":"c1","data":"%%%","id":"r"}`, BadField, "r"},
		{`{"type":"input","of":"c1","data":""}`, "", ""},
		{`{"type":"nothing","id":"r"}`, UnknownType, "r"},
		{`{"type":"nothing","id":7}`, BadField, ""},
		{`{"type":"quit","id":["r"]}`, BadField, ""},
		{`{"type":"quit","id":null}`, `protocol.Quit{ID:protocol.ID{ID:""}}`, ""},
		{`{"type":null,"id":"r"}`, BadField, "r"},
		{`{"type":"","id":"r"}`, BadField, "r"},
		{`{"type":7,"id":"r"}`, BadField, "r"},
		{`{"id":"r"}`, BadField, "r"},
		{`{}`, BadField, ""},
		{``, BadJSON, ""},
		{`{`, BadJSON, ""},
		{`[]`, BadJSON, ""},
		{`[{"type":"quit"}]`, BadJSON, ""},
		{`null`, BadJSON, ""},
		{`"quit"`, BadJSON, ""},
		{`{"type":"quit"`, BadJSON, ""},
		{`{"type":"quit"} {"type":"quit"}`, BadJSON, ""},
		{`{"type":"quit",}`, BadJSON, ""},
		{`{'type':'quit'}`, BadJSON, ""},
		{`{"type":"quit"}//`, BadJSON, ""},
		{`{"type":"resize","columns":80,"rows":24.5,"id":"r"}`, BadField, "r"},
		{`{"type":"resize","columns":1e99,"rows":24,"id":"r"}`, BadField, "r"},
		{`{"type":"resize","columns":99999999999999999999,"rows":24,"id":"r"}`, BadField, "r"},
		{`{"type":"resize","columns":0,"rows":24,"id":"r"}`, BadField, "r"},
		{`{"type":"resize","columns":-1,"rows":24,"id":"r"}`, BadField, "r"},
		{`{"type":"resize","columns":10001,"rows":24,"id":"r"}`, BadField, "r"},
		{`{"type":"hello","columns":-1,"id":"r"}`, BadField, "r"},
		{`{"type":"hello","history":-1,"id":"r"}`, BadField, "r"},
		{`{"type":"hello","protocol":99}`, "", ""}, // the session's to judge
		{`{"type":"complete","text":"x","cursor":-1,"id":"r"}`, BadField, "r"},
		{`{"type":"show","output":"8a7b","offset":-1,"id":"r"}`, BadField, "r"},
		{`{"type":"show","output":"8a7b","limit":0,"id":"r"}`, BadField, "r"},
		{`{"type":"answer","approval":"a1","decision":"ONCE","id":"r"}`, BadField, "r"},
		{`{"type":"quit","x":` + deep(9000) + `}`, "", ""},
		{`{"type":"quit","x":` + deep(200_000) + `}`, BadJSON, ""},
		{`{"type":"line","text":` + deep(5000) + `,"id":"r"}`, BadField, "r"},
	} {
		m, fault := DecodeIn([]byte(c.line))
		if fault != nil {
			if fault.Code != c.want || fault.Request != c.id || fault.Message == "" {
				t.Errorf("%.100s: %+v, want %s for %q", c.line, fault, c.want, c.id)
			}
			continue
		}
		if got := fmt.Sprintf("%#v", m); c.want != "" && got != c.want {
			t.Errorf("%.100s:\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

// The difference between no list and an empty one: nil stands for what every simple face carries, empty for nothing.
func TestCapabilitiesKeepTheirEmptiness(t *testing.T) {
	t.Parallel()
	for want, hello := range map[string]Hello{
		`{"type":"hello"}`: {}, `{"type":"hello","capabilities":[]}`: {Capabilities: []string{}},
	} {
		line := AppendIn(nil, hello)
		if got := strings.TrimSpace(string(line)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		m, fault := DecodeIn(line)
		if fault != nil || (m.(Hello).Capabilities == nil) != (hello.Capabilities == nil) {
			t.Errorf("%s came back as %#v, %v", line, m, fault)
		}
	}
}

func TestDecodeOut(t *testing.T) {
	t.Parallel()
	if m, seq, err := DecodeOut([]byte(`{"type":"of a later version","seq":9,"x":1}`)); m != nil || seq != 9 || err != nil {
		t.Errorf("an unknown type gave %v, %d, %v", m, seq, err)
	}
	if m, _, err := DecodeOut([]byte(`{"type":"exit","seq":9,"reason":"x","later":{}}`)); m != (Exit{Reason: "x"}) || err != nil {
		t.Errorf("an unknown field gave %v, %v", m, err)
	}
	for _, line := range []string{``, `x`, `[]`, `{"type":"exit","reason":1}`, `{"type":"exit"`} {
		if _, _, err := DecodeOut([]byte(line)); err == nil {
			t.Errorf("%s was taken", line)
		}
	}
}
