package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"wisp/golden/terminal"
)

// own says whether a control is one that wisp itself writes, whatever it shows.
func own(control string) bool {
	if slices.Contains([]string{"CR", "LF", "ESC 7", "ESC 8", "OSC 11;?", "OSC 8;;"}, control) {
		return true
	}
	for _, pattern := range []string{
		`^CSI [\d;:]*m$`,                           // colours
		`^CSI \d*[ABCDGHJKdSX]$`, `^CSI \d+;\d+H$`, // movement and erasing
		`^CSI \?(7|25|1004|1049|2004|2026|2027)[hl]$`,     // modes
		`^CSI (>4;2m|>4m|>1u|<1u|22;0t|23;0t)$`,           // the keyboard, the title's stack
		`^CSI (>0?q|\?\d+\$p|\?u|c|\?996n)$`,              // questions
		`^OSC 2;[?… ]*wisp · [^\x00-\x1f\x7f]*$`,          // the title
		`^OSC 8;[^;]*;(https?://|mailto:|file://)[ -~]*$`, // a link
		`^OSC 9;4;[03]`, // progress
	} {
		if regexp.MustCompile(pattern).MatchString(control) {
			return true
		}
	}
	return false
}

// harmless checks that a face wrote no controls but its own.
func (f *face) harmless() {
	f.t.Helper()
	raw := f.Raw()
	seen := map[string]bool{}
	for _, control := range terminal.Controls(raw) {
		if !own(control) && !seen[control] {
			seen[control] = true
			f.t.Errorf("wrote the control %.200q", control)
		}
	}
	if !utf8.Valid(raw) {
		f.t.Error("wrote what is no UTF-8")
	}
	for _, r := range "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff" {
		if strings.ContainsRune(string(raw), r) {
			f.t.Errorf("wrote %U", r)
		}
	}
}

// hostile are texts that would drive a terminal.
func hostile() []string {
	return []string{
		"plain", "\x1b[2J\x1b[H\x1b[31mred\x1b[0m", "\x1b]52;c;ZXZpbA==\x07", "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\",
		"\x1b]0;title\x07\x1b]2;title\x1b\\", "\x1bPq#0;2;0;0;0\x1b\\\x1bP$q\"p\x1b\\", "\x1b[6n\x1b[c\x1b[>q\x1b[?2026$p\x1b[21t",
		"\x1bc\x1b(0\x1b#8\x1b=\x1b[?1049h\x1b[?1000h\x1b[?1006h", "\x1b_Gi=1;AAAA\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\",
		"\u009b31m\u009d0;t\u009c\u0090q\u009c\u0085\u0084", "a\x00b\x07c\x08d\x0be\x0cf\x0eg\x0fh\x7fi", "line\r\nover\rwritten\r",
		"\u202eevil\u202c \u2066x\u2069 \u200f\u200b\ufeff\u2028\u2029", "\x1b", "\x1b[", "\x1b]", "\x1b]0;never ends", "\x1b[999999999b\x1b[999999999I",
		"\x1b]9;4;1;50\x07\x1b]777;notify;a;b\x07\x1b]99;;x\x1b\\", strings.Repeat("x", 20_000), strings.Repeat("\x1b[A", 3000),
		strings.Repeat("\ta\n", 200), "👩‍👩‍👧‍👦\ufe0f\u20e3e\u0301\u0301\u0301\U000e0001", "[x](javascript:alert(1)) [y](http://e/\x1b]0;t\x07) <http://e/\u009c>",
		"```\x1b[31m\n\x1b]52;c;x\x07\n```\n| \x1b[2J | b |\n|---|---|\n| \x07 | \u009b1m |\n\n# \x1bc\n- \x1b[H\n", "--- a/\x1b[2J\n+++ b/x\n@@ -1 +1 @@\n-\x1b[1m\n+\u009bm\n",
	}
}

