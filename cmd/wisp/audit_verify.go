package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"wisp/engine/audit"
	"wisp/protocol/phrase"
)

// auditReport is what `wisp audit verify --json` prints.
type auditReport struct {
	Sound   bool            `json:"sound"`
	Events  int             `json:"events"`
	Files   int             `json:"files"`
	Bytes   int64           `json:"bytes"`
	First   *time.Time      `json:"first"`
	Last    *time.Time      `json:"last"`
	Newest  string          `json:"newest"`
	Broken  int             `json:"broken"`
	Breaks  []audit.Finding `json:"breaks"`
	Remarks []audit.Finding `json:"remarks"`
}

// verifyAudit is `wisp audit verify`: whether the log is as wisp wrote it.
func verifyAudit(path string, asJSON bool) int {
	r, err := audit.Verify(path)
	if err != nil {
		return fail(statusFailed, "%s", phrase.Inert(err.Error()))
	}
	status := statusOK
	if r.Broken > 0 {
		status = statusFailed
	}
	if asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetEscapeHTML(false)
		if err := e.Encode(auditReport{
			Sound: r.Broken == 0, Events: r.Events, Files: r.Files, Bytes: r.Bytes, First: timed(r.First), Last: timed(r.Last),
			Newest: r.Newest, Broken: r.Broken, Breaks: append([]audit.Finding{}, r.Breaks...), Remarks: append([]audit.Finding{}, r.Remarks...),
		}); err != nil {
			return fail(statusFailed, "%v", err)
		}
		return status
	}
	for _, all := range [][]audit.Finding{r.Breaks, r.Remarks} {
		for _, f := range all {
			fmt.Println(phrase.Inert(fmt.Sprintf("%s:%d: %s", f.File, f.Number, f.What)))
		}
	}
	fmt.Println(verified(r, path))
	return status
}

// verified is the report in a sentence.
func verified(r audit.Report, path string) string {
	what := fmt.Sprintf("%s in %s", count(r.Events, "event", "events"), count(r.Files, "file", "files"))
	if r.Events > 0 {
		what += fmt.Sprintf(", from %s to %s", r.First.Local().Format(time.DateTime), r.Last.Local().Format(time.DateTime))
	}
	switch {
	case r.Broken > len(r.Breaks):
		return fmt.Sprintf("the audit is not as wisp wrote it: %d places, of which the first %d are listed; %s", r.Broken, len(r.Breaks), what)
	case r.Broken > 0:
		return fmt.Sprintf("the audit is not as wisp wrote it: %s; %s", count(r.Broken, "place", "places"), what)
	case r.Files == 0:
		return "there is no audit yet: " + phrase.Inert(path) + " isn't there"
	}
	return "the audit is whole: " + what
}

// timed is a time, nil where there is none.
func timed(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
