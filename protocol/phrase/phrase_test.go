package phrase

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"wisp/protocol"
)

func TestEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		e    Ended
		want string
	}{
		{Ended{Lines: 2, Bytes: 9}, "↳ exit 0"},
		{Ended{}, "↳ exit 0 (no output)"},
		{Ended{ExitStatus: 3, Lines: 1, Bytes: 1}, "↳ exit 3"},
		{Ended{ExitStatus: -15, Stopped: true}, "↳ exit -15 (stopped by you)"},
		{Ended{ExitStatus: -15, Stopped: true, Lines: 3, Outside: true}, "↳ exit -15 (stopped by you)"},
		{Ended{ExitStatus: -9, Lines: 1}, "↳ exit -9 (killed by signal 9)"},
		{Ended{ExitStatus: -15, TimedOut: true, TimeoutSeconds: 60.003, Lines: 1}, "↳ exit -15 (timed out after 60 s)"},
		{Ended{ExitStatus: -15, TimedOut: true, TimeoutSeconds: 1.5}, "↳ exit -15 (timed out after 1.5 s, no output)"},
		{Ended{Left: 2, Lines: 1}, "↳ exit 0 (2 processes still run)"},
		{Ended{Left: 1}, "↳ exit 0 (no output, 1 process still runs)"},
		{Ended{Binary: true, Bytes: 4096}, "↳ exit 0 (binary output, 4096 bytes, not shown)"},
		{Ended{Outside: true, Lines: 1}, "↳ exit 0 (outside the sandbox)"},
		{Ended{Denied: true, Rule: "rm -rf /"}, "↳ not run: denied by the rule `rm -rf /`"},
		{Ended{Denied: true}, "↳ not run: denied"},
		{Ended{Failure: "/bin/zz: no such file"}, "↳ not run: /bin/zz: no such file"},
	} {
		if got := c.e.Line(); got != c.want {
			t.Errorf("%+v\n got %q\nwant %q", c.e, got, c.want)
		}
	}
}

func TestCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, arguments, want string }{
		{"shell", `{"command":"go test ./..."}`, "shell go test ./..."},
		{"shell", `{"command":"one\ntwo"}`, "shell one …"},
		{"read_file", `{"path":"README.md","limit":3}`, "read_file README.md"},
		{"search_files", `{"pattern":"TODO","path":"src"}`, "search_files TODO in src"},
		{"odd", `{"b":2,"a":"x"}`, "odd a=x b=2"},
		{"odd", `{}`, "odd"},
		{"odd", ``, "odd"},
		{"odd", `"not json {"`, "odd not json {"},
		{"shell", `{"command":"echo \u001b]52;c;x\u0007"}`, "shell echo ␛]52;c;x␇"},
	} {
		if got := Call(c.tool, json.RawMessage(c.arguments)); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
	if got := Call("shell", json.RawMessage(`{"command":"`+strings.Repeat("語", 500)+`"}`)); width(got) > callColumns {
		t.Errorf("%d columns", width(got))
	}
}

