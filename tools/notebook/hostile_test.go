package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// most20 is nearly the size that is allowed, and less what tests are content with: encoding/json takes its time.
const (
	most20 = 19 << 20
	less   = 2 << 20
)

// images is a valid notebook of about a size, most of it images as strings.
func images(size int) []byte {
	image := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", size/48)
	cell := `{"cell_type":"code","execution_count":1,"metadata":{},"outputs":[{"output_type":"display_data","data":{"image/png":"` + image + `"},"metadata":{}}],"source":["show()\n","x"]}`
	return []byte(`{"cells":[` + cell + `,` + cell + `,{"cell_type":"markdown","metadata":{},"source":["a\n","b"]}],"metadata":{},"nbformat":4,"nbformat_minor":4}`)
}

// prints is one of many small values, and no line longer than a person's.
func prints(size int) []byte {
	line := `     {"output_type": "stream", "name": "stdout", "text": ["epoch 1: loss 0.25 \u001b[32mok\u001b[0m\n"]},` + "\n"
	lines := strings.TrimSuffix(strings.Repeat(line, size/len(line)), ",\n")
	return []byte("{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 1,\n   \"metadata\": {},\n   \"outputs\": [\n" + lines +
		"\n   ],\n   \"source\": []\n  }\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 4\n}\n")
}

// An edit takes about the file's size of memory once more, and no time to speak of. Not parallel: it counts what the process
// allocates.
func TestLargeNotebook(t *testing.T) {
	for name, file := range map[string][]byte{"images": images(less), "prints": prints(less)} {
		if len(file) < less*95/100 || !json.Valid(file) {
			t.Fatalf("%s: %d bytes", name, len(file))
		}
		for _, e := range []Edit{
			{Action: Replace, CellIndex: at(0), Source: text("x")},
			{Action: Insert, CellIndex: at(0), Source: text("x")},
			{Action: Insert, Source: text("x")},
			{Action: Delete, CellIndex: at(0)},
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, c, err := Apply(file, e)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > uint64(len(file))*3/2 {
				t.Errorf("%s: %s took %d bytes for a file of %d", name, shown(e), took, len(file))
			}
			if e.Action == Replace {
				verify(t, file, e, out, c)
			}
		}
	}
}

// Bytes that are meant to hurt are refused, or edited, in bounded time, stack and memory.
func TestHostile(t *testing.T) {
	repeat := func(s string, n int) string { return strings.Repeat(s, n) }
	notebook := func(cells string) string { return `{"nbformat":4,"nbformat_minor":5,"cells":[` + cells + `]}` }
	for name, c := range map[string]struct{ file, want string }{
		"lists":                {repeat("[", 1_000_000), "a JSON object with cells"},
		"lists in it":          {`{"a":` + repeat("[", 1_000_000), "deeper than 1000"},
		"objects":              {repeat(`{"a":`, 400_000), "deeper than 1000"},
		"cells in cells":       {notebook(repeat(`{"outputs":[`, 100_000)), "deeper than 1000"},
		"too large":            {repeat(" ", Most+1), "the notebook is 20.0 MiB, and over 20 MiB none is edited"},
		"blanks":               {repeat(" \r\n\t", less/4), "the file is empty"},
		"a string":             {`{"` + repeat("a", less), "doesn't end"},
		"escapes":              {`{"` + repeat(`\\`, less/2), "doesn't end"},
		"cut short":            {string(images(less)[:less-1000]), "doesn't end"},
		"not text":             {`{"a":"` + repeat("\xff", less) + `"}`, "byte 0xff is no UTF-8"},
		"zeros":                {repeat("\x00", less), `"\x00" is where`},
		"minus":                {`{"a":` + repeat("-", less), "a number should be"},
		"many cells":           {notebook(repeat("{},", 1_000_000) + "{}"), "more than 100000 cells"},
		"many keys":            {notebook(`{` + repeat(`"":0,`, 600_000) + `"":0}`), "more than 1000 keys"},
		"many ids":             {notebook(repeat(`{"id":"`+repeat("x", 90)+`"},`, 99_999) + "{}"), "and 99979 more"},
		"many keys at the top": {`{` + repeat(`"\u0000":0,`, 300_000) + `"":0}`, "no nbformat"},
	} {
		file := []byte(c.file)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, _, err := Apply(file, Edit{Action: Replace, CellID: "a", Source: text("x")})
		runtime.ReadMemStats(&after)
		if err == nil || out != nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 3000 {
			t.Errorf("%s: %.300v", name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 60<<20 {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
}

// Cells that are meant to hurt the one that edits them.
func TestHostileCells(t *testing.T) {
	for name, source := range map[string]string{
		"many lines":     `[` + strings.Repeat(`"\/",`, 50_000) + `""]`,
		"many odd lines": `[` + strings.Repeat(`"\u0041",`, 30_000) + `""]`,
		"no strings":     `[` + strings.Repeat(`1,`, 100_000) + `1]`,
		"blanks":         `[` + strings.Repeat(` `, 600_000) + `]`,
		"one string":     `"` + strings.Repeat(`\n`, 100_000) + `"`,
	} {
		file := []byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":` + source + `,"metadata":{}}]}`)
		for _, e := range []Edit{
			{Action: Replace, CellIndex: at(0), CellType: raw, Source: text("x\ny")},
			{Action: Insert, CellIndex: at(0), Source: text("x\ny")},
			{Action: Delete, CellIndex: at(0)},
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, _, err := Apply(file, e)
			runtime.ReadMemStats(&after)
			if err != nil || !json.Valid(out) {
				t.Errorf("%s: %v", name, err)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > uint64(len(file))*5 {
				t.Errorf("%s: %s took %d bytes for %d", name, e.Action, n, len(file))
			}
		}
	}
	long := strings.Repeat("x", Most-100)
	if _, _, err := Apply([]byte(three), Edit{Action: Insert, Source: &long}); err == nil || !strings.Contains(err.Error(), "would be 20.0 MiB") {
		t.Error(err)
	}
	// Blanks of the file, once for each line of the text.
	lines := strings.Repeat("\n", 10_000)
	file := []byte(`{"nbformat":4,"cells":[{"cell_type":"raw","metadata":{},"source":["a",` + strings.Repeat(" ", 1_000_000) + `"b"]}]}`)
	if _, _, err := Apply(file, Edit{Action: Insert, Source: &lines}); err == nil || !strings.Contains(err.Error(), "would be 9") {
		t.Error(err)
	}
}

// What can be nested as deep as is allowed is edited.
func TestDeepest(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]bool{deepest - 3: true, deepest - 2: false} {
		file := fmt.Appendf(nil, `{"nbformat":4,"cells":[{"cell_type":"raw","source":"","metadata":%s%s}]}`, strings.Repeat("[", depth), strings.Repeat("]", depth))
		_, _, err := Apply(file, Edit{Action: Delete, CellIndex: at(0)})
		if (err == nil) != want {
			t.Errorf("%d: %v", depth, err)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	for name, file := range map[string][]byte{"images19MiB": images(most20), "prints19MiB": prints(most20), "small": []byte(three)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				out, _, err := Apply(file, Edit{Action: Replace, CellIndex: at(0), Source: text("x = 1\n")})
				if err != nil || bytes.Equal(out, file) {
					b.Fatal(err)
				}
			}
		})
	}
}
