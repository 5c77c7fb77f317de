package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// talk has one conversation of one prompt, and returns its thread.
func (p *machine) talk(prompt string, args ...string) string {
	p.t.Helper()
	w := p.engine(append(args, p.script(`{"text":"the answer to `+prompt+`"}`))...)
	thread := w.wait(is("ready")).Thread
	w.wait(is("status"))
	w.send(prompt)
	w.wait(says("turn", `"end"`))
	w.wait(is("status"))
	w.in.Close()
	w.end(0)
	return thread
}

func (p *machine) record(thread string) string {
	return filepath.Join(p.home, "threads", thread, "record.jsonl")
}

// Killed in the middle of a write: the last line is set aside and told, what stood before it is there, and the next entry
// stands on a line of its own.
func TestTornRecord(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	thread := p.talk("first")
	whole, err := os.ReadFile(p.record(thread))
	must(t, err)
	must(t, os.WriteFile(p.record(thread), whole[:len(whole)-20], 0o600))
	w := p.engine("--continue", p.script(`{"text":"goes on","expect":["first"]}`))
	if l := w.wait(is("ready")); l.Thread != thread {
		t.Errorf("it goes on with %s", l.Thread)
	}
	w.send("second")
	if l := w.wait(says("turn", `"end"`)); l.Outcome != "ok" {
		t.Errorf("the turn ended with %s", l.raw)
	}
	w.in.Close()
	w.end(0)
	w.told("warning", "set aside")
	if _, err := os.Stat(p.record(thread) + ".torn"); err != nil {
		t.Error(err)
	}
	kinds := ""
	for _, l := range p.records() {
		kinds += l.Kind + " "
	}
	if kinds != " prompt stop prompt reply " { // that the first turn has no end is said by a stop
		t.Errorf("the record holds %s", kinds)
	}
}

// One process writes a thread; a second one is told who does, and what it can do. A holder that was killed holds nothing.
func TestHeldThread(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	thread := p.talk("first")
	holder := p.engine("--continue", "--model=scripted:tour")
	holder.wait(is("status"))
	for _, args := range [][]string{{"--continue"}, {"--resume", thread}, {"--resume=first"}} {
		second := p.engine(args...)
		second.end(1)
		notes := second.all(is("note"))
		if len(notes) != 1 || notes[0].Level != "error" || !strings.Contains(notes[0].text(), "open in another wisp (process ") ||
			!strings.Contains(notes[0].text(), "`wisp chat`") || !strings.Contains(notes[0].text(), "`wisp chat --fork "+thread+"`") {
			t.Errorf("%v: %+v", args, notes)
		}
		status, stdout, stderr := p.run("hello\n", append([]string{"chat"}, args...)...)
		if status != 1 || stdout != "" || strings.Count(stderr, "open in another wisp") != 1 {
			t.Errorf("plain chat %v: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
	must(t, holder.cmd.Process.Kill())
	<-holder.ended
	if again := p.talk("second", "--continue"); again != thread {
		t.Errorf("it goes on with %s", again)
	}
}

// A record that a newer wisp wrote is refused, and no byte of it or beside it is touched.
func TestNewerRecord(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	thread := p.talk("first")
	data, err := os.ReadFile(p.record(thread))
	must(t, err)
	data = bytes.Replace(data, []byte(`"record":1`), []byte(`"record":99`), 1)
	must(t, os.WriteFile(p.record(thread), append(data, `{"half`...), 0o600))
	before := p.folder(thread)
	for _, args := range [][]string{{"--continue"}, {"--resume", thread}} {
		w := p.engine(args...)
		w.end(1)
		if notes := w.all(is("note")); len(notes) != 1 || notes[0].Level != "error" || !strings.Contains(notes[0].text(), "newer") {
			t.Errorf("%v: %+v", args, notes)
		}
	}
	if after := p.folder(thread); after != before {
		t.Errorf("the thread was %s and is %s", before, after)
	}
}

// folder is a thread's files, with what the record holds.
func (p *machine) folder(thread string) string {
	p.t.Helper()
	folder := filepath.Dir(p.record(thread))
	files, err := os.ReadDir(folder)
	must(p.t, err)
	var b strings.Builder
	for _, f := range files {
		if f.Name() != "index.json" { // it can be made again, and is
			b.WriteString(f.Name() + " ")
		}
	}
	data, err := os.ReadFile(p.record(thread))
	must(p.t, err)
	return b.String() + string(data)
}

// A conversation is resumed by its id, the start of it, or its title; what names none or several is refused with what to do.
func TestResume(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	one, two := p.talk("paint the shed"), p.talk("paint the fence")
	same := len(one)
	for one[:same] != two[:same] {
		same--
	}
	for name, c := range map[string]struct{ resume, thread, told string }{
		"id":        {one, one, ""},
		"lower":     {strings.ToLower(two), two, ""},
		"prefix":    {one[:same+1], one, ""},
		"title":     {"the FENCE", two, ""},
		"ambiguous": {"paint", "", "2 threads are named"},
		"none":      {"the roof", "", "no thread is named"},
		"a path":    {"../threads", "", "no thread is named"},
	} {
		t.Run(name, func(t *testing.T) { // one at a time: a thread has one writer
			q := *p
			q.t = t
			for _, args := range [][]string{{"--resume", c.resume}, {"--resume=" + c.resume}} {
				w := q.engine(append(args, "--model=scripted:tour")...)
				if c.thread != "" {
					if l := w.wait(is("ready")); l.Thread != c.thread {
						t.Errorf("it goes on with %s, not %s", l.Thread, c.thread)
					}
					w.in.Close()
					w.end(0)
					continue
				}
				w.end(1)
				w.told("error", c.told)
			}
		})
	}
	if status, _, stderr := p.run("", "chat", "--resume"); status != 1 || !strings.Contains(stderr, "wisp threads") {
		t.Errorf("--resume alone: status %d, %q", status, stderr)
	}
	if status, stdout, _ := p.run("", "threads"); status != 0 || !strings.Contains(stdout, one) || !strings.Contains(stdout, "paint the fence") {
		t.Errorf("threads: status %d, %q", status, stdout)
	}
}

// --continue where there is nothing to go on with is a new conversation, and says so.
func TestContinueWithNone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	first := p.talk("first")
	p.dir = t.TempDir()
	w := p.engine("--continue", "--model=scripted:tour")
	if l := w.wait(is("ready")); l.Thread == first || !strings.Contains(l.raw, `"resumed":false`) {
		t.Errorf("it goes on with %s", l.raw)
	}
	w.in.Close()
	w.end(0)
	w.told("info", "no conversation yet")
}
