package notebook

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Whatever the bytes, an edit is refused and nothing is touched, or it makes what was asked for of one cell and leaves the rest.
func FuzzApply(f *testing.F) {
	for name, file := range corpus(f) {
		if len(file) < 3000 {
			f.Add(file, uint8(len(name)), "", int8(1), uint8(0), "x = 1\n\ny")
			f.Add(file, uint8(1), "w1", int8(-2), uint8(2), "\r\né")
		}
	}
	f.Add([]byte(three), uint8(2), "two", int8(-2), uint8(1), "")
	f.Add([]byte(`{"nbformat":4,"nbformat_minor":5,"cells":[{"cell_type":"x","id":5,"source":[1,"\ud800"],"metadata":0}, {}]}`), uint8(0), "", int8(0), uint8(3), "�\n")
	f.Add([]byte("{\r\"nbformat\"\n:4,\"cells\":[\r]}"), uint8(1), "", int8(0), uint8(3), "a")
	f.Fuzz(func(t *testing.T, file []byte, action uint8, id string, index int8, kind uint8, source string) {
		e := Edit{
			Action: []string{Replace, Insert, Delete, "other"}[action%4], CellID: id,
			CellType: []string{"", code, markdown, raw, "other"}[kind%5],
		}
		if index > -2 {
			i := int(index)
			e.CellIndex = &i
		}
		if kind < 200 {
			e.Source = &source
		}
		was := bytes.Clone(file)
		out, c, err := Apply(file, e)
		if !bytes.Equal(file, was) {
			t.Fatal("the file that was given is changed")
		}
		if err != nil {
			if out != nil || c != (Change{}) || len(err.Error()) > 4000 {
				t.Fatalf("%q, %+v, %v", out, c, err)
			}
			return
		}
		if !json.Valid(bytes.TrimPrefix(out, []byte(bom))) {
			t.Fatalf("no JSON: %s", out)
		}
		verify(t, file, e, out, c)
		_, _, err = Apply(out, Edit{Action: Insert, Source: &source})
		if err != nil && e.Source != nil {
			t.Fatalf("what was written isn't read: %v\n%s", err, out)
		}
	})
}
