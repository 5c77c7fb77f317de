package gate

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// show writes a segment down as testdata/segments.tsv does.
func show(s Segment) string {
	marks := ""
	for _, m := range []struct {
		holds bool
		mark  string
	}{{s.Wrapper, "^"}, {s.Unknown, "?"}, {s.Fed, "!"}, {s.bomb, "*"}, {s.loaded != "", "@"}, {s.more, "+"}} {
		if m.holds {
			marks += m.mark
		}
	}
	out := marks + " " + strings.Join(s.Words, " ")
	for _, w := range s.Writes {
		out += " >" + w
	}
	return strings.NewReplacer("\n", "⏎", "\t", "⇥").Replace(strings.TrimSpace(out))
}

// What runs in a line, with its words, by kind of construct: testdata/segments.tsv.
func TestSegments(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/segments.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for row := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if strings.HasPrefix(row, "#") || len(cells) < 2 {
			continue
		}
		rows++
		all, err := Segments(strings.NewReplacer("⏎", "\n", "⇥", "\t").Replace(cells[1]))
		got := make([]string, len(all))
		for i, s := range all {
			got[i] = show(s)
		}
		if !slices.Equal(got, cells[2:]) {
			t.Errorf("%s: %q runs\n  %q, want\n  %q (%v)", cells[0], cells[1], got, cells[2:], err)
		}
	}
	if rows < 150 {
		t.Errorf("%d lines", rows)
	}
}

func TestSegmentText(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		line  string
		texts []string
	}{
		{"git log && curl x | sh", []string{"git log", "curl x", "sh"}},
		{"env A=1 rm 'a b' > f", []string{"env A=1 rm 'a b' > f", "rm 'a b'"}},
		{"cat <<E | sh\nbody\nE\n", []string{"cat <<E\nbody", "sh", "body"}},
		{"sh -c 'rm x; ls'", []string{"sh -c 'rm x; ls'", "rm x", "ls"}},
		{"find . -exec rm {} + -print", []string{"find . -exec rm {} + -print", "rm {}"}},
	} {
		all, err := Segments(row.line)
		var texts []string
		for _, s := range all {
			texts = append(texts, s.Text)
		}
		if strings.Join(texts, "\x00") != strings.Join(row.texts, "\x00") || err != nil {
			t.Errorf("%q: %q, %v", row.line, texts, err)
		}
	}
}

func TestLineThatCannotBeReadIsOneUnknownSegmentFirst(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"echo 'x", "rm -rf / (", "a | | b", "if a; then", "echo ${(f)x}; rm -rf /", strings.Repeat("a ", maxLine)} {
		all, err := Segments(line)
		if err == nil || len(all) == 0 || !all[0].Unknown || all[0].Text != strings.TrimSpace(line) {
			t.Errorf("%.40q: %v, %v", line, err, all)
		}
	}
	all, _ := Segments("echo ${(f)x}; rm -rf /")
	if !slices.ContainsFunc(all, func(s Segment) bool { return s.Program == "rm" }) {
		t.Errorf("the pieces are not read: %v", all)
	}
}

func TestHostileLinesEndSoon(t *testing.T) {
	t.Parallel()
	eval := "x"
	for range 12 {
		eval = "eval \"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`").Replace("a $(b); "+eval) + "\""
		if len(eval) > maxLine {
			break
		}
	}
	lines := []string{strings.Repeat("(", 200_000), eval, strings.Repeat("{a,b}", 3000), "rm " + strings.Repeat("{a,b}", 3000), strings.Repeat("env ", 4000), strings.Repeat("a;", 8000)}
	for _, piece := range []string{"(", "((", "$(", "`", "${a:-", "\"$(", "if ", "while a;do ", "! ", "[[ ( ", "$((a[", "{ ", "a|", "a&&", "sh -c '", "eval ", "xargs ", "<<a\n", "case x in a) ", "')'(", "a=(", "f() ", "time ", "sudo ", "*"} {
		lines = append(lines, strings.Repeat(piece, maxLine/len(piece)), strings.Repeat(piece, 100))
	}
	lines = append(lines, hostileArguments()...)
	for _, line := range lines {
		start := time.Now()
		g := New(Config{Home: "/usr", Rules: []Rule{{Pattern: "*a*b*c*d*", Decision: Deny}, {Family: "read", Pattern: "**/a*b*c/**", Decision: Deny}, {Family: "edit", Pattern: "~/x/**", Decision: Deny}}})
		g.Check(t.Context(), Request{Plan: Plan{Class: Run, Command: line, Directory: "/usr/share"}, Origin: Model})
		// What this guards against is minutes, and the end of the process by its stack: go test's own time limit is the bound.
		if testing.Verbose() {
			t.Logf("%.30q %s", line, time.Since(start))
		}
	}
}

