package main

import (
	"encoding/json"
	"os"
	"strings"
	"syscall"
	"testing"
)

// wisp ask is one turn: the reply alone on stdout, the status what came of it.
func TestAsk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script, stdin string
		args          []string
		status        int
		stdout        string
		stderr        string // a part of it
	}{
		"done":        {`{"reasoning":"hm","text":["the ","answer"]}`, "", []string{"what?"}, 0, "the answer\n", ""},
		"words":       {`{"text":"ok","expect":["one two three"]}`, "", []string{"one", "two", "three"}, 0, "ok\n", ""},
		"piped":       {`{"text":"ok","expect":["review\n\n+ a line\n+ another"]}`, "+ a line\n+ another\n", []string{"review"}, 0, "ok\n", ""},
		"piped alone": {`{"text":"ok","expect":["only this"]}`, "only this\n", nil, 0, "ok\n", ""},
		"verbatim":    {`{"text":"ok","expect":["! echo ran >ran"]}`, "", []string{"! echo ran >ran"}, 0, "ok\n", ""},
		"failed":      {`{"fail":"no such luck","status":400}`, "", []string{"what?"}, 1, "", "no such luck"},
		"half":        {`{"text":"half","fail":"cut"}`, "", []string{"what?"}, 1, "half\n", "cut"},
		"no prompt":   {"", " \n", nil, 2, "", "needs a prompt"},
		"bad flag":    {"", "", []string{"--nosuch", "x"}, 2, "", "nosuch"},
		"silent":      {`{"text":"so","hang":"after"}`, "", []string{"--stall=1", "what?"}, 1, "so\n", "was silent for 1s"},
		"refused":     {shellCall("rm -rf ran") + "\n" + `{"text":"well then"}`, "", []string{"remove it"}, 3, "well then\n", "rm -rf ran"},
		"its command": {shellCall("echo ran") + "\n" + `{"text":"it said ran"}`, "", []string{"run it"}, 0, "it said ran\n", "ran"},
		"no model":    {"", "", []string{"-m", "nobody:x", "what?"}, 1, "", "nobody"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			args := append([]string{"ask", p.script(c.script)}, c.args...)
			status, stdout, stderr := p.run(c.stdin, args...)
			if status != c.status || stdout != c.stdout || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
			}
			if _, err := os.Stat(p.dir + "/ran"); err == nil {
				t.Error("a prompt was run as a command")
			}
		})
	}
}

// wisp ask --json writes the wire's lines and nothing else on stdout, and nothing on stderr.
func TestAskJSON(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	status, stdout, stderr := p.run("", "ask", "--json", p.script(`{"text":["the ","answer"]}`), "what?")
	if status != 0 || stderr != "" {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
	reply, last := "", ""
	for text := range strings.Lines(stdout) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("no line: %q", text)
		}
		if last = l.Type; last == "delta" {
			reply += l.text()
		}
	}
	if reply != "the answer" || last != "exit" {
		t.Errorf("the reply is %q, the last line %s", reply, last)
	}
}

// interrupted starts wisp, waits for its command's pid file, interrupts it and returns its status.
func (p *machine) interrupted(s os.Signal, args ...string) (status int) {
	p.t.Helper()
	cmd := p.command(args...)
	must(p.t, cmd.Start())
	p.t.Cleanup(func() { cmd.Process.Kill() })
	pid := p.pid("pid")
	must(p.t, cmd.Process.Signal(s))
	cmd.Wait()
	if alive(pid) {
		p.t.Error("the command lives on")
	}
	return cmd.ProcessState.ExitCode()
}

// Interrupted, terminated or hung up, wisp ask ends with 130, for the turn is not done, and its command with it.
func TestAskInterrupted(t *testing.T) {
	t.Parallel()
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		p := newPlace(t)
		if got := p.interrupted(s, "ask", "--yes", p.script(shellCall("echo $$ >pid; sleep 300")), "run it"); got != 130 {
			t.Errorf("%v: status %d", s, got)
		}
	}
}

// A redirected chat holds the replies alone, and each line that is piped in is taken when the one before it has ended.
func TestChatRedirected(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	model := p.script(`{"text":"first reply"}`, shellCall("echo from the model"), `{"reasoning":"hm","text":"second reply\n"}`)
	status, stdout, stderr := p.run("one\n! echo from the person\ntwo\n/help\n! exit 3\n", "chat", model)
	if status != 0 || stdout != "first reply\nsecond reply\n" {
		t.Errorf("status %d, stdout %q", status, stdout)
	}
	for _, part := range []string{"from the model", "from the person", "exit 3", "/help"} {
		if !strings.Contains(stderr, part) {
			t.Errorf("stderr lacks %q: %q", part, stderr)
		}
	}
	if status, stdout, _ := p.run("one\ntwo", "chat", p.script(`{"text":"ok"}`, `{"fail":"no luck"}`)); status != 1 || stdout != "ok\n" {
		t.Errorf("a turn that failed: status %d, stdout %q", status, stdout)
	}
}