func TestResult(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		got, want string
	}{
		{Result("read_file", false, false, 120, 999, "x"), "↳ 120 lines"},
		{Result("read_file", false, false, 1, 9, "x"), "↳ 1 line"},
		{Result("read_file", false, false, 0, 0, ""), "↳ no output"},
		{Result("read_file", true, false, 2, 9, "no such file\n"), "↳ failed: no such file"},
		{Result("read_file", true, false, 0, 0, ""), "↳ failed"},
		{Result("shell", true, true, 2, 9, "x"), "↳ stopped by you"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestWorking(t *testing.T) {
	t.Parallel()
	doing := func(s string) *string { return &s }
	pull := Running("ollama pull " + strings.Repeat("x", 90))
	for _, c := range []struct {
		a       protocol.Activity
		elapsed time.Duration
		columns int
		want    string
	}{
		{protocol.Activity{}, 0, 80, ""},
		{protocol.Activity{Doing: doing("running make"), Stoppable: true}, 42 * time.Second, 80, "… 42 s · running make · Ctrl-C stops it"},
		{protocol.Activity{Doing: doing(Thinking)}, 65 * time.Second, 80, "… 1 min 5 s · thinking"},
		{protocol.Activity{Doing: doing(StoppingCommand), Stopping: true}, 0, 80, "… stopping … · Ctrl-C again quits"},
		{protocol.Activity{Doing: doing("running x"), Stopping: true}, 0, 80, "… stopping … · Ctrl-C again quits"},
		{protocol.Activity{Doing: doing(StoppingTurn), Stopping: true}, 0, 80, "stopping the turn · Ctrl-C again quits"},
		{protocol.Activity{Doing: doing(pull), Stoppable: true}, time.Second, 60, "… 1 s · running ollama pull xxxxxxxxxxxxx… · Ctrl-C stops it"},
		{protocol.Activity{Doing: doing("running make all"), Stoppable: true}, time.Second, 20, "… 1 s · running mak…"},
	} {
		got := Working(c.a, c.elapsed, c.columns)
		if got != c.want || width(got) > c.columns {
			t.Errorf("got %q (%d), want %q", got, width(got), c.want)
		}
	}
	if got := Running("git status --short"); got != "running git status --short" {
		t.Error(got)
	}
	if got := Running("for x in 1 2\ndo echo\ndone"); got != "running for x in 1 2 …" {
		t.Error(got)
	}
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d\n", i+1)
	}
	return b.String()
}

func TestFold(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 5000)
	for _, c := range []struct {
		name, text, shown, rest string
	}{
		{"empty", "", "", ""},
		{"short", "a\nb\n", "a\nb\n", ""},
		{"twenty", lines(20), lines(20), ""},
		{"one more", lines(21), lines(20), "… 1 more line, 54 bytes in all: /show 8a7b6c5d"},
		{"more", lines(104), lines(20), "… 84 more lines, 308 bytes in all: /show 8a7b6c5d"},
		{"no newline", lines(20) + "x", lines(20), "… 1 more line, 52 bytes in all: /show 8a7b6c5d"},
		{"long line", long, long[:2048], "… 1 more line, 10000 bytes in all: /show 8a7b6c5d"},
		{"whole lines", strings.Repeat("x", 1500) + "\n" + strings.Repeat("y", 1500) + "\n", strings.Repeat("x", 1500) + "\n", "… 1 more line, 3002 bytes in all: /show 8a7b6c5d"},
	} {
		n := int64(strings.Count(c.text, "\n"))
		if c.text != "" && !strings.HasSuffix(c.text, "\n") {
			n++
		}
		s := protocol.Stored{ID: "8a7b6c5d9999", Text: c.text, Lines: n, Bytes: int64(len(c.text)), ShownLines: 20}
		shown, rest := Fold(s)
		if shown != c.shown || rest != c.rest {
			t.Errorf("%s: got %q, %q", c.name, shown, rest)
		}
	}
	shown, rest := Fold(protocol.Stored{ID: "abcd", Text: "a\n", Lines: 90, Bytes: 900, Truncated: true})
	if shown != "a\n" || rest != "… 89 more lines, 900 bytes in all: /show abcd" {
		t.Error(shown, rest)
	}
}

// However an output is cut into pieces, the same of it is shown, but that a long last line may show its start.
func TestFolderPieces(t *testing.T) {
	t.Parallel()
	for _, text := range []string{lines(3), lines(200), "a\n\nb", strings.Repeat("é", 3000), lines(19) + strings.Repeat("é", 3000)} {
		want := ""
		for size := len(text); size > 0; size = size * 2 / 3 {
			var f Folder
			got := ""
			for at := 0; at < len(text); {
				end := min(at+size, len(text))
				for end < len(text) && !utf8.RuneStart(text[end]) {
					end++
				}
				got += f.Add(text[at:end])
				at = end
			}
			if want == "" {
				want = got
			}
			if !strings.HasPrefix(got, want) || len(got) > foldBytes || strings.Count(got, "\n") > foldLines {
				t.Fatalf("pieces of %d: %d bytes shown, want %d", size, len(got), len(want))
			}
		}
	}
}

func TestFolderTail(t *testing.T) {
	t.Parallel()
	var f Folder
	f.Add(lines(23))
	f.Add("24\n2")
	f.Add("5\x1b[31m\nLAST")
	n, last := f.Held()
	if n != 6 || last != "LAST" {
		t.Errorf("held %d %q", n, last)
	}
	if got := strings.Join(f.Tail(), "|"); got != "22|23|24|25␛[31m|LAST" {
		t.Error(got)
	}
	if got := f.Rest(nil); got != "… 6 more lines, 75 bytes in all" {
		t.Error(got)
	}
	for range 1000 {
		f.Add(strings.Repeat("z", 5000))
	}
	if n := len(strings.Join(f.last, "")); n > 7*tailBytes {
		t.Errorf("%d bytes kept", n)
	}
}

