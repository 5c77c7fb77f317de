package facts

import (
	"encoding/json"
	"fmt"
	"strings"

	"wisp/engine/thread"
)

// The subjects of what is observed.
const (
	workdir = "workdir" // the conversation's directory
	branch  = "branch"  // git's
	tests   = "tests"   // how a run of tests ended, by the core of its command
	file    = "file"    // what was read or changed, by its path
)

// What was done to a file.
const (
	read    = "read"
	changed = "changed"
)

// byPerson is the detail of what a command of the person's gave.
const byPerson = "the person's command"

// mostOpen bounds the calls that wait for their outputs.
const mostOpen = 256

// calls are those of the newest step, which wait for their outputs.
type calls struct {
	turn, step int
	open       map[string]*thread.Call
}

// observe returns what an entry tells without a model.
func (c *calls) observe(e *thread.Entry) []Fact {
	switch {
	case e.Kind == thread.Directory:
		return []Fact{{Subject: workdir, Name: workdir, Value: e.Text}}
	case e.Kind == thread.CallKind && e.Call != nil:
		c.take(e)
	case e.Kind == thread.OutputKind && e.Output != nil:
		if call := c.open[e.Output.Call]; call != nil && c.turn == e.Turn && c.step == e.Step {
			delete(c.open, e.Output.Call)
			return called(call, e.Output)
		}
	case e.Kind == thread.CommandKind && e.Command != nil:
		return typed(e)
	}
	return nil
}

// take remembers a call until its output comes.
func (c *calls) take(e *thread.Entry) {
	if c.turn != e.Turn || c.step != e.Step || c.open == nil || len(c.open) >= mostOpen {
		c.turn, c.step, c.open = e.Turn, e.Step, map[string]*thread.Call{}
	}
	c.open[e.Call.ID] = e.Call
}

// called is what a call and its output tell.
func called(c *thread.Call, o *thread.Output) []Fact {
	var given struct {
		Command string `json:"command"`
		Path    string `json:"path"`
	}
	arguments := []byte(c.Arguments)
	var text string
	if json.Unmarshal(arguments, &text) == nil { // written twice
		arguments = []byte(text)
	}
	if o.Stopped || json.Unmarshal(arguments, &given) != nil {
		return nil
	}
	switch c.Name {
	case "shell", "run_command":
		if o.Exit == nil {
			return nil
		}
		return ran(given.Command, *o.Exit, o, "")
	case "read_file":
		return touched(given.Path, read, o)
	case "write_file", "edit_file", "notebook_edit":
		return touched(given.Path, changed, o)
	}
	return nil
}

// touched is what an access to a file tells.
func touched(path, how string, o *thread.Output) []Fact {
	if o.Failed || path == "" {
		return nil
	}
	return []Fact{{Subject: file, Name: path, Value: how}}
}

// typed is what a command of the person's tells: nothing where the model is told nothing of it.
func typed(e *thread.Entry) []Fact {
	did := e.Command
	if did.Decision != "allowed" || did.Private || did.Running || did.Lost || did.Stopped || did.Over || did.Failure != "" || e.Output == nil {
		return nil
	}
	return ran(did.Line, did.ExitStatus, e.Output, byPerson)
}

// ran is what a command and its output tell.
func ran(command string, exit int, o *thread.Output, detail string) []Fact {
	steps, ok := split(command)
	if !ok {
		return nil
	}
	var found []Fact
	if core, known := testsOf(steps, exit); known {
		value := "passed"
		if exit != 0 {
			value = fmt.Sprintf("failed, exit %d", exit)
		}
		found = append(found, Fact{Subject: tests, Name: core, Value: value, Detail: detail})
	}
	if exit == 0 && len(steps) > 0 && !o.Binary {
		if name := branchOf(steps, o); name != "" {
			found = append(found, Fact{Subject: branch, Name: branch, Value: name, Detail: detail})
		}
	}
	return found
}

// branchOf is the branch that git's output names; "" where it names none.
func branchOf(steps []step, o *thread.Output) string {
	git := steps[0].core()
	if len(git) < 2 || git[0] != "git" {
		return ""
	}
	verb, flags := git[1], strings.Join(git[2:], " ")
	first := o.First
	if first == "" {
		first, _, _ = strings.Cut(strings.TrimLeft(o.Text, "\n"), "\n")
	}
	first = strings.TrimSpace(first)
	switch {
	case verb == "status":
		if name, ok := strings.CutPrefix(first, "On branch "); ok {
			return word(name)
		}
		if name, ok := strings.CutPrefix(first, "## "); ok {
			name, _, _ = strings.Cut(name, "...")
			name = strings.TrimPrefix(name, "No commits yet on ")
			if !strings.HasPrefix(name, "HEAD (") {
				return word(name)
			}
		}
	case verb == "branch" && flags == "--show-current", verb == "rev-parse" && flags == "--abbrev-ref HEAD", verb == "symbolic-ref" && strings.Contains(flags, "--short HEAD"):
		if len(steps) == 1 && first != "HEAD" {
			return word(first)
		}
	case verb == "checkout" || verb == "switch":
		return switched(o.Text + "\n" + first + "\n" + o.Last)
	}
	return ""
}

// switched is the branch that git says it went to.
func switched(output string) string {
	for l := range strings.SplitSeq(output, "\n") {
		for _, begin := range []string{"Switched to a new branch '", "Switched to branch '", "Already on '", "Switched to and reset branch '"} {
			if name, ok := strings.CutPrefix(strings.TrimSpace(l), begin); ok {
				name, _, _ = strings.Cut(name, "'")
				return word(name)
			}
		}
	}
	return ""
}

// word is a branch's name, where it may be one.
func word(name string) string {
	if name == "" || strings.ContainsAny(name, " \t~^:?*[\\") {
		return ""
	}
	return name
}
