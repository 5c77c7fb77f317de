package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/proc"
	"wisp/engine/pty"
)

// SessionName is the tool whose calls reach programs that stay open; see [Discreet].
const SessionName = "shell_session"

// A wait's time: what start and write have unless the call says more, what a text is waited for, and the most a call can say.
const (
	usualWait   = 1000 * time.Millisecond
	textWait    = 10_000 * time.Millisecond
	mostWaiting = 120 * time.Second
)

// stateBytes bounds a command in a line that says how a session stands.
const stateBytes = 200

//go:embed shell_session.md
var shellSessionDescription string

// shellSession runs programs that ask. The sessions are the chat's own: Machine has them.
type shellSession struct {
	machine Machine
	form    *form[sessionArguments]
}

type sessionArguments struct {
	Action   string   `json:"action" jsonschema:"start, write, read, screen, resize, signal, kill or list"`
	ID       string   `json:"id,omitempty" jsonschema:"the session: s1"`
	Command  string   `json:"command,omitempty" jsonschema:"start: the command line"`
	Workdir  string   `json:"workdir,omitempty" jsonschema:"start: its directory"`
	Columns  int64    `json:"columns,omitempty" jsonschema:"start (80), resize"`
	Rows     int64    `json:"rows,omitempty" jsonschema:"start (24), resize"`
	Input    string   `json:"input,omitempty" jsonschema:"write: at most 16384 characters to type; a newline is Enter"`
	Keys     []string `json:"keys,omitempty" jsonschema:"write: as down, enter, esc, tab, f5, ctrl+c"`
	Paste    string   `json:"paste,omitempty" jsonschema:"write: text to paste"`
	WaitMs   int64    `json:"waitMs,omitempty" jsonschema:"start, write, read: wait so long for output; at most 120000"`
	WaitFor  string   `json:"waitFor,omitempty" jsonschema:"start, write, read: wait for this text in the output"`
	MaxChars int64    `json:"maxChars,omitempty" jsonschema:"read: 10000 unless given, at most 50000"`
	Signal   string   `json:"signal,omitempty" jsonschema:"int, term, hup, quit, kill, usr1, usr2, winch, tstp or cont"`
}

func newShellSession(m Machine) Tool {
	return &shellSession{machine: m, form: &form[sessionArguments]{tool: SessionName}}
}

// Spec describes the tool.
func (s *shellSession) Spec() model.Tool {
	return model.Tool{Name: SessionName, Description: shellSessionDescription, Schema: s.form.json()}
}

// Plan says which program would be started, or which session is reached.
func (s *shellSession) Plan(call Call) (gate.Plan, error) {
	a, err := s.form.read(call.Arguments)
	if err == nil {
		err = a.check()
	}
	switch {
	case err != nil:
		return gate.Plan{}, err
	case s.machine.Sessions == nil:
		return gate.Plan{}, errors.New("there are no interactive sessions here: use shell")
	case a.Action == "list":
		return gate.Plan{Tool: SessionName, Class: gate.Read, Directory: call.Directory, Title: "List interactive sessions"}, nil
	case a.Action != "start":
		one, ok := s.machine.Sessions.Find(a.ID)
		if !ok {
			return gate.Plan{}, s.noSession(a.ID)
		}
		return gate.Plan{
			Tool: SessionName, Class: gate.Read, Directory: call.Directory, Title: "Interactive session",
			Detail: a.Action + " " + a.ID + " " + bounded(one.Info().Command, stateBytes),
		}, nil
	}
	directory, err := resolve(s.machine, call.Directory, a.Workdir)
	switch why := pty.BareShell(a.Command); {
	case err != nil:
		return gate.Plan{}, err
	case why != "":
		return gate.Plan{}, fmt.Errorf("%s: nothing was started", why)
	}
	return gate.Plan{
		Tool: SessionName, Class: gate.Run, Command: a.Command, Shell: s.machine.Shell, Directory: directory,
		Title: "Run interactive command", Detail: "The process stays open for input: what is typed into it later is not asked for again.",
	}, nil
}

