package notebook

import (
	"strings"
	"testing"
)

func at(i int) *int { return &i }

func text(s string) *string { return &s }

const three = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "one",
   "metadata": {},
   "source": [
    "# Title"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "two",
   "metadata": {"n": 1.0},
   "outputs": [
    {"output_type": "stream", "name": "stdout", "text": "7"}
   ],
   "source": [
    "a = 1\n",
    "b = 2"
   ]
  },
  {
   "cell_type": "raw",
   "id": "three",
   "metadata": {},
   "source": "raw"
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

// Each row edits a notebook, mostly three; the result is it with one text in the place of another.
func TestWhatIsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file string
		edit       Edit
		old, now   string
	}{
		{"a code cell is replaced and forgets its run", three, Edit{Action: Replace, CellID: "two", Source: text("a = 1\nc = 3\n")},
			`7,
   "id": "two",
   "metadata": {"n": 1.0},
   "outputs": [
    {"output_type": "stream", "name": "stdout", "text": "7"}
   ],
   "source": [
    "a = 1\n",
    "b = 2"
   ]`, `null,
   "id": "two",
   "metadata": {"n": 1.0},
   "outputs": [],
   "source": [
    "a = 1\n",
    "c = 3\n"
   ]`},
		{"the same text leaves a text cell alone", three, Edit{Action: Replace, CellID: "one", Source: text("# Title")}, "", ""},
		{"a string stays a string", three, Edit{Action: Replace, CellIndex: at(2), Source: text("two\n\"lines\"")}, `"raw"
  }`, `"two\n\"lines\""
  }`},
		{"an empty list", three, Edit{Action: Replace, CellIndex: at(0), Source: text("")}, "[\n    \"# Title\"\n   ]", "[]"},
		{"code becomes markdown", three, Edit{Action: Replace, CellID: "two", CellIndex: at(1), CellType: markdown, Source: text("a = 1\nb = 2")},
			`"code",
   "execution_count": 7,
   "id": "two",
   "metadata": {"n": 1.0},
   "outputs": [
    {"output_type": "stream", "name": "stdout", "text": "7"}
   ],`, `"markdown",
   "id": "two",
   "metadata": {"n": 1.0},`},
		{"raw becomes code", three, Edit{Action: Replace, CellID: "three", CellType: code, Source: text("raw")},
			`"raw",
   "id": "three",
   "metadata": {},
   "source"`, `"code",
   "execution_count": null,
   "id": "three",
   "metadata": {},
   "outputs": [],
   "source"`},
		{"an insert after a cell", three, Edit{Action: Insert, CellID: "one", CellType: markdown, Source: text("x\ny")}, "# Title\"\n   ]\n  },\n", `# Title"
   ]
  },
  {
   "cell_type": "markdown",
   "id": "NEWID",
   "metadata": {},
   "source": [
    "x\n",
    "y"
   ]
  },
`},
		{"an insert at the end", three, Edit{Action: Insert, Source: text("x")}, "\"raw\"\n  }\n", `"raw"
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "NEWID",
   "metadata": {},
   "outputs": [],
   "source": [
    "x"
   ]
  }
`},
		{"a delete of the last", three, Edit{Action: Delete, CellID: "three"}, `,
  {
   "cell_type": "raw",
   "id": "three",
   "metadata": {},
   "source": "raw"
  }`, ""},
		{"a delete of the first", three, Edit{Action: Delete, CellIndex: at(0)}, `  {
   "cell_type": "markdown",
   "id": "one",
   "metadata": {},
   "source": [
    "# Title"
   ]
  },
`, ""},
		{"a delete of the only one", `{"nbformat": 4, "cells": [ {} ]}`, Edit{Action: Delete, CellIndex: at(0)}, "[ {} ]", "[]"},
		{"lines keep their spelling", `{"nbformat":4,"cells":[{"cell_type":"raw","metadata":{},"source":["a\/b\n", "\ud800\n", "\u0041"]}]}`,
			Edit{Action: Replace, CellIndex: at(0), Source: text("a/b\nnew\n\ufffd\nA")}, `"a\/b\n", "\ud800\n", "\u0041"`, `"a\/b\n", "new\n", "\ud800\n", "\u0041"`},
		{"the last of two keys counts, and both are set", `{"nbformat":3,"cells":0,"cells":[{"source":"x","cell_type":"raw","metadata":{},"source":"y","\u0073ource":"z"}],"nbformat":4}`,
			Edit{Action: Replace, CellIndex: at(0), Source: text("new")}, `"x","cell_type":"raw","metadata":{},"source":"y","\u0073ource":"z"`, `"new","cell_type":"raw","metadata":{},"source":"new","\u0073ource":"new"`},
		{"dropped keys go in all their places", `{"nbformat":4,"cells":[{"outputs":[1],"cell_type":"code","outputs":[],"metadata":{},"source":""}]}`,
			Edit{Action: Replace, CellIndex: at(0), CellType: raw, Source: text("")}, `"outputs":[1],"cell_type":"code","outputs":[],`, `"cell_type":"raw",`},
		{"what JSON escapes", `{"nbformat":4,"cells":[{"cell_type":"raw","metadata":{},"source":"\b\f\r\u001b\u007f\/"}]}`,
			Edit{Action: Replace, CellIndex: at(0), Source: text("\b\f\r\x1b\x7f/\\\"\u2028<é")}, `\u007f\/"`, "\x7f/\\\\\\\"\u2028<é\""},
		{"unknown keys and types stay", `{"nbformat":4,"cells":[{"cell_type":"sql","metadata":{},"outputs":[1],"source":"x","db":[1.0]}]}`,
			Edit{Action: Replace, CellIndex: at(0), Source: text("y")}, `"x"`, `"y"`},
		{"CRLF becomes LF", three, Edit{Action: Replace, CellIndex: at(2), Source: text("a\r\nb\rc")}, `: "raw"
  }`, `: "a\nb\nc"
  }`},
		{"and stays where it was", `{"nbformat":4,"cells":[{"cell_type":"raw","metadata":{},"source":"a\r\nb"}]}`,
			Edit{Action: Replace, CellIndex: at(0), Source: text("a\r\nc")}, `b"`, `c"`},
		{"an id is given to the cell that lacks one", `{"nbformat":4,"nbformat_minor":5,"cells":[{"cell_type":"raw","metadata":{},"source":"a"},{}]}`,
			Edit{Action: Replace, CellIndex: at(0), Source: text("b")}, `"metadata":{},"source":"a"`, `"id":"NEWID","metadata":{},"source":"b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, change, err := Apply([]byte(c.file), c.edit)
			if err != nil {
				t.Fatal(err)
			}
			verify(t, []byte(c.file), c.edit, out, change)
			if strings.Count(c.file, c.old) == 0 {
				t.Fatal("the row is wrong")
			}
			if want := strings.Replace(c.file, c.old, strings.ReplaceAll(c.now, "NEWID", change.ID), 1); string(out) != want {
				t.Errorf("got\n%s\nwant\n%s", out, want)
			}
		})
	}
}

func TestChangeIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edit Edit
		want Change
	}{
		{Edit{Action: Replace, CellID: "two", CellType: markdown, Source: text("x")},
			Change{Index: 1, ID: "two", TypeBefore: code, TypeAfter: markdown, Old: "a = 1\nb = 2", New: "x", Cleared: true, Cells: 3}},
		{Edit{Action: Delete, CellID: "two"}, Change{Index: 1, ID: "two", TypeBefore: code, Old: "a = 1\nb = 2", Cleared: true, Cells: 2}},
		{Edit{Action: Delete, CellIndex: at(2), CellType: code, Source: text("")}, Change{Index: 2, ID: "three", TypeBefore: raw, Old: "raw", Cells: 2}},
		{Edit{Action: Insert, CellID: "two", CellIndex: at(2), CellType: raw, Source: text("")}, Change{Index: 2, TypeAfter: raw, Cells: 4}},
		{Edit{Action: Insert, CellIndex: at(0), Source: text("x")}, Change{Index: 0, TypeAfter: code, New: "x", Cells: 4}},
	} {
		_, got, err := Apply([]byte(three), c.edit)
		if c.edit.Action == Insert {
			if len(got.ID) != 8 {
				t.Errorf("the id is %q", got.ID)
			}
			got.ID = ""
		}
		if err != nil || got != c.want {
			t.Errorf("%s\n got %+v %v\nwant %+v", shown(c.edit), got, err, c.want)
		}
	}
}

func TestNewIDs(t *testing.T) {
	t.Parallel()
	file, seen := []byte(three), map[string]bool{}
	for range 50 {
		e := Edit{Action: Insert, CellIndex: at(1), Source: text("x")}
		out, c, err := Apply(file, e)
		again, _, _ := Apply(file, e)
		if err != nil || string(out) != string(again) {
			t.Fatalf("an edit made twice isn't the same: %v", err)
		}
		if seen[c.ID] {
			t.Fatalf("the id %s came twice", c.ID)
		}
		seen[c.ID], file = true, out
	}
	// An id that would be given is taken already.
	b, err := read([]byte(three))
	if err != nil {
		t.Fatal(err)
	}
	id := b.newID(0, "x")
	b.b = append(b.b, `"`+id+`"`...)
	first := b.newID(0, "x")
	b.cells[0].id = span{len(b.b) - 10, len(b.b)}
	copy(b.b[len(b.b)-9:], first) // which changes the sum, and so the next id
	if got := b.newID(0, "x"); got == string(b.b[len(b.b)-9:len(b.b)-1]) {
		t.Errorf("%s is given again", got)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	r := func(id string, index *int) Edit { return Edit{Replace, id, index, "", text("x")} }
	cells := func(cells string) string { return `{"nbformat":4,"nbformat_minor":2,"cells":` + cells + `}` }
	twice := `{"nbformat":4,"nbformat_minor":5,"cells":[{"id":"s","cell_type":"raw"},{"id":"x"},{"id":"s"}]}`
	for _, c := range []struct {
		file string
		edit Edit
		want string
	}{
		{three, r("four", nil), `no cell has the id "four": the notebook has, with the index of each, "one" (0), "two" (1), "three" (2)`},
		{three, r("", at(99)), "cellIndex is 99: the notebook has 3 cells, so it may be 0 to 2"},
		{three, r("", at(-1)), "cellIndex is -1: the notebook has 3 cells, so it may be 0 to 2"},
		{three, r("", nil), "which cell? give cellId, or cellIndex from 0 to 2"},
		{three, r("one", at(1)), `cellId "one" is cell 0, and cellIndex is 1: give one of them`},
		{three, Edit{Action: Insert, CellIndex: at(4), Source: text("")}, "cellIndex is 4: the notebook has 3 cells, so it may be 0 to 3"},
		{three, Edit{Action: Insert, CellID: "one", CellIndex: at(0), Source: text("")}, `after cellId "one" is the place 1, and cellIndex is 0: give one of them`},
		{three, Edit{Action: Insert}, "source is missing: insert needs the whole text of the cell, which may be empty"},
		{three, Edit{Action: Replace, CellID: "one"}, "source is missing: replace needs the whole text of the cell, which may be empty"},
		{three, Edit{Action: Replace, CellID: "one", Source: text("\xff")}, "source isn't valid UTF-8"},
		{three, Edit{Action: "edit", CellID: "one"}, `action is "edit": it may be replace, insert or delete`},
		{three, Edit{Action: Insert, CellType: "heading", Source: text("")}, `cellType is "heading": it may be code, markdown or raw`},
		{twice, r("s", nil), `2 cells have the id "s", those with the index 0, 2: give cellIndex alone`},
		{twice, Edit{Action: Insert, CellID: "s", Source: text("")}, `2 cells have the id "s", those with the index 0, 2: give cellIndex alone`},
		{cells("[" + strings.Repeat(`{"id":"a"},`, 30) + "{}]"), r("a", nil), `30 cells have the id "a", those with the index 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, …: give cellIndex alone`},
		{three, Edit{Action: Insert, Source: text(strings.Repeat("x", Most+1))}, "the notebook would be 20.0 MiB, and over 20 MiB none is edited: clear its outputs first"},
		{twice, r("x", nil), "cell 1 has no cell_type: give cellType"},
		{cells("[]"), r("", at(0)), "the notebook has no cells: insert makes one"},
		{cells("[{}]"), r("x", nil), `no cell has the id "x": the notebook has no ids (its format is 4.2): give cellIndex, from 0 to 0`},
		{cells("[]"), Edit{Action: Insert, CellID: "x", Source: text("")}, `no cell has the id "x": the notebook has no cells`},
		{cells("[1]"), r("", at(0)), "not a notebook: cell 0 is no object"},
		{cells("{}"), r("", at(0)), "not a notebook: its cells are no list"},
		{`{"nbformat":4}`, r("", at(0)), "not a notebook: it has no cells, which may be an empty list"},
		{`{"cells":[]}`, r("", at(0)), "not a notebook: it has no nbformat"},
		{`{"worksheets":[],"nbformat":3,"nbformat_minor":0}`, r("", at(0)), "nbformat is 3, and only format 4 is edited: jupyter nbconvert --to notebook --nbformat 4 makes one of it"},
		{`{"nbformat":5}`, r("", at(0)), "nbformat is 5, and only format 4 is known"},
		{`{"nbformat":"4"}`, r("", at(0)), `not a notebook: its nbformat is "4", and no number of a format`},
		{`{"nbformat":4,"nbformat_minor":null,"cells":[]}`, r("", at(0)), `not a notebook: its nbformat_minor is null, and no number of a format`},
		{"", r("", at(0)), "not a notebook: the file is empty"},
		{" \ufeff", r("", at(0)), `not a notebook: not JSON at line 1, column 2: "\ufeff" is where the { of a notebook should be`},
		{"import os\n", r("", at(0)), `not a notebook: not JSON at line 1, column 1: "import" is where the { of a notebook should be`},
		{"[]", r("", at(0)), "not a notebook: a notebook is a JSON object with cells in it"},
		{"{\n \"a\": NaN}", r("", at(0)), `not a notebook: not JSON at line 2, column 7: "NaN" is where a value should be`},
		{`{"a": -Infinity}`, r("", at(0)), `not a notebook: not JSON at line 1, column 7: "-Infinity" is where a number should be`},
		{`{"a": 01}`, r("", at(0)), `not a notebook: not JSON at line 1, column 7: "01" is where a number should be`},
		{`{"a": 1.}`, r("", at(0)), `not a notebook: not JSON at line 1, column 7: "1." is where a number should be`},
		{`{"a": 1e+}`, r("", at(0)), `not a notebook: not JSON at line 1, column 7: "1e+" is where a number should be`},
		{`{"a": [1,]}`, r("", at(0)), `not a notebook: not JSON at line 1, column 10: "]" is where a value should be`},
		{`{"a": 1 "b"`, r("", at(0)), `not a notebook: not JSON at line 1, column 9: "\"" is where a comma or } should be`},
		{`{"a" 1}`, r("", at(0)), `not a notebook: not JSON at line 1, column 6: "1" is where a colon should be`},
		{`{"a": 1, // x`, r("", at(0)), `not a notebook: not JSON at line 1, column 10: "//" is where a key should be`},
		{`{"a": [{"b`, r("", at(0)), `not a notebook: not JSON at line 1, column 9: a string that doesn't end`},
		{`{"a": [`, r("", at(0)), `not a notebook: not JSON at line 1, column 8: it ends where a value should be`},
		{"{\"a\": \"\t\"}", r("", at(0)), `not a notebook: not JSON at line 1, column 8: a control character (byte 0x09) in a string, which has to be escaped there`},
		{`{"a": "\x"}`, r("", at(0)), `not a notebook: not JSON at line 1, column 8: an escape that JSON doesn't have`},
		{`{"a": "\u12g4"}`, r("", at(0)), `not a notebook: not JSON at line 1, column 8: an escape that JSON doesn't have`},
		{"{\"a\": \"\xc3(\"}", r("", at(0)), `not a notebook: not JSON at line 1, column 8: byte 0xc3 is no UTF-8`},
		{`{} {}`, r("", at(0)), `not a notebook: not JSON at line 1, column 4: "{" is where the end should be`},
	} {
		file := []byte(c.file)
		out, change, err := Apply(file, c.edit)
		if err == nil || err.Error() != c.want || out != nil || change != (Change{}) || string(file) != c.file {
			t.Errorf("%.60s %s\n got %v\nwant %s", c.file, shown(c.edit), err, c.want)
		}
	}
}
