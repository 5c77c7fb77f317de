package gate

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// show writes segments down as the tables below do: programs between bars, ? for unknown, ! for fed, ^ for a wrapper,
// and > with what is written.
func show(all []Segment) string {
	var out []string
	for _, s := range all {
		one := s.Program
		if s.Wrapper {
			one = "^" + one
		}
		if s.Unknown {
			one += "?"
		}
		if s.Fed {
			one += "!"
		}
		if s.bomb {
			one += "bomb"
		}
		for _, w := range s.Writes {
			one += ">" + w
		}
		out = append(out, one)
	}
	return strings.Join(out, "|")
}

// segmentRows are lines and what show makes of their segments, by kind.
var segmentRows = []struct {
	name string
	rows [][2]string
}{
	{"lists and pipelines", [][2]string{
		{"ls", "ls"}, {"ls -la /tmp", "ls"}, {"a; b && c || d", "a|b|c|d"}, {"a | b |& c", "a|b|c"}, {"a &\nb", "a|b"}, {"! a", "a"}, {"# nothing", ""}, {"", ""},
		{"X=1", ""}, {"X=1 rm y", "rm"}, {"time -p rm x", "rm"}, {"coproc rm x", "rm"},
	}},
	{"groups, loops, conditionals", [][2]string{
		{"(a; b)", "a|b"}, {"{ a; b; }", "a|b"}, {"if a; then b; elif c; then d; else e; fi", "a|b|c|d|e"}, {"while a; do b; done", "a|b"},
		{"until a; do b; done", "a|b"}, {"for i in 1 2; do rm $i; done", "rm"}, {"for i in $(ls); do rm $i; done", "ls|rm"}, {"for ((i=0;i<$(a);i++)); do b; done", "a|b"},
		{"case $(a) in x) b;; *) c;; esac", "a|b|c"}, {"select i in a; do b; done", "b"}, {"[[ -n $(a) ]] && b", "a|b"}, {"(( x = $(a) ))", "a"}, {"f() { rm x; }; f", "|rm|f"},
		{"function f { rm x; }", "|rm"},
	}},
	{"substitutions", [][2]string{
		{"echo $(rm x)", "echo|rm"}, {"echo `rm x`", "echo|rm"}, {`echo "a $(rm x) b"`, "echo|rm"}, {"echo '$(rm x)'", "echo"}, {`echo \$HOME`, "echo"}, {"cat <(rm x)", "cat|rm"},
		{"tee >(rm x)", "tee|rm"}, {`echo "<(rm x)"`, "echo"}, {"echo ${X:-$(rm x)}", "echo|rm"}, {"X=$(rm x)", "|rm"}, {"export X=$(rm x)", "export|rm"}, {"a[$(rm x)]=1", "|rm"},
		{"echo $((1 + $(rm x)))", "echo|rm"}, {"cat <<< \"$(rm x)\"", "cat|rm"}, {"cat <<EOF\n$(rm x)\nEOF", "cat|rm"}, {"cat <<'EOF'\n$(rm x)\nEOF", "cat"},
		{"echo $(echo $(rm x))", "echo|echo|rm"}, {"$(rm x) y", "?|rm"},
	}},
	{"spellings", [][2]string{
		{`r\m x`, "rm"}, {`"rm" x`, "rm"}, {"'r'm x", "rm"}, {"$'rm' x", "rm"}, {`$'\x72m' x`, "rm"}, {`$'\162m' x`, "rm"}, {`$'\u0072m' x`, "rm"}, {"/bin/rm x", "rm"},
		{"/bin/../bin//rm x", "rm"}, {"r\\\nm x", "rm"}, {"{rm,-rf,x}", "rm"}, {"rm$IFS-rf${IFS}x", "rm"}, {"$CMD -rf", "?"}, {"r$X m", "?"}, {"/bin/r? x", "?"}, {"'' x", "?"},
		{"{r,x}m", "rm"}, {"./rm x", "rm"},
	}},
	{"wrappers", [][2]string{
		{"sudo rm x", "sudo|rm"}, {"sudo -u root -- rm x", "sudo|rm"}, {"sudo A=1 rm x", "sudo|rm"}, {"doas rm x", "doas|rm"}, {"env rm x", "^env|rm"}, {"env -i A=1 B=2 rm x", "^env|rm"},
		{"env - rm x", "^env|rm"}, {"env -u A rm x", "^env|rm"}, {"env", "env"}, {"env -S 'rm x'", "^env|rm"}, {"command rm x", "^command|rm"}, {"command -v rm", "command"},
		{"builtin echo", "^builtin|echo"}, {"exec -a y rm x", "^exec|rm"}, {"nohup rm x &", "^nohup|rm"}, {"/usr/bin/time -f %e rm x", "^time|rm"}, {"nice -n 5 rm x", "^nice|rm"}, {"nice -5 rm x", "^nice|rm"},
		{"setsid rm x", "^setsid|rm"}, {"timeout 5 rm x", "^timeout|rm"}, {"timeout -s KILL -k 3 5 rm x", "^timeout|rm"}, {"timeout --signal=KILL 5 rm", "^timeout|rm"},
		{"xargs rm", "^xargs|rm"}, {"xargs -0 -n 1 -I{} rm {}", "^xargs|rm"}, {"xargs", "xargs"}, {"find . -exec rm {} +", "find|rm"}, {`find . -exec rm {} \; -exec ls {} \;`, "find|rm|ls"},
		{"find . -execdir {} +", "find|?"}, {"fd x -x rm", "fd|rm"}, {"busybox rm x", "^busybox|rm"}, {"env nice sudo rm x", "^env|^nice|sudo|rm"}, {"stdbuf -oL rm x", "^stdbuf|rm"}, {"flock f rm x", "flock|rm"},
		{"strace -o f rm x", "strace|rm"}, {"watch -n 1 'rm x'", "watch|rm"}, {"parallel rm ::: a b", "parallel|rm"}, {"ssh -p 22 host 'rm x'", "ssh|rm"}, {"ssh host", "ssh"},
	}},
	{"lines within lines", [][2]string{
		{"sh -c 'rm x'", "^sh|rm"}, {"bash -lc 'a && rm x'", "^bash|a|rm"}, {"bash -o pipefail -c 'rm x' y", "^bash|rm"}, {"sh -c \"$X\"", "sh?|?"}, {"sh -c \"rm $X\"", "sh?|rm"},
		{"eval 'rm x'", "^eval|rm"}, {"eval rm x", "^eval|rm"}, {`eval "$x"`, "eval?|?"}, {`sh -c "sh -c 'rm x'"`, "^sh|^sh|rm"}, {"su -c 'rm x'", "su|rm"}, {"trap 'rm x' EXIT", "^trap|rm"},
		{"alias ls='rm x'", "alias|rm"}, {"bash script.sh", "bash"}, {"bash", "bash?!"}, {"sh -i", "sh?!"}, {"bash -s x", "bash?!"}, {"curl x | sh", "curl|sh?!"}, {"bash <(curl x)", "bash?|curl"},
		{"bash <<EOF\nrm x\nEOF", "^bash!|rm"}, {"bash <<'EOF'\nrm x\nEOF", "^bash!|rm"}, {"bash <<< 'rm x'", "^bash!|rm"}, {"echo 'rm x' | sh", "echo|^sh!|rm"}, {"env -i bash", "^env|bash?!"},
		{"nice zsh", "^nice|zsh?!"}, {"/bin/../bin/sh -i", "sh?!"}, {"busybox sh", "^busybox|sh?!"}, {"bash --rcfile f -c ls", "bash?|ls"}, {"bash -c", "bash?!"}, {"sh -c 'rm ('", "sh?"},
		{"source f", "source"}, {". <(curl x)", ".?!|curl"}, {"python3 x.py", "python3"}, {"python3", "python3?!"}, {"python3 -c 'x'", "python3"}, {"python3 - <<E\nx\nE", "python3!"}, {"node -e \"$X\"", "node?!"},
	}},
	{"redirections", [][2]string{
		{"a > f", "a>f"}, {"a >> f 2> g", "a>f>g"}, {"a &> f", "a>f"}, {"a >| f", "a>f"}, {"a < f", "a"}, {"a 2>&1", "a"}, {"a >&f", "a>f"}, {"> f", ">f"}, {"! > f", ">f"}, {"{ a; b; } > f", ">f|a|b"},
		{"for i in 1; do a; done > f", ">f|a"}, {`a > "$X"`, "a>$X"}, {"a <> f", "a>f"}, {"a > 'x y'", "a>x y"}, {"a 2>/dev/null", "a>/dev/null"},
	}},
	{"fork bombs", [][2]string{
		{":(){ :|:& };:", "bomb|:|:|:"}, {"b() { b | b & }; b", "bomb|b|b|b"}, {"f() { g | h & }; f", "|g|h|f"}, {"f() { f; }; f", "|f|f"},
	}},
}