// timed is the arguments with the time that they wait.
func (a sessionArguments) timed() sessionArguments {
	switch {
	case a.WaitMs == 0 && a.WaitFor != "":
		a.WaitMs = textWait.Milliseconds()
	case a.WaitMs == 0 && (a.Action == "start" || a.Action == "write"):
		a.WaitMs = usualWait.Milliseconds()
	}
	a.WaitMs = min(a.WaitMs, mostWaiting.Milliseconds())
	return a
}

// check says what of the arguments doesn't fit the action.
func (a sessionArguments) check() error {
	given := 0
	for _, is := range []bool{a.Input != "", len(a.Keys) > 0, a.Paste != ""} {
		if is {
			given++
		}
	}
	switch actions := []string{"start", "write", "read", "screen", "resize", "signal", "kill", "list"}; {
	case !slices.Contains(actions, a.Action):
		return fmt.Errorf("there is no action %q: there are %s", bounded(a.Action, 20), strings.Join(actions, ", "))
	case a.Action != "write" && given > 0:
		return fmt.Errorf("%s types nothing: use action write", a.Action)
	case a.WaitMs < 0 || a.MaxChars < 0:
		return errors.New("waitMs and maxChars can't be less than 0")
	case a.Action == "list":
		return nil
	case a.Action != "start" && a.ID == "":
		return fmt.Errorf("%s needs the id of a session: list has them", a.Action)
	case a.Action == "write" && given != 1:
		return errors.New("write needs one of input, keys and paste")
	case a.Action == "signal" && a.Signal == "":
		return errors.New("signal needs the signal: int, term, hup, quit, kill, usr1, usr2, winch, tstp or cont")
	case a.Action == "resize" && (a.Columns == 0 || a.Rows == 0):
		return errors.New("resize needs columns and rows")
	case a.Action != "start":
		return nil
	case a.ID != "":
		return errors.New("start makes an id of its own: leave id out")
	case strings.TrimSpace(a.Command) == "":
		return errors.New("the command is empty: nothing ran")
	case strings.ContainsRune(a.Command, 0):
		return errors.New("the command holds a NUL character, which no program can be given: nothing ran")
	case len(a.Command) > maxCommand:
		return fmt.Errorf("the command is %d bytes, more than %d: put it into a file and run that", len(a.Command), maxCommand)
	}
	return nil
}

// noSession says that there is no such session, and which there are.
func (s *shellSession) noSession(id string) error {
	var known []string
	for _, i := range s.machine.Sessions.List() {
		known = append(known, fmt.Sprintf("%s (%s)", i.ID, i.State))
	}
	if len(known) == 0 {
		return fmt.Errorf("there is no session %q: none was started in this conversation", bounded(id, 20))
	}
	return fmt.Errorf("there is no session %q. There are: %s", bounded(id, 20), strings.Join(known, ", "))
}

// Do does what was cleared.
func (s *shellSession) Do(ctx context.Context, cleared gate.Cleared, call Call) Result {
	a, err := s.form.read(call.Arguments)
	if err == nil {
		err = a.check()
	}
	switch a = a.timed(); {
	case err != nil:
		return failed("%v", err)
	case !cleared.Valid() || s.machine.Sessions == nil:
		return failed("the call was not cleared: nothing was done")
	case ctx.Err() != nil:
		return Result{Text: "stopped: nothing was done", Stopped: true, Failed: true}
	case a.Action == "list":
		return s.list()
	case a.Action == "start":
		return s.start(ctx, cleared, call, a)
	}
	one, ok := s.machine.Sessions.Find(a.ID)
	if !ok {
		return failed("%v", s.noSession(a.ID))
	}
	switch a.Action {
	case "write":
		return s.write(ctx, cleared, call, one, a)
	case "screen":
		return s.screen(one)
	case "resize":
		err = one.Resize(int(min(a.Columns, 1<<16)), int(min(a.Rows, 1<<16)))
	case "signal":
		if cleared.ReadOnly() && !one.Info().ReadOnly {
			return failed("%s", onlyReads(a.ID))
		}
		err = one.Signal(a.Signal)
	case "kill":
		one.Kill()
	}
	if err != nil {
		return failed("%s: %v", a.ID, err)
	}
	return s.read(ctx, call, one, a, "")
}