// FuzzRawOutput plays an engine that says the same text in everything that it can say. A literal one is no JSON string's
// content but what stands between the quotes.
func FuzzRawOutput(f *testing.F) {
	for _, text := range hostile() {
		f.Add(text, false)
	}
	for _, literal := range []string{`\ud800`, `\udfff\ud800x`, `\u001b]52;c;x\u0007`, `\u009b2J`, "\xff\xfe\x9b31m", `\u0000`, "\x1b[2J", `\`} {
		f.Add(literal, true)
	}
	f.Fuzz(func(t *testing.T, text string, literal bool) {
		t.Parallel()
		quoted, err := json.Marshal(text)
		must(t, err)
		if literal {
			quoted = []byte(`"` + strings.NewReplacer("\n", "", `"`, "").Replace(text) + `"`)
		}
		face := newPlace(t).fake(terminal.Options{Answers: true}, hostileEngine(string(quoted), text)...)
		face.WaitText("mark one")
		face.idle()
		face.begin("go")
		face.Wait("a question", func(s terminal.Screen) bool { return strings.HasPrefix(s.Title, "? ") })
		face.press("<down><pgdown><end><ctrl+c>")
		face.WaitText("mark two")
		face.idle()
		face.press("x<tab>")
		face.WaitText("mark three")
		face.press("<down><up><enter>")
		face.wipe()
		face.press("<ctrl+t>")
		face.Wait("a panel", func(s terminal.Screen) bool { return s.Alt })
		face.press("<pgdown><end><home>/x<enter><esc>")
		face.Wait("no panel", func(s terminal.Screen) bool { return !s.Alt })
		face.press("<ctrl+o>")
		face.Wait("a card", func(s terminal.Screen) bool { return s.Alt })
		face.press("<left><left><right><end><esc>")
		face.Wait("no card", func(s terminal.Screen) bool { return !s.Alt })
		face.begin("/choose")
		face.Wait("a menu", func(s terminal.Screen) bool { return strings.HasPrefix(s.Title, "? ") })
		face.press("<down><esc>")
		face.end(1)
		face.harmless()
	})
}

// hostileEngine is what that engine says. In its lines $ stands for the text as a JSON string.
func hostileEngine(quoted, text string) []string {
	const stored = `{"id":"12345678","text":$,"lines":3,"bytes":99,"truncated":true,"shownLines":20}`
	lines := []string{
		`{"type":"ready","seq":{},"protocol":1,"version":$,"session":$,"thread":$,"resumed":true,"model":$,"directory":$,"sandbox":$,"capabilities":[$]}`,
		`{"type":"entry","seq":{},"number":1,"turn":1,"kind":"prompt","text":$}`,
		`{"type":"entry","seq":{},"number":2,"turn":1,"kind":"command","text":$,"output":` + stored + `}`,
		`{"type":"entry","seq":{},"number":3,"turn":1,"kind":$,"text":$}`,
		`{"type":"note","seq":{},"level":"info","text":$}`, `{"type":"note","seq":{},"level":"warning","text":$}`,
		`{"type":"note","seq":{},"level":$,"text":$}`, `{"type":"result","seq":{},"text":$}`, `{"type":"error","seq":{},"code":$,"message":$}`,
		`{"type":$,"seq":{},"text":$}`,
		`{"type":"event","seq":{},"kind":$,"id":$,"turn":0,"call":$,"details":{"text":$},"text":$,"output":` + stored + `}`,
		`{"type":"status","seq":{},"model":$,"directory":$,"branch":$,"mode":$,"approval":$,"sandbox":$,"held":0,"queued":0}`,
		`{"type":"queue","seq":{},"pending":[{"id":$,"kind":"notice","text":$},{"id":$,"kind":$,"text":$}]}`,
		`{"type":"notify","seq":{},"title":$,"body":$}`, strings.Replace(statusLine, `"fake"`, `"fake"`, 1), `{"type":"note","seq":{},"level":"info","text":"mark one"}`,
		`<"type":"prompt"`,
		`{"type":"turn","seq":{},"phase":"start","turn":1,"origin":"person","request":"w1"}`,
		`{"type":"activity","seq":{},"doing":$,"kind":$,"command":$,"tool":$,"stoppable":true,"stopping":false,"asking":false,"elapsedSeconds":1}`,
		`{"type":"event","seq":{},"kind":"prompt","id":"1","turn":1,"details":{"text":$},"text":null}`,
		`{"type":"reasoning","seq":{},"turn":1,"text":$}`, `{"type":"delta","seq":{},"turn":1,"text":$}`, `{"type":"delta","seq":{},"turn":1,"text":$}`,
		`{"type":"event","seq":{},"kind":"tool.call","id":"2","turn":1,"call":"k1","details":{"tool":$},"text":$}`,
		`{"type":"output","seq":{},"of":"k1","stream":"stdout","text":$}`, `{"type":"output","seq":{},"of":"k1","stream":"stderr","text":$}`,
		`{"type":"event","seq":{},"kind":"command.outcome","id":"3","turn":1,"call":"k1","details":{"exitStatus":1,"seconds":2},"text":$,"output":` + stored + `}`,
		`{"type":"event","seq":{},"kind":"tool.result","id":"4","turn":1,"call":"k1","details":{"failed":true},"text":$}`,
		`{"type":"event","seq":{},"kind":"tool.call","id":"5","turn":1,"call":"k2","details":{"tool":"shell"},"text":"shell true"}`,
		`{"type":"event","seq":{},"kind":"tool.result","id":"6","turn":1,"call":"k2","details":{},"text":"fine"}`,
		`{"type":"approval","seq":{},"approval":"a1","command":$,"line":$,"segments":[$],"pattern":$,"directory":$,"level":"high","reasons":[$,$],"title":$,"detail":$}`,
		`{"type":"approval","seq":{},"approval":"a1","command":"x","line":"x","segments":[],"pattern":"","directory":"","level":"high","reasons":[],"title":"","detail":""}`,
		`<"type":"answer"`, `{"type":"withdrawn","seq":{},"approval":"a1"}`,
		`{"type":"turn","seq":{},"phase":"end","turn":1,"origin":"person","request":"w1","outcome":"error","reason":$,"seconds":1}`,
		`{"type":"turn","seq":{},"phase":"end","turn":1,"origin":"person","request":"w1","outcome":"stopped","reason":"","seconds":1}`,
		`{"type":"activity","seq":{},"doing":null,"kind":null,"command":null,"tool":null,"stoppable":false,"stopping":false,"asking":false,"elapsedSeconds":0}`,
		statusLine, `{"type":"queue","seq":{},"pending":[]}`, `{"type":"note","seq":{},"level":"info","text":"mark two"}`,
		`<"type":"complete"`, `{"type":"completions","seq":{},"request":"complete-1","from":0,"candidates":[$,"xyz",$,"` + "xa" + `"]}`,
		`{"type":"completions","seq":{},"request":"complete-1","from":0,"candidates":["xyz","xzz"]}`,
		`{"type":"note","seq":{},"level":"info","text":"mark three"}`,
		`</context`, `{"type":"view","seq":{},"kind":$,"turn":1,"turns":2,"text":$}`, `{"type":"view","seq":{},"kind":"context","turn":1,"turns":1,"text":"a view"}`,
		`{"type":"view","seq":{},"kind":"context","turn":1,"turns":1,"text":$}`,
		`</choose`,
		`{"type":"choice","seq":{},"choice":"c1","title":$,"options":[{"value":"a","label":$,"detail":$},{"value":$,"label":$,"detail":$}],"current":$,"acceptsText":true}`,
		`{"type":"choice","seq":{},"choice":"c2","title":"t","options":[{"value":"a","label":"a","detail":""}],"current":"a","acceptsText":false}`,
		`<"type":"choose"`,
	}
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, "$", quoted)
	}
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, "#stderr "+line)
	}
	return append(lines, "#exit 1")
}

