package protocol

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "rewrite docs/protocol.schema.json")

const schemaFile = "../docs/protocol.schema.json"

// sampleLines returns the lines of testdata/lines.jsonl, which are only ever added to: an old face still sends the
// old lines, and an old engine's lines are still read.
func sampleLines(t testing.TB) (in, out [][]byte) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "lines.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		if bytes.Contains(line, []byte(`,"seq":`)) {
			out = append(out, line)
		} else {
			in = append(in, line)
		}
	}
	return in, out
}

func TestSampleLinesSurviveByteForByte(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	in, out := sampleLines(t)
	for _, line := range in {
		m, fault := DecodeIn(line)
		if fault != nil {
			t.Errorf("%s%v", line, fault)
			continue
		}
		seen["in."+m.in()] = true
		if got := AppendIn(nil, m); !bytes.Equal(got, line) {
			t.Errorf("written again:\n got %s\nwant %s", got, line)
		}
	}
	for _, line := range out {
		m, seq, err := DecodeOut(line)
		if err != nil || m == nil {
			t.Errorf("%s%v", line, err)
			continue
		}
		seen["out."+m.out()] = true
		if got := AppendOut(nil, seq, m); !bytes.Equal(got, line) {
			t.Errorf("written again:\n got %s\nwant %s", got, line)
		}
	}
	for _, m := range inTable {
		if !seen["in."+m.in()] {
			t.Errorf("testdata/lines.jsonl has no inbound %q: every message has a sample there", m.in())
		}
	}
	for _, m := range outTable {
		if !seen["out."+m.out()] {
			t.Errorf("testdata/lines.jsonl has no outbound %q: every message has a sample there", m.out())
		}
	}
}

func TestSchemaIsCheckedIn(t *testing.T) {
	if *update {
		if err := os.WriteFile(schemaFile, Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, Schema()) {
		t.Errorf("%s is not what the Go types give: go test ./protocol -update rewrites it", schemaFile)
	}
}

// validator returns the schema of one direction, "in" or "out", or of one message.
func validator(t testing.TB, def string) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	if s.Defs[def] == nil {
		t.Fatalf("the schema has no %s", def)
	}
	s.AnyOf = nil
	s.Ref = "#/$defs/" + def
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func valid(t testing.TB, r *jsonschema.Resolved, line []byte) error {
	t.Helper()
	var v any
	if err := json.Unmarshal(line, &v); err != nil {
		t.Fatalf("%v in %.200s", err, line)
	}
	return r.Validate(v)
}

func TestSampleLinesFitTheSchema(t *testing.T) {
	t.Parallel()
	in, out := sampleLines(t)
	for def, lines := range map[string][][]byte{"in": in, "out": out} {
		r := validator(t, def)
		for _, line := range lines {
			if err := valid(t, r, line); err != nil {
				t.Errorf("%s%v", line, err)
			}
		}
	}
}

// The schema and DecodeIn say the same of a line, so that an author may believe either.
func TestSchemaRefusesWhatTheDecoderRefuses(t *testing.T) {
	t.Parallel()
	in := validator(t, "in")
	check := func(line string) {
		t.Helper()
		_, fault := DecodeIn([]byte(line))
		err := valid(t, in, []byte(line))
		if (fault == nil) != (err == nil) {
			t.Errorf("%s\ndecoder: %v\nschema: %v", line, fault, err)
		}
	}
	for _, line := range wrongKinds() {
		check(line)
	}
	for _, line := range []string{
		`{"type":"choose","choice":"m1"}`, `{"type":"choose","choice":"m1","value":"x"}`,
		`{"type":"hello","client":null,"capabilities":null,"protocol":null}`,
		`{"type":"prompt","text":"x","attachments":null,"steer":null}`,
		`{"type":"command","line":"x","terminal":{"columns":80}}`,
		`{"type":"show","output":"8a7b","limit":null,"unknown":{"x":1}}`,
		`{"type":"answer","approval":"a","decision":"maybe"}`, `{"type":"queue","action":"burn"}`,
		`{"type":"nothing of ours"}`, `{}`,
	} {
		check(line)
	}
}

// A face draws before it knows anything, so the page for its authors may show only lines that are true.
func TestDocumentedLinesAreSamples(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	samples, err := os.ReadFile(filepath.Join("testdata", "lines.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for line := range strings.Lines(string(samples)) {
		have[strings.TrimSpace(line)] = true
	}
	shown := map[string]bool{}
	for i, block := range strings.Split(string(doc), "```json\n") {
		if i == 0 {
			continue
		}
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			line = strings.TrimSpace(line)
			line = strings.TrimPrefix(strings.TrimPrefix(line, "→ "), "← ")
			if !have[line] {
				t.Errorf("docs/protocol.md shows a line that testdata/lines.jsonl doesn't have: %s", line)
			}
			var head struct {
				Type string
				Seq  *int
			}
			if err := json.Unmarshal([]byte(line), &head); err != nil {
				t.Fatal(err)
			}
			if head.Seq == nil {
				shown["in."+head.Type] = true
			} else {
				shown["out."+head.Type] = true
			}
		}
	}
	for _, m := range inTable {
		if !shown["in."+m.in()] {
			t.Errorf("docs/protocol.md shows no inbound %q", m.in())
		}
	}
	for _, m := range outTable {
		if !shown["out."+m.out()] {
			t.Errorf("docs/protocol.md shows no outbound %q", m.out())
		}
	}
}