func TestQuestion(t *testing.T) {
	t.Parallel()
	got := Question(protocol.Approval{
		Title: "Run command", Level: "high", Command: "git push --force", Line: "git add . && git push --force",
		Directory: "/src/\x1b]0;x\x07", Reasons: []string{"rewrites what others have"}, Pattern: "git push *", Detail: "two\nrows",
	})
	want := []string{
		"Run command? (high risk)", "  git push --force", "  because: rewrites what others have", "  directory: /src/␛]0;x␇",
		"  in the line: git add . && git push --force", "  remembered as: git push *", "  two", "  rows",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	long := "cat >x <<'E'\nrow\nE"
	got = Question(protocol.Approval{Command: long, Line: long + "\n", Pattern: long})
	if n := strings.Count(strings.Join(got, "\n"), "row"); n != 1 || !strings.Contains(strings.Join(got, "\n"), "exactly this command") {
		t.Errorf("a command of rows is said %d times: %q", n, got)
	}
	for key, want := range map[rune]string{'y': "once", 's': "session", 'p': "project", 'a': "always", 'n': "no", 'x': "", '\r': ""} {
		if Decision(key) != want {
			t.Errorf("%q", key)
		}
	}
}

func TestColours(t *testing.T) {
	t.Parallel()
	for _, p := range []Palette{Dark, Light} {
		for r := Deep; r <= Border; r++ {
			pair, need := p.Pair(r), 4.5
			switch r {
			case Border:
				need = 3
			case Outside:
				need = 7
			}
			if got := Contrast(pair.Text, pair.Ground); got < need {
				t.Errorf("palette %d role %d: contrast %.2f, need %.1f", p, r, got, need)
			}
		}
		for _, command := range []Role{Command, CommandSent, Outside} {
			if d := Distance(p.Pair(command).Ground, p.Pair(Amber).Ground); d < 20 {
				t.Errorf("palette %d: role %d is %.1f from amber", p, command, d)
			}
		}
	}
	if got := (Style{}).Paint(Command, ">"); got != ">" {
		t.Errorf("%q", got)
	}
	if got := (Style{Depth: Sixteen}).Paint(Command, ">"); got != "\x1b[30;43m>\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := (Style{Depth: True}).Paint(Command, ">"); got != "\x1b[38;2;0;0;0;48;2;232;181;119m>\x1b[0m" {
		t.Errorf("%q", got)
	}
}

func harmless(s string) bool {
	for _, r := range s {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0x2029 {
			return false
		}
	}
	return utf8.ValidString(s)
}

func TestInert(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain\ttext\n":         "plain\ttext\n",
		"a\r\nb\rc":             "a\nb␍c",
		"\x1b]52;c;eA==\x07":    "␛]52;c;eA==␇",
		"\u009b6n \x7f":         "�6n ␡",
		"\xff":                  "�",
		"a\u202eb\u2066c\u200f": "a�b�c",
		"👨‍👩‍👧 é 語":             "👨‍👩‍👧 é 語",
	} {
		if got := Inert(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// FuzzHarmless holds the package's two rules for whatever a model or a program sends.
func FuzzHarmless(f *testing.F) {
	f.Add("\x1b]0;x\x07\u202e\u009b", 10)
	f.Add("語語語\nab", 3)
	f.Fuzz(func(t *testing.T, s string, columns int) {
		columns %= 300
		doing := s
		raw, _ := json.Marshal(map[string]string{"command": s, "path": s})
		for _, got := range []string{
			Inert(s), Call(s, raw), Call(s, json.RawMessage(s)), Running(s), Result(s, true, false, 1, 1, s),
			Ended{Denied: true, Rule: s}.Line(), Ended{Failure: s}.Line(),
			strings.Join(Question(protocol.Approval{Title: s, Level: s, Command: s, Line: s + s, Directory: s, Reasons: []string{s}, Pattern: s, Detail: s}), "\n"),
		} {
			if !harmless(got) {
				t.Fatalf("%q", got)
			}
		}
		for _, row := range []string{Row(s, columns), Working(protocol.Activity{Doing: &doing, Stoppable: true}, 0, columns)} {
			if !harmless(row) || strings.Contains(row, "\n") || columns > 0 && width(row) > columns {
				t.Fatalf("%q in %d columns", row, columns)
			}
		}
		shown, rest := Fold(protocol.Stored{ID: s, Text: s, Lines: 1, Bytes: 1})
		if !harmless(shown + rest) {
			t.Fatalf("%q %q", shown, rest)
		}
	})
}
