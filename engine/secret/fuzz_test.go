package secret

import (
	"strings"
	"testing"
)

// FuzzMask: what was masked is not masked again, wherever a text is cut it gives the same, lines stay lines, a text grows by no
// more than its masks are longer, and no value is left.
func FuzzMask(f *testing.F) {
	shapes, places := readRules(ruleText)
	for _, r := range append(shapes, places...) {
		for _, text := range append(r.masks, r.leaves...) {
			f.Add(strings.NewReplacer("«", "", "»", "").Replace(text), 7)
		}
	}
	for _, entry := range planted() {
		f.Add(entry, 3)
	}
	f.Add(pem, 11)
	f.Add("[secret:swordfishes] [secret:PASSWORD] password=\"[secret:X]y1z2w3\"", 5)
	f.Add("AKIAIOSFODNN7EXAMPLE-----BEGIN PRIVATE KEY-----AKIAIOSFODNN7EXAMPLE", 2)
	f.Add("ghp_16C7e42F292c6912E7710c838347Ae178B4aswordfishes Authorization: Bearer swordfishes:swordfishes", 9)
	f.Add("-----BEGIN PRIVATE KEY-----00000000-00000", 4)
	f.Add("-----BEGIN 000 PRIVATE KEY-----\n\n2000000000000000000000000 "+strings.Repeat("0", 64)+"-----END", 5)
	m := New(planted())
	f.Fuzz(func(t *testing.T, text string, n int) {
		masked := m.Text(text)
		if again := m.Text(masked); again != masked {
			t.Errorf("%q\nmasked %q\n again %q", text, masked, again)
		}
		n = max(n%64, -n%64) + 1
		if got, held := pieces(m, text, n); got != masked || held > 4*maxHeld {
			t.Errorf("%q in pieces of %d, %d held\n got %q\nwant %q", text, n, held, got, masked)
		}
		if strings.Count(masked, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q has other lines: %q", text, masked)
		}
		if len(masked) > 20*len(text)+100 {
			t.Errorf("%d bytes became %d", len(text), len(masked))
		}
		for _, value := range []string{"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "correct horse/battery&staple", "Pa55word!x"} {
			if strings.Contains(masked, value) {
				t.Errorf("%q holds %q", masked, value)
			}
		}
	})
}
