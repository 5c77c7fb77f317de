package gate

import (
	"os"
	"strings"
	"testing"
	"time"
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

// labelled is a row of testdata/risk.tsv.
type labelled struct {
	want Level
	line string
	held bool // nothing was ever tuned for it
}

// labels reads testdata/risk.tsv.
func labels(t testing.TB) []labelled {
	t.Helper()
	data, err := os.ReadFile("testdata/risk.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	for row := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if want := levels[cells[0]]; want != Unrated {
			out = append(out, labelled{want, cells[1], len(cells) > 2 && cells[2] == "held"})
		}
	}
	return out
}

// score is how a set of labelled commands was rated.
type score struct{ rows, exact, over, under, readers, readersOver int }

// count takes one row.
func (s *score) count(want, got Level) {
	s.rows++
	switch {
	case got == want:
		s.exact++
	case got > want:
		s.over++
	default:
		s.under++
	}
	if want == Low {
		s.readers++
		if got > Low {
			s.readersOver++
		}
	}
}

// No command labelled high is rated low, ever; no command of the tuned rows that changes anything is; and few are rated
// otherwise than they are labelled. What is held out is counted, and named only where it breaks the first rule: whoever
// reads how the others are rated would tune for them.
func TestRiskTable(t *testing.T) {
	t.Parallel()
	var tuned, held score
	for _, row := range labels(t) {
		got := rateLine(row.line)
		if row.held {
			held.count(row.want, got)
		} else {
			tuned.count(row.want, got)
		}
		switch {
		case row.want == High && got == Low, !row.held && row.want > Low && got == Low:
			t.Errorf("%s is %v, and is rated low", row.line, row.want)
		case !row.held && got != row.want:
			t.Logf("%s is %v, and is rated %v", row.line, row.want, got)
		}
	}
	t.Logf("tuned: %+v; held out: %+v", tuned, held)
	if rows := tuned.rows + held.rows; rows < 400 || held.rows*4 < rows {
		t.Errorf("%d commands, %d of them held out", rows, held.rows)
	}
	if tuned.exact*100 < tuned.rows*98 || tuned.readersOver*100 > tuned.readers*4 {
		t.Errorf("%d of %d exact, %d of %d readers over-rated", tuned.exact, tuned.rows, tuned.readersOver, tuned.readers)
	}
	if held.exact*100 < held.rows*90 {
		t.Errorf("held out: %d of %d exact", held.exact, held.rows)
	}
}

// BenchmarkRisk rates the whole table, and reports in percent how well.
func BenchmarkRisk(b *testing.B) {
	rows := labels(b)
	var tuned, held score
	for b.Loop() {
		tuned, held = score{}, score{}
		for _, row := range rows {
			got := rateLine(row.line)
			if row.held {
				held.count(row.want, got)
			} else {
				tuned.count(row.want, got)
			}
		}
	}
	for name, s := range map[string]score{"tuned": tuned, "held": held} {
		b.ReportMetric(percent(s.exact, s.rows), name+"-exact-%")
		b.ReportMetric(percent(s.over, s.rows), name+"-over-%")
		b.ReportMetric(percent(s.under, s.rows), name+"-under-%")
		b.ReportMetric(percent(s.readersOver, s.readers), name+"-readers-over-%")
	}
}

// Whatever the line: its rating ends soon; what is unknown is at least moderate, and no allow rule covers it; what writes
// is at least moderate; and a group around a line changes nothing of its rating.
func FuzzRisk(f *testing.F) {
	for _, row := range labels(f) {
		f.Add(row.line)
	}
	g := New(Config{Rules: []Rule{{Pattern: "*", Decision: Allow}}, Home: "/home/x"})
	f.Fuzz(func(t *testing.T, line string) {
		start := time.Now()
		all := g.judge(Plan{Class: Run, Command: line, Directory: "/home/x/src"})
		forbidden(plainSegments(all), "/home/x/src", "/home/x")
		if took := time.Since(start); took > 10*time.Second {
			t.Fatalf("%.60q took %s", line, took)
		}
		if len(all) > 4*maxSegments {
			t.Fatalf("%d segments of %.60q", len(all), line)
		}
		level := Unrated
		for _, s := range all {
			level = max(level, s.level)
			if s.level == Unrated || s.level > Low && len(s.reasons) == 0 {
				t.Fatalf("%.60q: %q is %v without a reason", line, s.Text, s.level)
			}
			if s.Unknown && (s.level < Moderate || s.decision == Allow) {
				t.Fatalf("%.60q: %q is unknown, and %v, %v", line, s.Text, s.level, s.decision)
			}
			if len(effective(s.Writes)) > 0 && s.level < Moderate {
				t.Fatalf("%.60q: %q writes, and is low", line, s.Text)
			}
		}
		if _, err := Segments(line); err == nil && level > Low && len(line) < 1000 {
			if got := rateLine("{\n" + line + "\n}"); got < level && !strings.Contains(line, "<<") {
				t.Fatalf("%q is %v, and %v in a group", line, level, got)
			}
		}
	})
}

// percent is a share of a whole.
func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(1, whole)) }

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
