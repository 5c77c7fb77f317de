package engine

import (
	"fmt"
	"slices"

	"wisp/engine/audit"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/proc"
	"wisp/engine/pty"
	"wisp/protocol/phrase"
	"wisp/tools"
)

// newSessions makes the chat's interactive sessions. The audit has each one's end.
func newSessions(config *Config, commits *committer, runner *proc.Runner) *pty.Set {
	return pty.NewSet(pty.Config{
		Groups: runner.Groups(), Clock: config.Now,
		Mask: func() pty.Masker { return commits.secrets.Stream() },
		Ended: func(i pty.Info) {
			commits.commit(happened{events: []event{{silent: true, Event: audit.Event{Kind: audit.ProcessEnd, Details: audit.ProcessEndDetails{
				Origin: string(gate.Model), Command: i.Command, Task: i.ID, ExitStatus: i.Status, Stopped: i.State == pty.Killed, Seconds: seconds(i.Age),
			}}}}})
		},
	})
}

// withoutSessions takes the tool away: tools.shell_session is false.
func withoutSessions(all []tools.Tool) []tools.Tool {
	return slices.DeleteFunc(slices.Clone(all), func(t tools.Tool) bool { return t.Spec().Name == tools.SessionName })
}

// sessionBegun is the event that an interactive session runs.
func (t *turn) sessionBegun(call, id string, p gate.Plan) event {
	e := t.event("", audit.Event{Kind: audit.ProcessStart, Call: call, Details: audit.ProcessStartDetails{
		Origin: string(gate.Model), Command: p.Command, Directory: p.Directory, Task: id,
	}})
	e.silent = true
	return e
}

// sessionLine says in one line what a call of an interactive session gave.
func sessionLine(r tools.Result) string {
	i := r.Session
	switch {
	case r.Stopped:
		return "↳ " + phrase.StoppedByYou
	case i.State == pty.Exited, i.State == pty.Killed && i.Why == "":
		return phrase.Session(i.ID, fmt.Sprintf("exit %d", i.Status), r.Lines)
	case i.State == pty.Killed:
		return phrase.Session(i.ID, "ended: "+i.Why, r.Lines)
	}
	return phrase.Session(i.ID, string(i.State), r.Lines)
}

// discreet is a call as it is put down: without what may be a password.
func (t *turn) discreet(c model.Call) (model.Call, bool) {
	if c.Name != tools.SessionName || c.Malformed != "" {
		return c, false
	}
	kept, hidden := tools.Discreet(t.tools, tools.Call{Arguments: c.Arguments})
	c.Arguments = kept
	return c, hidden
}

// reached adds to a call's result what is to be said of the interactive session that it reached, and puts down that one began.
func (t *turn) reached(r *tools.Result, call string, p gate.Plan) {
	if r.Session == nil {
		return
	}
	r.Line = sessionLine(*r)
	if text := t.sessionConfined(r.Session); text != "" {
		r.Text += "\n" + text
	}
	if r.Started {
		t.commits.commit(happened{events: []event{t.sessionBegun(call, r.Session.ID, p)}})
	}
}

// sessionConfined is what the sandbox has to say of a session that has ended, for the model.
func (t *turn) sessionConfined(i *pty.Info) string {
	return t.confined(proc.Outcome{SandboxRefusal: i.SandboxRefusal, Changed: i.Changed}, "").Result()
}
