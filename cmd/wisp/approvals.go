package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"wisp/cmd/place"
	"wisp/engine/approvals"
	"wisp/engine/text"
)

// approvalsUsage is the end of a sentence about a wrong command line.
const approvalsUsage = "`wisp approvals` lists them (--json for a program), `wisp approvals revoke ID|PATTERN…` and `wisp approvals clear` take them back"

// approved is `wisp approvals`: the answers that last, listed and taken back. A wisp that runs sees the file change.
func approved(args []string) int {
	f := pflag.NewFlagSet("approvals", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	asJSON := f.Bool("json", false, "")
	if err := f.Parse(args); errors.Is(err, pflag.ErrHelp) {
		fmt.Println(approvalsUsage)
		return statusOK
	} else if err != nil {
		return fail(statusUsage, "%s: %s", err, approvalsUsage)
	}
	what, rest := "list", f.Args()
	if len(rest) > 0 {
		what, rest = rest[0], rest[1:]
	}
	switch {
	case !slices.Contains([]string{"list", "revoke", "clear"}, what):
		return fail(statusUsage, "wisp approvals takes no %q: %s", what, approvalsUsage)
	case what == "revoke" && len(rest) == 0:
		return fail(statusUsage, "wisp approvals revoke needs an ID or a pattern: `wisp approvals` lists them")
	case what != "revoke" && len(rest) > 0:
		return fail(statusUsage, "wisp approvals %s takes no %q", what, rest[0])
	case what != "list" && *asJSON:
		return fail(statusUsage, "--json is for the list alone")
	}
	where, err := place.Find(os.Getenv)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	store := approvals.Open(filepath.Join(where.Home, approvals.FileName), time.Now)
	switch what {
	case "revoke":
		return revokeApprovals(store, rest)
	case "clear":
		return clearApprovals(store)
	}
	return listApprovals(store, *asJSON)
}

// listApprovals prints them, the newest first.
func listApprovals(store *approvals.Store, asJSON bool) int {
	all, err := store.List()
	if err != nil {
		return fail(statusFailed, "%s", text.Line(err.Error()))
	}
	if asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetEscapeHTML(false)
		if err := e.Encode(append([]approvals.Approval{}, all...)); err != nil {
			return fail(statusFailed, "%v", err)
		}
		return statusOK
	}
	if len(all) == 0 {
		fmt.Println("no approvals last")
	}
	for _, a := range all {
		fmt.Println(approvalRow(a))
	}
	return statusOK
}

// approvalRow is an approval in a line.
func approvalRow(a approvals.Approval) string {
	where := a.Scope
	if a.Scope == approvals.Project {
		where += " " + text.Line(a.Directory)
	}
	return fmt.Sprintf("%s  %-8s  %s  `%s`  until %s", a.ID, a.Level, where, text.Line(a.Pattern), a.Expires.Local().Format("2006-01-02 15:04"))
}

// revokeApprovals takes back those that are named. One that isn't there doesn't keep the others.
func revokeApprovals(store *approvals.Store, names []string) int {
	status := statusOK
	for _, name := range names {
		gone, err := store.Revoke(name)
		if err != nil {
			return fail(statusFailed, "%s", text.Line(err.Error()))
		}
		if len(gone) == 0 {
			status = fail(statusFailed, "no approval is %q: `wisp approvals` lists them", text.Line(name))
		}
		for _, a := range gone {
			fmt.Println("revoked " + approvalRow(a))
		}
	}
	return status
}

// clearApprovals takes back all.
func clearApprovals(store *approvals.Store) int {
	held, aside, err := store.Clear()
	switch {
	case err != nil:
		return fail(statusFailed, "%s", text.Line(err.Error()))
	case aside != "":
		fmt.Println("no approval lasts now: the file that couldn't be trusted is " + text.Line(aside))
	case held == 1:
		fmt.Println("revoked 1 approval")
	default:
		fmt.Printf("revoked %d approvals\n", held)
	}
	return statusOK
}
