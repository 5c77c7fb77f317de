package proc

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
)

// upper masks every letter x, and holds back what may go on: an x at the end of what has come.
type upper struct{ held []byte }

func (u *upper) Append(dst, p []byte) []byte {
	p = append(u.held, p...)
	n := len(bytes.TrimRight(p, "x"))
	u.held = bytes.Clone(p[n:])
	return append(dst, bytes.ReplaceAll(p[:n], []byte("x"), []byte("[mask]"))...)
}

func (u *upper) Close(dst []byte) []byte {
	return append(dst, bytes.ReplaceAll(u.held, []byte("x"), []byte("[mask]"))...)
}

// TestMask: what is kept is masked, each stream by itself and to its last byte; what is seen live is what was printed.
func TestMask(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Config{Mask: func() Masker { return &upper{} }})
	j := job(t, `printf 'a x'; printf 'e x\n' >&2; printf 'x\nlast x'`)
	var mu sync.Mutex
	var live strings.Builder
	j.Live = func(p Piece) {
		mu.Lock()
		defer mu.Unlock()
		live.WriteString(p.Text)
	}
	o := r.Run(t.Context(), j)
	spooled, err := os.ReadFile(j.Spool)
	if err != nil {
		t.Fatal(err)
	}
	const stdout, stderr = "a [mask][mask]\nlast [mask]", "e [mask]\n"
	if o.Stdout.Text != stdout || o.Stderr.Text != stderr || o.Output.Bytes != int64(len(spooled)) || o.Output.Text != string(spooled) {
		t.Errorf("%+v", o)
	}
	for name, text := range map[string]string{"spool": string(spooled), "first": o.Output.First, "last": o.Output.Last} {
		if strings.Contains(text, "x") || !strings.Contains(text, "[mask]") {
			t.Errorf("%s: %q", name, text)
		}
	}
	if seen := live.String(); strings.Contains(seen, "mask") || strings.Count(seen, "x") != 4 {
		t.Errorf("live: %q", seen)
	}
}