// A chat whose stdout or stderr nobody reads any more ends, and so does what it runs.
func TestChatReaderGone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	cmd := p.command("chat", "--model=scripted:tour")
	cmd.Stdin = strings.NewReader("! echo $$ >pid; while :; do echo x; sleep 0.01; done\n")
	out, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	pid := p.pid("pid")
	out.Close()
	cmd.Wait()
	if alive(pid) {
		t.Error("the command lives on")
	}
	if status := cmd.ProcessState.ExitCode(); status != 0 {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
}

// wisp ask --schema prints a reply that is of the shape, and nothing else; one that isn't is asked for once more, with the complaint.
func TestAskSchema(t *testing.T) {
	t.Parallel()
	good := `{"text":"` + "```json\\n" + `{\"name\": \"Ada\"}` + "\\n```" + `","expect":["who?","JSON Schema","\"required\""]}`
	bad := `{"text":"It is Ada."}`
	for name, c := range map[string]struct {
		script, schema string
		status         int
		stdout, stderr string
	}{
		"good":       {good, `{"type":"object","required":["name"]}`, 0, "{\"name\": \"Ada\"}\n", ""},
		"once more":  {bad + "\n" + `{"text":"{\"name\":\"Ada\"}","expect":["it is no JSON"]}`, `{"required":["name"]}`, 0, "{\"name\":\"Ada\"}\n", "asked for once more"},
		"never":      {bad + "\n" + `{"text":"{}"}`, `{"required":["name"]}`, 1, "", `lacks "name"`},
		"after call": {`{"text":"Let me look.","calls":[{"name":"list_files","id":"1","arguments":{}}]}` + "\n" + `{"text":"[1]"}`, `{"type":"array"}`, 0, "[1]\n", ""},
		"no schema":  {bad, `{"type":"thing"}`, 2, "", "must be a type"},
		"failed":     {`{"fail":"no such luck","status":400}`, `{}`, 1, "", "no such luck"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			must(t, os.WriteFile(p.dir+"/schema.json", []byte(c.schema), 0o600))
			status, stdout, stderr := p.run("", "ask", "--schema", "schema.json", p.script(c.script), "who?")
			if status != c.status || stdout != c.stdout || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
			}
		})
	}
	p := newPlace(t)
	for _, args := range [][]string{{"ask", "--schema", "nosuch", "x"}, {"ask", "--schema=", "x"}, {"chat", "--schema", "x"}} {
		if status, stdout, stderr := p.run("", args...); status != 2 || stdout != "" || !strings.Contains(stderr, "--schema") {
			t.Errorf("%q: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
}

// /config shows each setting with where it comes from, and no key.
func TestConfigShown(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config(`{
"maxSteps": 7,
"providers": {"box": {"baseUrl": "http://box:8000/v1", "headers": {"Authorization": "Bearer sk-verysecret"}, "prices": {"*": {"input": 0.5}}}},
"outputs": {"maxBytes": 5000000000},
"permission": {"shell": {"git push *": "ask"}}
}`)
	must(t, os.Mkdir(p.dir+"/.wisp", 0o755))
	must(t, os.WriteFile(p.dir+"/.wisp/config.json", []byte(`{"maxSameCalls": 2, "maxSteps": 50}`), 0o600))
	w := p.engine("--model=scripted:tour", "--mode=plan")
	w.wait(is("status"))
	w.send("/config")
	text := w.wait(is("result")).text()
	for _, want := range []string{
		"model  scripted:tour  --model", "approval.mode  plan  --mode", "maxSteps  7  " + p.home + "/config.json, line 2",
		"maxSameCalls  2  " + p.dir + "/.wisp/config.json, line 1", "shownOutputLines  20  default", "outputs.maxBytes  5000000000  ",
		`permission.shell "git push *"  "ask"  `, "providers.box.prices.*.input  0.5  ", "providers.box.headers",
	} {
		found := false
		for row := range strings.Lines(text) {
			found = found || strings.HasPrefix(strings.Join(strings.Fields(row), " "), strings.Join(strings.Fields(want), " "))
		}
		if !found {
			t.Errorf("/config lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "verysecret") {
		t.Errorf("/config shows a key:\n%s", text)
	}
	w.in.Close()
	w.end(0)
}
