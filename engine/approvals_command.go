package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"wisp/engine/approvals"
	"wisp/engine/gate"
	"wisp/protocol/phrase"
)

// patternColumns is how much of a pattern a row of /approvals shows. An exact text may be long; its id or number names it whole.
const patternColumns = 60

// slashApprovals lists what was approved, for this session and beyond it, and takes it back. The file is read beside the loop: another
// process may hold its lock.
func (s *Session) slashApprovals(arguments, request string) {
	what, name, _ := strings.Cut(arguments, " ")
	name = strings.TrimSpace(name)
	var do func(*approvals.Store) (string, error)
	switch {
	case what == "", what == "list" && name == "":
		do = s.approvalsText
	case what == "revoke" && name != "":
		do = func(store *approvals.Store) (string, error) { return s.revokeApproval(store, name) }
	case what == "clear" && name == "":
		do = s.clearApprovals
	default:
		s.note("error", request, "/approvals lists them; /approvals revoke ID takes one back, by its id, its number or its pattern; /approvals clear all")
		s.settled()
		return
	}
	s.beside(listed{s.settled}, func() any {
		text, err := do(newApprovals(&s.config))
		return listed{func() {
			if err != nil {
				s.note("error", request, "%s", phrase.Inert(err.Error()))
			}
			if text != "" {
				s.result(request, text)
			}
			s.settled()
		}}
	})
}

// approvalsText lists the answers. Those of the session are listed where the file can't be read, too.
func (s *Session) approvalsText(store *approvals.Store) (string, error) {
	last, err := store.List()
	var b strings.Builder
	for i, a := range s.machine.gate.Answers() {
		if i == 0 {
			b.WriteString("until this session ends:\n")
		}
		turn := ""
		if a.Scope == gate.Once {
			turn = " · this turn"
		}
		fmt.Fprintf(&b, "  %-8d  %-8s  %s%s\n", i+1, a.Level, s.patternRow(a.Pattern), turn)
	}
	if len(last) > 0 {
		b.WriteString("for 30 days:\n")
	}
	zone := s.config.Now().Location()
	for _, a := range last {
		where := a.Scope
		if a.Scope == approvals.Project {
			where += " " + phrase.Row(a.Directory, patternColumns)
		}
		fmt.Fprintf(&b, "  %-8s  %-8s  %s · %s · until %s\n", a.ID, a.Level, s.patternRow(a.Pattern), where, a.Expires.In(zone).Format(time.DateOnly))
	}
	if b.Len() == 0 && err == nil {
		return "nothing was approved beyond its turn", nil
	}
	return strings.TrimSuffix(b.String(), "\n"), err
}

// patternRow is a pattern as a row shows it. An answer for the session may hold a secret.
func (s *Session) patternRow(pattern string) string {
	return phrase.Row(s.config.Secrets.Text(pattern), patternColumns)
}

// revokeApproval takes back an answer that lasts by its ID, one of the session by its number, or all those of a pattern.
func (s *Session) revokeApproval(store *approvals.Store, name string) (string, error) {
	given := s.machine.gate.Answers()
	if n, err := strconv.Atoi(name); err == nil && n > 0 && n <= len(given) {
		pattern := given[n-1].Pattern
		s.machine.gate.Forget(pattern)
		return "revoked for this session: " + s.patternRow(pattern), nil
	}
	var rows []string
	gone, err := store.Revoke(name)
	for _, a := range given {
		if (a.Pattern == name || s.config.Secrets.Text(a.Pattern) == name) && s.machine.gate.Forget(a.Pattern) {
			rows = append(rows, "revoked for this session: "+s.patternRow(a.Pattern))
		}
	}
	for _, a := range gone {
		if slices.ContainsFunc(given, func(g gate.Answered) bool { return g.Pattern == a.Pattern && string(g.Scope) == a.Scope }) {
			s.machine.gate.Forget(a.Pattern) // the same answer, as this session has it
		}
		where := a.Scope
		if a.Scope == approvals.Project {
			where += " " + phrase.Row(a.Directory, patternColumns)
		}
		rows = append(rows, fmt.Sprintf("revoked (%s): %s", where, s.patternRow(a.Pattern)))
	}
	if len(rows) == 0 && err == nil {
		err = fmt.Errorf("no approval is %q: /approvals lists those there are", clip(name, 40))
	}
	return strings.Join(rows, "\n"), err
}

// clearApprovals takes back all answers, of this session and those that last.
func (s *Session) clearApprovals(store *approvals.Store) (string, error) {
	given := 0
	for _, a := range s.machine.gate.Answers() {
		if s.machine.gate.Forget(a.Pattern) {
			given++
		}
	}
	held, aside, err := store.Clear()
	if aside != "" {
		return fmt.Sprintf("revoked: %d of this session; the file that couldn't be trusted is %s", given, phrase.Inert(aside)), nil
	}
	return fmt.Sprintf("revoked: %d of this session, %d that were to last", given, held), err
}

// approvalWords are what /approvals takes after what was typed of it that begins as the last word does.
func (s *Session) approvalWords(before string) []string {
	words := strings.Fields(before)
	word := lastWord(before, " ")
	typed := len(words) // whole words, /approvals among them
	if word != "" {
		typed--
	}
	var names []string
	offer := func(name string) {
		if strings.HasPrefix(name, word) && len(names) < maxCandidates {
			names = append(names, name)
		}
	}
	switch {
	case typed == 1:
		offer("revoke")
		offer("clear")
	case typed == 2 && words[1] == "revoke":
		for i := range s.machine.gate.Answers() {
			offer(strconv.Itoa(i + 1))
		}
		last, _ := newApprovals(&s.config).List() // that it can't be read, /approvals says
		for _, a := range last {
			offer(a.ID)
		}
	}
	return names
}