// The same through the real engine: in replies, thinking, what commands print, questions, names of files and the directory.
func TestHostile(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]52;c;eA==\x07\x1b[2J\u009b31m\u202e\x1b]0;owned\x07"
	quoted, err := json.Marshal(evil)
	must(t, err)
	p := newPlace(t)
	p.dir = filepath.Join(p.dir, "a"+evil+"b")
	must(t, os.MkdirAll(p.dir, 0o755))
	p.write("mar"+evil+"gin", "x", 0o600)
	p.write("evil", evil+"\n"+evil, 0o600)
	call := shellCall("rm -rf $'" + evil + "'; cat evil")
	f := p.startOn(terminal.Options{Answers: true}, p.script(`{"reasoning":`+string(quoted)+`,"text":`+string(quoted)+`}`, call, `{"fail":`+string(quoted)+`}`))
	f.run("a prompt")
	f.run("!cat evil; ls; cat evil >&2")
	f.WaitText("exit 0")
	f.press("!cat mar<tab>")
	f.Wait("a file's name", func(s terminal.Screen) bool { return strings.Contains(row(s), "gin") })
	f.wipe()
	f.press("<ctrl+v><esc>") // a control that was typed
	f.wipe()
	f.Type("\x1b[200~pasted " + evil + "\x1b[201~")
	f.WaitText("pasted")
	f.wipe()
	f.begin("run it")
	f.Wait("a question", func(s terminal.Screen) bool { return strings.HasPrefix(s.Title, "? ") })
	f.ripe()
	f.press("y")
	f.idle()
	f.press("<ctrl+o>")
	f.Wait("a card", func(s terminal.Screen) bool { return s.Alt })
	f.press("<left><esc>")
	f.idle()
	f.quit()
	f.harmless()
}
