package secret

import (
	"regexp"
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	shapes, places := readRules(ruleText)
	all := append(shapes, places...)
	if len(shapes) < 50 || len(places) < 10 {
		t.Fatalf("%d and %d rules", len(shapes), len(places))
	}
	m := New(nil)
	for _, r := range all {
		if len(r.keywords) == 0 || r.pattern == "" || len(r.masks) == 0 && !r.key || len(r.leaves) == 0 || r.name != markName(r.name) {
			t.Errorf("%s lacks something", r.name)
		}
		if _, err := regexp.Compile(r.pattern); err != nil {
			t.Errorf("%s: %v", r.name, err)
		}
		switch r.test {
		case "", "given", "password", "random", "mixed", keyBody:
		default:
			t.Errorf("%s: there is no test %q", r.name, r.test)
		}
		switch r.after {
		case "", "any", "digit":
		default:
			t.Errorf("%s: after %q", r.name, r.after)
		}
		for _, k := range r.keywords {
			if len(k) < shortest {
				t.Errorf("%s: the keyword %q is too short", r.name, k)
			}
		}
		for _, sample := range r.masks {
			before, rest, _ := strings.Cut(sample, "«")
			_, after, ok := strings.Cut(rest, "»")
			text := strings.NewReplacer("«", "", "»", "").Replace(sample)
			if want := before + "[secret:" + r.name + "]" + after; !ok || m.Text(text) != want {
				t.Errorf("%s: %s\n got %s\nwant %s", r.name, text, m.Text(text), want)
			}
		}
		for _, text := range r.leaves {
			if got := m.Text(text); got != text {
				t.Errorf("%s: %s\n got %s", r.name, text, got)
			}
		}
	}
}

// The filter lets a text through up to the first word, so no keyword may go on into a mask that a pass before its own wrote.
func TestNoKeywordHoldsAMask(t *testing.T) {
	t.Parallel()
	shapes, places := readRules(ruleText)
	for _, r := range append(shapes, places...) {
		for _, k := range r.keywords {
			if strings.Contains(k, markStart[:1]) {
				t.Errorf("%s: %q", r.name, k)
			}
		}
	}
}
