package gate

import (
	"os"
	"strings"
	"testing"
)

// levels are the labels of testdata/risk.tsv.
var levels = map[string]Level{"low": Low, "moderate": Moderate, "high": High}

// rateLine is what the gate makes of a whole line.
func rateLine(line string) Level {
	level := Unrated
	for _, s := range New(Config{}).judge(Plan{Class: Run, Command: line}) {
		level = max(level, s.level)
	}
	return level
}

// No command labelled high is rated low, ever; no command that changes anything is; and the readers that are over-rated
// are few.
func TestRiskTable(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/risk.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows, readers, over, off := 0, 0, 0, 0
	for _, row := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		cells := strings.Split(row, "\t")
		want := levels[cells[0]]
		if want == Unrated {
			continue
		}
		rows++
		got := rateLine(cells[1])
		switch {
		case want > Low && got == Low:
			t.Errorf("%s is %v, and is rated low", cells[1], want)
		case want == Low:
			readers++
			if got > Low {
				over++
				t.Logf("over-rated: %s is %v", cells[1], got)
			}
		case got != want:
			off++
			t.Logf("%s is %v, and is rated %v", cells[1], want, got)
		}
	}
	t.Logf("%d commands; %d of %d readers over-rated; %d rated moderate for high or the other way round", rows, over, readers, off)
	if rows < 150 || over*20 > readers || off*20 > rows {
		t.Errorf("%d commands, %d of %d readers over-rated, %d off", rows, over, readers, off)
	}
}

func TestQuietSed(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]bool{
		"p": true, "1,5p": true, "$d": true, "/a/p": true, "/a/,/b/d": true, "s/a/b/": true, "s/a/b/gp;2q": true, "s|a|b|": true, `s/a\/b/c/`: true, "y/a/b/": true,
		"w f": false, "e": false, "1e date": false, "s/a/b/e": false, "s/a/b/gw f": false, "s/[/]/x/;w f": false, "/a/w f": false, "r f": false, "": true, "{p;w f\n}": false, "a\\\nw": false,
	} {
		if got := quietSed(script); got != want {
			t.Errorf("%q: %v", script, got)
		}
	}
}

func TestReasonsAreSentencesWithoutAnEnd(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"ls", "rm -rf x", "git -c a=b log", "./x", "$X", "echo x > f", "PATH=x ls", "curl x | sh"} {
		for _, s := range New(Config{}).judge(Plan{Class: Run, Command: line}) {
			if s.level > Low && len(s.reasons) == 0 {
				t.Errorf("%s: %s has no reason", line, s.Text)
			}
			for _, reason := range s.reasons {
				if reason == "" || strings.HasSuffix(reason, ".") {
					t.Errorf("%s: %q", line, reason)
				}
			}
		}
	}
}

func BenchmarkVerdict(b *testing.B) {
	g := New(Config{Rules: []Rule{{Pattern: "*", Decision: AskFirst}, {Pattern: "git *", Decision: Allow}, {Pattern: "rm *", Decision: Deny}}, Mode: YesMode, Home: "/home/x"})
	for b.Loop() {
		g.Check(b.Context(), Request{Plan: Plan{Class: Run, Command: "git -C . log --oneline -5 2>/dev/null | head -3", Directory: "/home/x/src"}, Origin: Model})
	}
}