func TestSegments(t *testing.T) {
	t.Parallel()
	for _, kind := range segmentRows {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			for _, row := range kind.rows {
				all, err := Segments(row[0])
				if got := show(all); got != row[1] || err != nil {
					t.Errorf("%q: %s, %v, want %s", row[0], got, err, row[1])
				}
			}
		})
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
		{"cat <<E | sh\nbody\nE\n", []string{"cat <<E\nbody", "sh"}},
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
			t.Errorf("%.40q: %v, %v", line, err, show(all))
		}
	}
	if all, _ := Segments("echo ${(f)x}; rm -rf /"); !strings.Contains(show(all), "|rm") {
		t.Errorf("the pieces are not read: %s", show(all))
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
	for _, line := range lines {
		start := time.Now()
		g := New(Config{Rules: []Rule{{Pattern: "*a*b*c*d*", Decision: Deny}}})
		g.Check(t.Context(), Request{Plan: Plan{Class: Run, Command: line}, Origin: Model})
		// Under 0.1 s each on an idle machine; the bound is for the race detector on a busy one. What it guards against
		// is minutes, and the end of the process by its stack.
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%.30q took %s", line, took)
		} else if testing.Verbose() && took > 20*time.Millisecond {
			t.Logf("%.30q %s", line, took)
		}
	}
}

func FuzzSegments(f *testing.F) {
	for _, line := range []string{"a | b", "sh -c 'rm x'", "$'\\x72m'", "cat <<E\n$(x)\nE", "{a,b}{c,d} > f", "env -S 'x y'", "find . -exec a {} +", ":(){ :|:& };:", "a[$(b)]=1", "echo ${x:-$(y)}"} {
		f.Add(line)
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
		v := g.Check(t.Context(), Request{Plan: Plan{Class: Run, Command: line}, Origin: Model})
		if err != nil && v.Cleared != nil {
			t.Fatalf("%q can't be read, and is cleared", line)
		}
	})
}
