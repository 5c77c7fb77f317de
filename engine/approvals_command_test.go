package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"wisp/engine/approvals"
	"wisp/engine/model"
	"wisp/protocol"
)

// said sends a line and waits for what it says: a result or a note.
func said(k *talk, line string) string {
	k.send(line)
	for {
		switch m := await(k, func(protocol.Out) bool { return true }).(type) {
		case protocol.Result:
			return m.Text
		case protocol.Note:
			return m.Text
		}
	}
}

// approves lets the model ask for commands that are approved for the session.
func approves(k *talk, lines ...string) {
	k.t.Helper()
	for _, line := range lines {
		k.replies <- model.Message{Calls: []model.Call{{ID: "a", Name: "shell", Arguments: []byte(`{"command":"` + line + `"}`)}}}
		k.replies <- model.Message{Text: "done"}
		k.send("go on")
		a := await(k, func(protocol.Approval) bool { return true })
		k.face.Write(protocol.Answer{Approval: a.Approval, Decision: "session"})
		await(k, func(m protocol.Turn) bool { return m.Phase == "end" })
	}
}

// /approvals lists the answers of the session and those that last, takes them back, and says what isn't there.
func TestApprovalsCommand(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.send("/mode ask")
	await(k, func(protocol.Result) bool { return true })
	if got := said(k, "/approvals"); got != "nothing was approved beyond its turn" {
		t.Errorf("nothing is listed as %q", got)
	}
	approves(k, "touch made", "mkdir -p some/where")
	store := approvals.Open(filepath.Join(k.config.Home, approvals.FileName), time.Now) // another process
	for _, a := range []approvals.Approval{
		{Pattern: "git push *", Level: approvals.Moderate, Scope: approvals.Always},
		{Pattern: "touch *", Level: approvals.Low, Scope: approvals.Project, Directory: "/src/\x1b[2Ja"},
	} {
		if err := store.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	rows := regexp.MustCompile(`(?m)^  (\S+) +(low|moderate) +(.*)$`).FindAllStringSubmatch(said(k, "/approvals"), -1)
	byPattern := map[string]string{}
	for _, r := range rows {
		pattern, _, _ := strings.Cut(r[3], " · ")
		byPattern[r[2]+" "+pattern] = r[1]
	}
	if len(rows) != 4 || len(byPattern["moderate git push *"]) != 8 || len(byPattern["low touch *"]) != 8 ||
		len(byPattern["moderate mkdir *"]) != 1 || len(byPattern["moderate touch *"]) != 1 {
		t.Fatalf("%q", rows)
	}
	if words := completed(k, "/approvals revoke "); len(words) != 4 {
		t.Errorf("completed to %q", words)
	}
	for _, c := range [][2]string{
		{"/approvals remove", "/approvals lists them"},
		{"/approvals revoke", "/approvals lists them"},
		{"/approvals clear all", "/approvals lists them"},
		{"/approvals revoke 3", `no approval is "3"`},
		{"/approvals revoke " + byPattern["moderate mkdir *"], "revoked for this session: mkdir *"},
		{"/approvals revoke " + byPattern["moderate git push *"], "revoked (always): git push *"},
		{"/approvals revoke touch *", "revoked for this session: touch *\nrevoked (project /src/␛[2Ja): touch *"},
		{"/approvals", "nothing was approved beyond its turn"},
	} {
		if got := said(k, c[0]); !strings.HasPrefix(got, c[1]) {
			t.Errorf("%s says %q", c[0], got)
		}
	}
	approves(k, "touch made") // it is asked again
	if got := said(k, "/approvals clear"); got != "revoked: 1 of this session, 0 that were to last" {
		t.Errorf("cleared: %q", got)
	}
	if all, err := store.List(); len(all) != 0 || err != nil {
		t.Error(all, err)
	}
}

// A file that can't be trusted is told with the answers that there are.
func TestApprovalsCommandUntrusted(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.send("/mode ask")
	await(k, func(protocol.Result) bool { return true })
	approves(k, "touch made")
	path := filepath.Join(k.config.Home, approvals.FileName)
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := said(k, "/approvals"); !strings.Contains(got, path+" is wrong in line 1") {
		t.Errorf("%q", got)
	}
	if got := await(k, func(protocol.Result) bool { return true }).Text; !strings.Contains(got, "touch *") {
		t.Errorf("%q", got)
	}
	if got := said(k, "/approvals clear"); got != "revoked: 1 of this session; the file that couldn't be trusted is "+path+".unreadable-1" {
		t.Errorf("%q", got)
	}
}

// completed are the candidates at the end of a line.
func completed(k *talk, line string) []string {
	k.face.Write(protocol.Complete{Text: line, Cursor: len(line)})
	return await(k, func(protocol.Completions) bool { return true }).Candidates
}
