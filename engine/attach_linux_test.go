package engine

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wisp/engine/audit"
	"wisp/engine/model"
	"wisp/protocol"
)

// hands is a talk whose face hands over its terminal.
func hands(t *testing.T) *talk {
	k := newTalk(t)
	k.face.Write(protocol.Hello{Capabilities: []string{"interrupt", "approve", "terminal"}, Columns: 90, Rows: 30})
	await(k, func(m protocol.Event) bool { return m.Kind == "host.hello" })
	return k
}

// shows waits until an attached command has written a text, and returns all that it wrote.
func shows(k *talk, of, text string) string {
	var all strings.Builder
	await(k, func(m protocol.Output) bool {
		if m.Stream == "terminal" && m.Of == of {
			data, err := base64.StdEncoding.DecodeString(m.Data)
			if err != nil {
				k.t.Error(err)
			}
			all.Write(data)
		}
		return strings.Contains(all.String(), text)
	})
	return all.String()
}

// terminalOf waits until a command has the terminal, and returns its id.
func terminalOf(k *talk) string {
	return await(k, func(m protocol.Event) bool {
		return m.Kind == "process.start" && strings.Contains(string(m.Details), `"attached":true`)
	}).Call
}

func (k *talk) typeAt(of, keys string) {
	k.face.Write(protocol.Input{Of: of, Data: base64.StdEncoding.EncodeToString([]byte(keys))})
}

// A command gets the terminal of a face that has one, by its name or by /attach; what it showed is put down, what was typed isn't.
func TestAttached(t *testing.T) {
	t.Parallel()
	k := hands(t)
	k.send("/attach stty size; stty -echo; printf 'Word: '; read w; stty echo; echo; echo ${#w} letters; exit 3")
	id := terminalOf(k)
	shows(k, id, "Word: ")
	k.typeAt(id, "open sesame\r")
	end := endOf(k, id)
	if d := end.said; d.ExitStatus != 3 || !d.Attached || d.Stopped || d.Origin != "person" || *end.Text != "↳ exit 3" {
		t.Errorf("%+v, %q", d, *end.Text)
	}
	if o := end.Output; o == nil || !strings.Contains(o.Text, "Word: \n11 letters") && !strings.Contains(o.Text, "11 letters") || o.ID == "" {
		t.Errorf("%+v", o)
	}
	// vi is one by its name, and leaves the terminal's modes as they were.
	k.send("! vi -u NONE -N new.txt")
	id = terminalOf(k)
	shows(k, id, "\x1b[29;1H~")
	k.face.Write(protocol.Resize{Columns: 100, Rows: 20, Of: id})
	shows(k, id, "\x1b[19;1H~") // a key that comes while vi draws itself anew is lost to it, on any terminal
	k.typeAt(id, "ihello there\x1b:wq\r")
	if d := endOf(k, id).said; d.ExitStatus != 0 || !d.Attached {
		t.Errorf("%+v", d)
	}
	if text, _ := os.ReadFile(filepath.Join(k.config.Directory, "new.txt")); string(text) != "hello there\n" {
		t.Errorf("%q", text)
	}
	k.send("! echo plain")
	if d := endOf(k, "c3").said; d.Attached {
		t.Errorf("%+v", d)
	}
	everything := ""
	if err := filepath.WalkDir(k.config.Home, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			everything += string(text)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	if strings.Contains(everything, "sesame") || !strings.Contains(everything, "11 letters") || !strings.Contains(everything, "12B written") {
		t.Errorf("put down: %s", everything)
	}
}

// A turn goes on while a command has the terminal, and the command may have it while a turn goes on; another one may not.
func TestAttachedBesideATurn(t *testing.T) {
	t.Parallel()
	k := hands(t)
	k.send("begin")
	<-k.requests
	k.send("/attach echo ready; cat")
	id := terminalOf(k)
	shows(k, id, "ready")
	k.send("/attach cat")
	await(k, func(m protocol.Note) bool { return strings.Contains(m.Text, "another command has the terminal") })
	k.replies <- model.Message{Calls: []model.Call{{ID: "a", Name: "shell", Arguments: []byte(`{"command":"echo called"}`)}}}
	<-k.requests
	k.replies <- model.Message{Text: "done"}
	await(k, func(m protocol.Turn) bool { return m.Phase == "end" && m.Outcome == "ok" })
	k.typeAt(id, "still here\r")
	shows(k, id, "still here\r\nstill here")
	k.typeAt(id, "\x04")
	if d := endOf(k, id).said; d.ExitStatus != 0 || !d.Attached {
		t.Errorf("%+v", d)
	}
	await(k, func(m protocol.Status) bool { return true })
	if n := len(k.prompt("and now?", model.Message{Text: "ok"})); n != 1 {
		t.Error(n)
	}
}

// A stop ends an attached command that is all that runs, and so does the session's end.
func TestAttachedStops(t *testing.T) {
	t.Parallel()
	k := hands(t)
	k.send("/attach trap '' HUP INT; echo ready; cat >/dev/null")
	id := terminalOf(k)
	shows(k, id, "ready")
	k.face.Write(protocol.Interrupt{})
	if d := endOf(k, id).said; d.ExitStatus != -15 || !d.Stopped {
		t.Errorf("%+v", d)
	}
	k.face.Write(protocol.Command{Line: "echo ready; printf '\\033[?1049h\\033[?1000h\\033[?25l'; exec sleep 100", Terminal: &protocol.Size{Columns: 40, Rows: 10}})
	id = terminalOf(k)
	shows(k, id, "\x1b[?25l")
	k.send("/jobs") // anything else is answered meanwhile
	await(k, func(protocol.Result) bool { return true })
	k.face.Write(protocol.Interrupt{})
	if undone := shows(k, id, "\x1b[?25h"); !strings.Contains(undone, "\x1b[?1000l") || !strings.Contains(undone, "\x1b[?1049l") {
		t.Errorf("%q", undone)
	}
	endOf(k, id)
	k.face.Write(protocol.Input{Of: id, Data: "eA=="}) // it was on its way
	k.face.Write(protocol.Input{Of: "c1", Data: "eA=="})
	await(k, func(m protocol.Error) bool { return m.Code == protocol.BadField })
}

// A face without a terminal gives none, and says so.
func TestAttachedWithout(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.send("/attach vi x")
	await(k, func(m protocol.Note) bool { return strings.Contains(m.Text, "no terminal to hand") })
	k.send("! vi x")
	var d audit.CommandTypedDetails
	e := await(k, func(m protocol.Event) bool { return m.Kind == "command.typed" })
	if json.Unmarshal(e.Details, &d) != nil || d.Attached || !strings.Contains(d.Failure, "needs a terminal") {
		t.Errorf("%s", e.Details)
	}
}
