package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

const notebooks = "testdata/notebooks"

// corpus has the notebooks of testdata by name.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	paths, err := filepath.Glob(notebooks + "/*.ipynb")
	if err != nil || len(paths) < 30 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".ipynb")] = file
	}
	return all
}

// schemas has the published schemas of format 4 by minor version.
func schemas(t testing.TB) []*jsonschema.Resolved {
	t.Helper()
	var all []*jsonschema.Resolved
	for minor := range 6 {
		text, err := os.ReadFile(fmt.Sprintf("testdata/schemas/nbformat.v4.%d.schema.json", minor))
		if err != nil {
			t.Fatal(err)
		}
		// The schemas are of draft 4, which has definitions within definitions; and names what later drafts renamed.
		text = bytes.ReplaceAll(text, []byte("#/definitions/misc/"), []byte("#/definitions/"))
		var tree map[string]any
		if err := json.Unmarshal(text, &tree); err != nil {
			t.Fatal(err)
		}
		delete(tree, "$schema")
		definitions := tree["definitions"].(map[string]any)
		misc := definitions["misc"].(map[string]any)
		delete(definitions, "misc")
		maps.Copy(definitions, misc)
		var schema jsonschema.Schema
		again, _ := json.Marshal(tree)
		if err := json.Unmarshal(again, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, resolved)
	}
	return all
}

// validate holds a notebook against the schema of its version.
func validate(all []*jsonschema.Resolved, file []byte, minor int) error {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(file, []byte(bom))))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return err
	}
	return all[min(minor, len(all)-1)].Validate(floats(tree))
}

// floats makes numbers of numbers that float64 can't hold, too.
func floats(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := strconv.ParseFloat(string(v), 64)
		return f
	case []any:
		for i := range v {
			v[i] = floats(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = floats(v[k])
		}
	}
	return v
}

// invalidBefore are the notebooks that weren't valid when they came, and why.
func invalidBefore() map[string]string {
	return map[string]string{"ids-missing": "format 4.5 without ids", "written-by-hand": "keys are missing, and others too many"}
}

func TestSchemasTellValidFromInvalid(t *testing.T) {
	t.Parallel()
	all := schemas(t)
	for name, file := range corpus(t) {
		s, _ := look(file)
		err := validate(all, file, s.minor)
		if (err != nil) != (invalidBefore()[name] != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for minor, bad := range []string{
		`{"cell_type":"code","metadata":{},"source":"","outputs":[]}`,
		`{"cell_type":"markdown","metadata":{},"source":"","outputs":[]}`,
		`{"cell_type":"code","metadata":{},"source":"","outputs":[],"execution_count":null,"attachments":{}}`,
		`{"cell_type":"raw","metadata":{},"source":[1]}`,
		`{"cell_type":"raw","metadata":{},"source":"","id":"x"}`,
		`{"cell_type":"raw","metadata":{},"source":"","id":"a b"}`,
	} {
		if validate(all, alone(json.RawMessage(bad), minor), minor) == nil {
			t.Errorf("%s is valid in 4.%d", bad, minor)
		}
	}
}

// alone is a notebook with one cell.
func alone(cell json.RawMessage, minor int) []byte {
	return fmt.Appendf(nil, `{"metadata":{},"nbformat":4,"nbformat_minor":%d,"cells":[%s]}`, minor, cell)
}

// edits are all the ways to edit a notebook of n cells.
func edits(n int) []Edit {
	sources := []string{"", "x", "one\n", "def f():\r\n\treturn \"é\\\" # 日本 😀\u2028\n\nf()", "\n\n"}
	var all []Edit
	for at := -1; at <= n; at++ {
		var index *int
		if at >= 0 {
			index = &at
		}
		for i, kind := range []string{"", code, markdown, raw} {
			for j, text := range sources {
				turn := (at + i + j + 1) % len(sources)
				if at >= 0 && at < n && (kind == "" || turn < 2) {
					all = append(all, Edit{Replace, "", index, kind, &text})
				}
				if turn == 2 || j == 3 && kind == code {
					all = append(all, Edit{Insert, "", index, kind, &text})
				}
			}
		}
		if at >= 0 && at < n {
			all = append(all, Edit{Action: Delete, CellIndex: index})
		}
	}
	return all
}

func TestCorpusInAllWays(t *testing.T) {
	t.Parallel()
	all := schemas(t)
	for name, file := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			was := bytes.Clone(file)
			before, _ := look(file)
			shapes := shapesOf(file)
			for _, e := range edits(len(before.cells)) {
				out, c, err := Apply(file, e)
				if err != nil {
					t.Fatalf("%s: %v", shown(e), err)
				}
				written := verify(t, file, e, out, c)
				if written != nil {
					if err := validate(all, alone(written, before.minor), before.minor); err != nil {
						t.Errorf("the cell is invalid: %v\n%s", err, written)
					}
				}
				if err := validate(all, out, before.minor); err != nil && invalidBefore()[name] == "" {
					t.Errorf("invalid: %v", err)
				}
				if now := shapesOf(out); !containsAll(now, shapes) {
					t.Errorf("laid out as %q before, and %q now:\n%s", shapes, now, out)
				}
				if !bytes.Equal(file, was) {
					t.Fatal("the file that was given is changed")
				}
				if t.Failed() {
					t.Fatalf("after %s", shown(e))
				}
			}
		})
	}
}

