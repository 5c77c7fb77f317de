package notebook

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawer writes a notebook as nobody would, one that is JSON still: any blanks, any order of keys, keys twice and spelled with
// escapes, values of the wrong kind.
type drawer struct {
	t *rapid.T
	b strings.Builder
}

func (d *drawer) pick(from ...string) string {
	return rapid.SampledFrom(from).Draw(d.t, "pick")
}

func (d *drawer) write(parts ...string) {
	for _, p := range parts {
		d.b.WriteString(p)
		if len(p) == 1 && strings.Contains("{}[],:", p) {
			d.b.WriteString(d.pick("", "", "", " ", "\n", "\r\n  ", "\t", "\n\n    "))
		}
	}
}

func (d *drawer) list(most int, item func()) {
	d.write("[")
	for i := range rapid.IntRange(0, most).Draw(d.t, "items") {
		if i > 0 {
			d.write(",")
		}
		item()
		d.write(d.pick("", "", "", " "))
	}
	d.write("]")
}

func (d *drawer) object(keys []string, value func(key string)) {
	d.write("{")
	for i, key := range keys {
		if i > 0 {
			d.write(",")
		}
		spelled := key
		if key != "" && d.pick("", "", "", "", "odd") != "" {
			spelled = fmt.Sprintf(`\u%04x`, key[0]) + key[1:]
		}
		d.write(`"`+spelled+`"`, d.pick("", " "), ":")
		value(key)
		d.write(d.pick("", "", "\n", " "))
	}
	d.write("}")
}

func (d *drawer) any() {
	d.write(d.pick("null", "true", "1.0", "-0", "1e400", `""`, `"\ud800"`, `"é"`, `"a\/b\n"`, "[]", "[1,[]]", "{}", `{"id":"a","source":["x"]}`))
}

func (d *drawer) source() {
	line := func() {
		d.write(d.pick(`"a\n"`, `"b"`, `""`, `"\r\n"`, `"\u00e9\/\n"`, `"\ud83d\n"`, `"\ud83d\ude00"`, `"\ud83d\u0041"`, `"é\u2028"`))
	}
	switch d.pick("list", "list", "list", "string", "any") {
	case "list":
		d.list(4, line)
	case "string":
		line()
	default:
		d.any()
	}
}

func (d *drawer) cell() {
	keys := rapid.SliceOfN(rapid.SampledFrom([]string{"id", "cell_type", "metadata", "source", "outputs", "execution_count", "attachments", "x", ""}), 0, 9).Draw(d.t, "keys")
	d.object(keys, func(key string) {
		switch key {
		case "id":
			d.write(d.pick(`"a"`, `"b"`, `"\u0061"`, `"é"`, `""`, "5"))
		case "cell_type":
			d.write(d.pick(`"code"`, `"code"`, `"markdown"`, `"raw"`, `"c\u006fde"`, `"sql"`, "1"))
		case "source":
			d.source()
		case "outputs":
			d.list(2, d.any)
		default:
			d.any()
		}
	})
}

// draw writes the whole file.
func (d *drawer) draw() {
	d.write(d.pick("", "", bom), d.pick("", "\n"))
	keys := rapid.Permutation([]string{"cells", "nbformat", "nbformat_minor", "metadata", d.pick("x", "cells", "nbformat_minor")}).Draw(d.t, "top")
	d.object(keys, func(key string) {
		switch key {
		case "cells":
			d.list(4, d.cell)
		case "nbformat":
			d.write(d.pick("4", "4", "4.0", "40e-1"))
		case "nbformat_minor":
			d.write(d.pick("5", "5.0", "4", "0", "12"))
		default:
			d.any()
		}
	})
	d.write(d.pick("", "\n", "\r\n\r\n"))
}

func TestAnyNotebook(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := &drawer{t: t}
		d.draw()
		file := d.b.String()
		s, ok := look([]byte(file))
		if !ok {
			t.Fatalf("drawn badly: %q", file)
		}
		source := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b", "\n", "\r\n", "é/\n", "\ufffd\n", "\x00\"\\", "😀", "\u2028"}), 0, 5).Draw(t, "source"), "")
		e := Edit{Action: d.pick(Replace, Insert, Delete), CellType: d.pick("", code, markdown, raw), Source: &source, CellID: d.pick("", "", "a", "é")}
		if i := rapid.IntRange(-2, len(s.cells)).Draw(t, "index"); i >= 0 {
			e.CellIndex = &i
		}
		out, c, err := Apply([]byte(file), e)
		if err != nil {
			if !strings.Contains(err.Error(), "cell") {
				t.Fatalf("%q: %v", file, err)
			}
			return
		}
		verify(t, []byte(file), e, out, c)
		if t.Failed() {
			t.Fatalf("%s of\n%q gave\n%q", shown(e), file, out)
		}
	})
}
