package phrase

import "testing"

// TestIndexed holds the nearest of 256 colours to what the colours themselves are held to: they can be read, and a command isn't
// taken for a warning.
func TestIndexed(t *testing.T) {
	t.Parallel()
	near := func(c RGB) RGB { return unindexed(indexed(c)) }
	for _, palette := range []Palette{Dark, Light} {
		roles := []Role{Deep, Dimmed, Closed, Sent, Command, CommandSent, Outside, OutsideSent, Amber, Faint, Failure, Border}
		for r := Heading; r <= Removed; r++ {
			roles = append(roles, r)
		}
		for _, r := range roles {
			p := palette.Pair(r)
			ground := p.Ground
			if !p.OnTerminal {
				ground = near(p.Ground)
			}
			least := 4.5
			if r == Border {
				least = 3
			}
			if c := Contrast(near(p.Text), ground); c < least {
				t.Errorf("palette %d, role %d: contrast %.2f of %v on %v", palette, r, c, near(p.Text), ground)
			}
		}
		if d := Distance(near(palette.Pair(Command).Ground), near(palette.Pair(Amber).Ground)); d < 20 {
			t.Errorf("palette %d: command and amber are %.1f apart", palette, d)
		}
	}
	for n := cubeStart; n < greyStart+greys; n++ {
		if got := unindexed(indexed(unindexed(n))); got != unindexed(n) {
			t.Errorf("%d is %v, and comes back as %v", n, unindexed(n), got)
		}
	}
}