// hostileArguments are lines of maxLine bytes that make the most of what is read out of arguments, and of what is looked
// for in them.
func hostileArguments() []string {
	fill := func(head, piece, tail string) string {
		return head + strings.Repeat(piece, (maxLine-len(head)-len(tail))/len(piece)) + tail
	}
	wrapped, vars := strings.Repeat("env ", maxWrappers), strings.Repeat("X=/;", maxVars)
	return []string{
		fill(wrapped+"python3 -c 'system(", "`a ", ")'"), fill(wrapped+"cp ", ".git/*/", ""), fill(vars+"cp ", "$X ", "y"), fill(vars+wrapped+"cp ", "$X ", "y"), fill(vars, "rm -r $X;", ""),
		fill("cd "+strings.Repeat("a/", maxLine/4)+"; cp ", "a ", "y"), fill("cp .g", "*", "b/hooks"), fill("f(){ ", "f;", "}"), fill("", "a(){ b;};b(){ a;};", ""),
		fill("hyperfine ", "'a b' ", ""), fill("parallel ::: ", "'a b' ", ""), fill("tmux send ", "a ", ""), fill("awk '", "\"a\"|", "'"), fill("sed '", "1e a;", "'"), fill("perl -e '", "fork while rmtree(\"/a\");", "'"),
		fill("vim ", "-c '!a' ", ""), fill("sh -c '", "sh -c a;", "'"), fill("docker exec ", "docker exec ", ""), fill("", "echo a|sh;", ""), fill("", "ssh h<<<a;", ""), fill("env ", "PAGER=a ", "x"), fill("printf '", "%s", "' a b | sh"),
		fill("xargs -I% ", "% ", ""), fill("cat ", "*/*/*/* ", ""), fill("", "cd */x;", "cat *"), fill("cat ", "../", "x"), fill("cat ", "/usr/share/../share/a ", ""), fill("", "cd a||cd b;", "cat x"), fill("", "cd a&&", "cat ../x"), fill("cat ", "a/", "x"), fill("cat ", "--a=/x,@/y:/z=", ""),
		fill("cd /usr;cd share;cat ", "/etc/*a*/*b* ", ""), fill("", "f(){ cd a; cat b; };", ""), fill(vars+"cat ", "$X$X$X/y ", ""), fill("for i in a; do ", "cd b; cat c;", " done"), strings.Repeat("env -C a -C b ", maxWrappers) + "cat x", fill("python3 -c '", "\"/usr/a\",", "'"), strings.Repeat("{ a|", maxNesting-2) + "a;" + strings.Repeat("}", maxNesting-2),
	}
}

func FuzzSegments(f *testing.F) {
	for _, line := range []string{"a | b", "sh -c 'rm x'", "$'\\x72m'", "cat <<E\n$(x)\nE", "{a,b}{c,d} > f", "env -S 'x y'", "find . -exec a {} +", ":(){ :|:& };:", "a[$(b)]=1", "echo ${x:-$(y)}"} {
		f.Add(line)
	}
	for _, lines := range deniedRows {
		for _, line := range lines {
			f.Add(line)
		}
	}
	g := New(Config{Rules: []Rule{{Pattern: "*", Decision: Allow}}, Home: "/home/x"})
	f.Fuzz(func(t *testing.T, line string) {
		all, err := Segments(line)
		if errors.Is(err, errPanic) {
			t.Fatalf("%q makes the parser panic", line)
		}
		if err != nil && (len(all) == 0 || !all[0].Unknown) {
			t.Fatalf("%q can't be read, and isn't unknown", line)
		}
		v := g.Check(t.Context(), Request{Plan: Plan{Class: Run, Command: line, Directory: "/home/x/src"}, Origin: Model})
		if err != nil && v.Cleared != nil {
			t.Fatalf("%q can't be read, and is cleared", line)
		}
	})
}
