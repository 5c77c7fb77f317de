package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What can be done with conversations from a shell: each by its id, the start of it, or its title.
func TestThreadsCommand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	first, second := p.talk("the first needle"), p.talk("another")
	ok := func(want string, args ...string) string {
		t.Helper()
		status, stdout, stderr := p.run("", append([]string{"threads"}, args...)...)
		if status != 0 || !strings.Contains(stdout, want) || stderr != "" {
			t.Fatalf("wisp threads %q: status %d, %q, %q; want %q", args, status, stdout, stderr, want)
		}
		return stdout
	}
	refused := func(status int, want string, args ...string) {
		t.Helper()
		got, stdout, stderr := p.run("", append([]string{"threads"}, args...)...)
		if got != status || stdout != "" || !strings.Contains(stderr, want) {
			t.Fatalf("wisp threads %q: status %d, %q, %q; want %d, %q", args, got, stdout, stderr, status, want)
		}
	}
	ok(first)
	if out := ok("prompt: the first needle", "search", "NEEDLE"); !strings.Contains(out, "reply: the answer to the first needle") || strings.Contains(out, second) {
		t.Errorf("found %q", out)
	}
	ok("no conversations", "search", "nowhere")
	ok("", "title", first[:26], "plans", "for spring")
	must(t, os.Remove(filepath.Join(filepath.Dir(p.record(first)), "index.json")))
	ok("plans for spring")
	ok("title: plans for spring", "search", "for Spring")
	ok("the answer to the first needle", "show", "plans for spring")
	var export struct {
		Thread, Title string
		Entries       []struct{ Kind string }
	}
	must(t, json.Unmarshal([]byte(ok(first, "export", "plans for spring", "--format", "json")), &export))
	if export.Thread != first || export.Title != "plans for spring" || len(export.Entries) != 3 {
		t.Errorf("exported %+v", export)
	}
	ok("out.md", "export", "plans for spring", "out.md")
	refused(1, "is there already", "export", "plans for spring", "out.md")
	if text := p.file("out.md"); !strings.HasPrefix(text, "# plans for spring\n") {
		t.Errorf("the file has %q", text)
	}
	if info, err := os.Stat(filepath.Join(p.dir, "out.md")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	refused(1, "nobody can be asked", "delete", first)
	refused(1, "no thread is named", "delete", "--yes", "nothing")
	refused(2, "search needs", "search")
	refused(2, "--format is", "export", first, "--format", "pdf")
	w := p.engine("--resume", first, "--model=scripted:tour")
	w.wait(is("status"))
	refused(1, "open in another wisp", "delete", "--yes", first)
	refused(1, "open in another wisp", "title", first, "mine")
	ok("needle", "show", first)
	w.in.Close()
	w.end(0)
	ok("is deleted: its record", "delete", "--yes", first)
	if out := ok(second); strings.Contains(out, first) {
		t.Errorf("it is still listed: %q", out)
	}
}

// A copy goes on by itself, also of a conversation that another process writes; `chat --json --resume` has its face asked.
func TestForkAndAsk(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	first := p.talk("remember 42")
	holder := p.engine("--continue", "--model=scripted:tour")
	holder.wait(is("status"))
	fork := p.engine("--fork", "remember 42", p.script(`{"text":"42","expect":["remember 42"]}`))
	id := fork.wait(is("ready")).Thread
	if id == first {
		t.Fatal("the copy is the thread itself")
	}
	fork.send("what was it?")
	if l := fork.wait(says("turn", `"end"`)); l.Outcome != "ok" {
		t.Errorf("the turn ended with %s", l.raw)
	}
	fork.in.Close()
	fork.end(0)
	asked := p.engine("--resume")
	choice := asked.wait(is("choice"))
	if !strings.Contains(choice.raw, id) || !strings.Contains(choice.raw, first) {
		t.Errorf("asked %s", choice.raw)
	}
	asked.send(`{"type":"choose","choice":"m1","value":"` + first + `"}`)
	asked.wait(says("note", "open in another wisp"))
	asked.wait(says("choice", "copy"))
	asked.send(`{"type":"choose","choice":"m2","value":"fork"}`)
	asked.wait(says("result", "going on with remember 42, thread "))
	asked.in.Close()
	asked.end(0)
	holder.in.Close()
	holder.end(0)
}