// start starts a program, and reads what it prints first.
func (s *shellSession) start(ctx context.Context, cleared gate.Cleared, call Call, a sessionArguments) Result {
	one, err := s.machine.Sessions.Start(pty.Start{
		Cleared: cleared, Env: append(slices.Clip(s.machine.Env), call.Env...), Columns: int(min(a.Columns, 1<<16)), Rows: int(min(a.Rows, 1<<16)),
	})
	if err != nil {
		return failed("could not start: %v", err)
	}
	r := s.read(ctx, call, one, a, "")
	r.Started = true
	return r
}

// write types, and reads what was printed since.
func (s *shellSession) write(ctx context.Context, cleared gate.Cleared, call Call, one *pty.Session, a sessionArguments) Result {
	if cleared.ReadOnly() && !one.Info().ReadOnly {
		return failed("%s", onlyReads(a.ID))
	}
	typed, came := one.Type(ctx, pty.Input{Text: a.Input, Keys: a.Keys, Paste: a.Paste, Kept: !call.Hidden}, waiting(a, call))
	remark := ""
	switch {
	case typed.Fault != "" && typed.Taken == 0:
		remark = "nothing was typed: " + typed.Fault
	case typed.Fault != "":
		remark = fmt.Sprintf("%d characters were typed, and %d were not: %s", typed.Taken, typed.Left, typed.Fault)
	case !came && !one.Over():
		remark = a.unseen()
	}
	a.WaitMs, a.WaitFor = 0, ""
	r := s.read(ctx, call, one, a, remark)
	r.Failed = r.Failed || typed.Fault != ""
	return r
}

// unseen says that what was waited for didn't come; "" where nothing in particular was.
func (a sessionArguments) unseen() string {
	if a.WaitFor == "" {
		return ""
	}
	return fmt.Sprintf("%s was not printed in %g s", excerpt(a.WaitFor), float64(a.WaitMs)/1000)
}

// onlyReads says why nothing is typed in plan mode at a program that was started in another.
func onlyReads(id string) string {
	return "plan mode only reads, and " + id + " was started where it may change things: nothing was typed. The person switches with /act"
}

// waiting is what a call waits for.
func waiting(a sessionArguments, call Call) pty.Wait {
	w := pty.Wait{Longest: time.Duration(a.WaitMs) * time.Millisecond, For: a.WaitFor}
	if call.Live != nil && w.Longest > 0 {
		w.Live = func(text string) { call.Live(proc.Piece{Stream: "stdout", Text: text}) }
	}
	return w
}

// read waits, reads, and says how the session stands.
func (s *shellSession) read(ctx context.Context, call Call, one *pty.Session, a sessionArguments, remark string) Result {
	page := one.Read(ctx, int(min(a.MaxChars, pty.MostCharacters)), waiting(a, call))
	info := one.Info()
	head := []string{standing(info)}
	if remark == "" && !page.Came && ctx.Err() == nil && info.State == pty.Running {
		remark = a.unseen()
	}
	if remark != "" {
		head = append(head, remark)
	}
	if info.EchoOff {
		head = append(head, "It reads a line without showing it, as for a password. Don't type a secret and don't ask for one: end it, and let the person run it with `!`")
	}
	if page.Lost > 0 {
		head = append(head, fmt.Sprintf("… %d characters before this scrolled out unread", page.Lost))
	}
	body := strings.TrimSuffix(page.Text, "\n")
	if body == "" {
		head = append(head, "no new output")
	} else {
		head = append(head, body)
	}
	if page.Remain > 0 {
		head = append(head, fmt.Sprintf("… %d more characters wait: read again", page.Remain))
	}
	r := sessionResult(info, strings.Join(head, "\n"), body)
	r.Truncated = page.Lost > 0 || page.Remain > 0
	r.Stopped = ctx.Err() != nil
	return r
}

