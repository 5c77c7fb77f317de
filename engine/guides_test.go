package engine

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"wisp/engine/model"
)

// put writes files, in directories that it makes.
func put(t *testing.T, files map[string]string) {
	t.Helper()
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Guides are the person's and, from the repository's top down, the project's; what leads elsewhere, blocks, is too long or is open to
// all is left out or cut, and said.
func TestGuides(t *testing.T) {
	t.Parallel()
	root, _ := filepath.EvalSymlinks(t.TempDir())
	work, config := filepath.Join(root, "work"), filepath.Join(root, "config", "config.json")
	put(t, map[string]string{
		root + "/AGENTS.md": "above the repository", root + "/secret": "a key", root + "/config/AGENTS.md": "own", work + "/.git/HEAD": "",
		work + "/AGENTS.md": "top", work + "/a/b/AGENTS.md": "near", work + "/long/AGENTS.md": strings.Repeat("é", maxGuideBytes),
	})
	for _, err := range []error{
		os.Mkdir(work+"/link", 0o755), os.Symlink(root+"/secret", work+"/link/AGENTS.md"),
		os.Mkdir(work+"/fifo", 0o755), syscall.Mkfifo(work+"/fifo/AGENTS.md", 0o644),
		os.Mkdir(work+"/open", 0o755), os.WriteFile(work+"/open/AGENTS.md", []byte("anybody's"), 0o644), os.Chmod(work+"/open/AGENTS.md", 0o666),
		os.Mkdir(work+"/inner", 0o755), os.Symlink("../AGENTS.md", work+"/inner/AGENTS.md"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func(dir string) guides {
		return loadGuides(guideFiles(config, dir), dir, func(s string) string { return strings.ReplaceAll(s, "near", "NEAR") })
	}
	for dir, want := range map[string]struct{ names, text, fault string }{
		"a/b": {"config/AGENTS.md AGENTS.md a/b/AGENTS.md", "own top NEAR", ""},
		"a":   {"config/AGENTS.md AGENTS.md", "own top", ""}, "link": {"config/AGENTS.md AGENTS.md", "own top", "leads out of the project"},
		"fifo": {"config/AGENTS.md AGENTS.md", "own top", "no regular file"}, "open": {"config/AGENTS.md AGENTS.md", "own top", "everybody may write"},
		"inner": {"config/AGENTS.md AGENTS.md inner/AGENTS.md", "own top", ""}, "long": {"config/AGENTS.md AGENTS.md long/AGENTS.md", "cut here: ", ""},
	} {
		g := read(filepath.Join(work, dir))
		at := 0
		for _, word := range strings.Fields(want.text) {
			i := strings.Index(g.text[at:], word)
			if i < 0 {
				t.Errorf("%s lacks %q in its place: %s", dir, word, clip(g.text, 2000))
				break
			}
			at += i
		}
		names := strings.ReplaceAll(strings.Join(g.names, " "), root+"/", "")
		if names != want.names || (len(g.faults) > 0) != (want.fault != "") || !strings.Contains(strings.Join(g.faults, " "), want.fault) {
			t.Errorf("%s: %s, %q; want %+v", dir, names, g.faults, want)
		}
		if strings.Contains(g.text, "a key") || strings.Contains(g.text, "above") || len(g.text) > maxGuidesBytes+2<<10 {
			t.Errorf("%s carries what it may not, or too much: %d bytes", dir, len(g.text))
		}
	}
	before := guidesMark(guideFiles(config, work))
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(work+"/AGENTS.md", later, later); err != nil || guidesMark(guideFiles(config, work)) == before {
		t.Errorf("a change isn't seen: %v", err)
	}
}

// What a project's command could be made to do by a link, by a name or by its size, it can't.
func TestCustoms(t *testing.T) {
	t.Parallel()
	root, _ := filepath.EvalSymlinks(t.TempDir())
	work, config := filepath.Join(root, "work"), filepath.Join(root, "config", "config.json")
	put(t, map[string]string{
		root + "/secret": "a key", work + "/.git/HEAD": "", work + "/sub/x": "", root + "/.wisp/commands/above.md": "x",
		root + "/config/commands/mine.md": "---\ndescription: of my own\nmodel: other\n---\nDo $ARGUMENTS twice: $ARGUMENTS", root + "/config/commands/both.md": "# Mine",
		root + "/config/commands/Upper.md": "x", root + "/config/commands/no.txt": "x", root + "/config/commands/quit.md": "x",
		work + "/.wisp/commands/theirs.md": "Theirs.", work + "/.wisp/commands/both.md": "theirs", work + "/.wisp/commands/huge.md": strings.Repeat("x", maxCustomBytes+1),
	})
	if err := os.Symlink(root+"/secret", work+"/.wisp/commands/link.md"); err != nil {
		t.Fatal(err)
	}
	s := &Session{config: Config{Configuration: config}}
	s.state.directory = filepath.Join(work, "sub")
	all, left := s.customs()
	got := ""
	for _, c := range all {
		got += c.name + "=" + c.help + " "
	}
	if got != "both=Mine mine=of my own theirs=Theirs. " || len(left) != 1 || !strings.HasSuffix(left[0], "quit.md") {
		t.Errorf("commands are %s, left out %q", got, left)
	}
	for text, want := range map[string][2]string{
		"# Title\nbody":                          {"Title", "# Title\nbody"},
		"---\ndescription: 'x'\n---\nbody":       {"x", "body"},
		"---\r\nother: x\r\n---\r\nbody\r\nmore": {"body", "body\nmore"},
		"---\nno end":                            {"---", "---\nno end"},
		"":                                       {"", ""},
	} {
		if help, body := frontMatter(text); help != want[0] || body != want[1] {
			t.Errorf("%q is %q, %q; want %q", text, help, body, want)
		}
	}
}

// /stats has turns and requests apart, each with its failures by reason, and a cost where there is a price.
func TestStatsView(t *testing.T) {
	t.Parallel()
	var s stats
	usage := model.Usage{Input: 1000, Cached: 400, Output: 100}
	s.add(&turn{speaker: speaker{model: "box:m|x", usage: usage, requests: []request{{seconds: 1, first: 0.5, usage: usage}, {seconds: 3, failure: "busy"}}}, outcome: turnOK, seconds: 2})
	s.add(&turn{speaker: speaker{model: "box:m|x"}, outcome: turnStopped, reason: "stopped by you", seconds: 9})
	v := s.view(map[string]Price{"box:*": {Input: 2, Cached: 1, Output: 10}})
	want := "# Turns and requests of this session\n\n## `box:m\\|x`\n\n| | Turns | Requests |\n| --- | ---: | ---: |\n| count | 2 | 2 |\n| failed | 1 | 1 |\n" +
		"| mean | 2.00 s | 1.00 s |\n| p50 | 2.00 s | 1.00 s |\n| p95 | 2.00 s | 1.00 s |\n| max | 2.00 s | 1.00 s |\n| first token, p50 | – | 0.50 s |\n\n" +
		"Tokens: 1000 in (400 of them cached), 100 out. Cost by the configured prices: 0.0026.\n\nFailures:\n\n- 1 turns: `stopped by you`\n- 1 requests: `busy`\n"
	if v.Kind != "stats" || v.Text != want {
		t.Errorf("got\n%s\nwant\n%s", v.Text, want)
	}
	for range 100 {
		s.add(&turn{speaker: speaker{model: "box:m|x"}, outcome: turnError, reason: time.Now().String()})
	}
	if n := len(s.models[0].turns.failures); n > maxReasons+1 {
		t.Errorf("%d reasons are kept", n)
	}
	if text := (&stats{}).view(nil).Text; !strings.Contains(text, "No turns yet") {
		t.Errorf("nothing is shown as %q", text)
	}
}