func shown(e Edit) string {
	text, _ := json.Marshal(e)
	return string(text)
}

func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// shapesOf are the layouts that a file has without exception, as a program would write it.
func shapesOf(file []byte) []string {
	var shapes []string
	text := bytes.TrimPrefix(file, []byte(bom))
	if crlf := bytes.Count(text, []byte("\r\n")); crlf > 0 && crlf == bytes.Count(text, []byte("\n")) {
		shapes = append(shapes, "CRLF")
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	} else if crlf == 0 && !bytes.Contains(text, []byte("\r")) {
		shapes = append(shapes, "LF")
	}
	if regexp.MustCompile(`\\u(00[89a-f]|0[1-9a-f]|[1-9a-f])`).Match(text) && !regexp.MustCompile(`[^\x00-\x7f]`).Match(text) {
		shapes = append(shapes, "ASCII")
	}
	text = bytes.TrimRight(text, "\n")
	var small, b bytes.Buffer
	if json.Compact(&small, text) != nil {
		return nil
	}
	for _, unit := range []string{" ", "  ", "    ", "\t"} {
		b.Reset()
		if json.Indent(&b, small.Bytes(), "", unit) == nil && bytes.Equal(b.Bytes(), text) {
			shapes = append(shapes, fmt.Sprintf("indent %q", unit))
		}
	}
	if bytes.Equal(small.Bytes(), text) {
		shapes = append(shapes, "minified")
	}
	if bytes.Equal(spaced(small.Bytes()), text) {
		shapes = append(shapes, "one line with spaces")
	}
	return shapes
}

// spaced has a space after each comma and colon of minified JSON, as Python writes it.
func spaced(small []byte) []byte {
	var out []byte
	in := false
	for i := 0; i < len(small); i++ {
		out = append(out, small[i])
		switch c := small[i]; {
		case in && c == '\\':
			i++
			out = append(out, small[i])
		case c == '"':
			in = !in
		case !in && (c == ',' || c == ':'):
			out = append(out, ' ')
		}
	}
	return out
}

// The corpus has what makes notebooks differ; one that is rewritten by an editor's habit shows here.
func TestCorpusHasTheShapes(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, file := range corpus(t) {
		for _, shape := range shapesOf(file) {
			count[shape]++
		}
		s, _ := look(file)
		count[fmt.Sprintf("4.%d", s.minor)]++
		if bytes.HasPrefix(file, []byte(bom)) {
			count["BOM"]++
		}
		if !bytes.HasSuffix(file, []byte("\n")) {
			count["no final newline"]++
		}
	}
	for _, shape := range []string{
		"CRLF", "LF", "ASCII", `indent " "`, `indent "  "`, `indent "    "`, `indent "\t"`, "minified", "one line with spaces",
		"4.0", "4.1", "4.2", "4.3", "4.4", "4.5", "BOM", "no final newline",
	} {
		if count[shape] == 0 {
			t.Errorf("none has %s", shape)
		}
	}
}