// sessionResult is what a call gave. What ended badly before anybody could type failed.
func sessionResult(info pty.Info, text, body string) Result {
	r := Result{Text: text, Session: &info, Bytes: int64(len(body))}
	if body != "" {
		r.Lines = int64(strings.Count(body, "\n")) + 1
	}
	return r
}

// screen shows what a person would see.
func (s *shellSession) screen(one *pty.Session) Result {
	view, info := one.Screen(), one.Info()
	last := len(view.Rows)
	for last > view.Row+1 && view.Rows[last-1] == "" {
		last--
	}
	body := s.machine.maskedScreen(view.Rows[:last], view.Columns)
	at := fmt.Sprintf("%d columns, %d rows; the cursor is in row %d, column %d", view.Columns, len(view.Rows), view.Row+1, view.Column+1)
	if !view.Visible {
		at += ", hidden"
	}
	return sessionResult(info, standing(info)+"\n"+at+"\n"+body, body)
}

// maskedScreen masks the secrets on a screen, those too that go on in the next row.
func (m Machine) maskedScreen(rows []string, columns int) string {
	plain := strings.Join(rows, "\n")
	if m.Mask == nil {
		return plain
	}
	var joined strings.Builder
	for i, row := range rows {
		joined.WriteString(row)
		if i+1 < len(rows) && len([]rune(row)) < columns { // a full row may go on in the next
			joined.WriteByte('\n')
		}
	}
	if whole := joined.String(); m.Mask.Text(whole) != whole {
		return m.Mask.Text(whole)
	}
	return m.Mask.Text(plain)
}

// list lists the chat's sessions.
func (s *shellSession) list() Result {
	all := s.machine.Sessions.List()
	if len(all) == 0 {
		return Result{Text: "no sessions"}
	}
	lines := make([]string, len(all))
	for i, info := range all {
		lines[i] = fmt.Sprintf("%s · started %s ago, untouched for %s · %d characters unread · %s", standing(info),
			info.Age.Round(time.Second), info.Idle.Round(time.Second), info.Unread, bounded(info.Command, stateBytes))
	}
	text := strings.Join(lines, "\n")
	return Result{Text: text, Lines: int64(len(lines)), Bytes: int64(len(text))}
}

// standing says how a session stands: "s1 runs", "s1 has ended: exit 0".
func standing(i pty.Info) string {
	if i.State == pty.Running {
		return i.ID + " runs"
	}
	if i.State == pty.Ending {
		return i.ID + " is being ended: " + i.Why
	}
	end := fmt.Sprintf("exit %d", i.Status)
	if i.Status < 0 {
		end = "killed by signal " + signalName(-i.Status)
	}
	if i.Why != "" {
		return i.ID + " was ended, for " + i.Why + ": " + end
	}
	return i.ID + " has ended: " + end
}

// Discreet says whether a call types at a program that doesn't show what is typed, which may be a password, and returns its
// arguments as they may be kept.
func Discreet(all []Tool, call Call) (kept json.RawMessage, hidden bool) {
	for _, tool := range all {
		s, ok := tool.(*shellSession)
		if !ok || s.machine.Sessions == nil {
			continue
		}
		a, err := s.form.read(call.Arguments)
		if err != nil || a.Action != "write" {
			break
		}
		one, ok := s.machine.Sessions.Find(a.ID)
		if !ok || !one.EchoOff() {
			break
		}
		const instead = "(not kept: the program didn't show what was typed)"
		a.Input, a.Keys, a.Paste = instead, nil, ""
		if text, err := json.Marshal(a); err == nil {
			return text, true
		}
	}
	return call.Arguments, false
}
