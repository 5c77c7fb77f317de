package phrase

import "testing"

func TestCodeColours(t *testing.T) {
	t.Parallel()
	for _, p := range []Palette{Dark, Light} {
		for r := Heading; r <= lastOfCode; r++ {
			pair := p.Pair(r)
			if got := Contrast(pair.Text, pair.Ground); got < 4.5 {
				t.Errorf("palette %d role %d: contrast %.2f, need 4.5", p, r, got)
			}
			if !pair.OnTerminal {
				t.Errorf("palette %d role %d paints a ground", p, r)
			}
			if d := Distance(pair.Text, p.Pair(Amber).Ground); d < 20 {
				t.Errorf("palette %d: role %d is %.1f from amber", p, r, d)
			}
		}
		if d := Distance(p.Pair(Added).Text, p.Pair(Removed).Text); d < 40 {
			t.Errorf("palette %d: what is added and what is removed are %.1f apart", p, d)
		}
	}
	for _, c := range []struct {
		style Style
		want  string
	}{
		{Style{}, "x"},
		{Style{Depth: Sixteen}, "\x1b[31mx\x1b[0m"},
		{Style{Depth: True}, "\x1b[38;2;255;156;148mx\x1b[0m"},
	} {
		if got := c.style.Paint(Removed, "x"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
