package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadEntries(t *testing.T) {
	t.Parallel()
	text := "A=1\nexport B=two words\r\n\n# a comment\n  C=\"quoted\"\nD=\nno entry\n1X=2\n=x\n"
	entries, err := readEntries(text)
	if want := []string{"A=1", "B=two words", `C="quoted"`, "D="}; !slices.Equal(entries, want) || err == nil || !strings.HasPrefix(err.Error(), "3 of the lines") {
		t.Errorf("%q, %v", entries, err)
	}
}

// TestShellEnv: commands have what the hook prints, for the directory they run in; its secrets are masked, and a provider's key
// reaches no command by it either.
func TestShellEnv(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	other := filepath.Join(filepath.Dir(p.dir), "other")
	must(t, os.Mkdir(other, 0o755))
	p.config(fmt.Sprintf(`{"hooks": {"shellEnv": %q}}`,
		`echo run >> "$WISP_HOME/../runs"; echo HERE=$(basename "$PWD"); echo PROJECT_SECRET=planted-77-value; echo OPENAI_API_KEY=sk-planted-key-0123456789ab`))
	w := p.engine(p.script(shellCall("echo $HERE $PROJECT_SECRET $OPENAI_API_KEY"), `{"text":"done"}`))
	w.wait(is("status"))
	const show = `! echo $HERE $PROJECT_SECRET $OPENAI_API_KEY`
	for _, command := range []string{show, show, "/cd " + other, show} {
		w.send(command)
		w.wait(is("status"))
	}
	w.send("and you?")
	w.wait(says("turn", `"end"`))
	w.in.Close()
	w.end(0)
	var got []string
	for _, l := range w.all(says("event", "command.")) {
		got = append(got, strings.TrimSuffix(l.printed(), "\n"))
	}
	if want := []string{"work [secret:PROJECT_SECRET]", "work [secret:PROJECT_SECRET]", "other [secret:PROJECT_SECRET]", "other [secret:PROJECT_SECRET]"}; !slices.Equal(got, want) {
		t.Errorf("printed %q", got)
	}
	runs, err := os.ReadFile(filepath.Join(p.home, "..", "runs"))
	must(t, err)
	if string(runs) != "run\nrun\n" {
		t.Errorf("it ran %q", runs)
	}
	if live := w.all(is("output")); len(live) != 4 || !strings.Contains(live[0].raw, "planted-77-value") || strings.Contains(live[0].raw, "sk-planted") {
		t.Errorf("live: %+v", live)
	}
}
