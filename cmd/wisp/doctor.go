package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"wisp/engine/secret"
	"wisp/engine/text"
)

// doctorUsage is the end of a sentence about a wrong command line.
const doctorUsage = "`wisp doctor` says what is in force here and what to do about it; --json for a program"

// The levels of a finding.
const (
	levelOK    = "ok"
	levelNote  = "note"  // worth knowing; nothing has to be done
	levelWrong = "wrong" // something must be done
)

// finding is one row of what `wisp doctor` says; docs/doctor.md has one for each What.
type finding struct {
	Area  string `json:"area"`
	Level string `json:"level"`
	What  string `json:"what"` // the subject, from a fixed set
	Why   string `json:"why"`  // what was found
	Todo  string `json:"todo"` // "" where there is nothing to do
}

// sheet gathers the findings of one area, in their order.
type sheet struct {
	area string
	rows []finding
}

func (s *sheet) put(level, what, todo, why string, a []any) {
	s.rows = append(s.rows, finding{Area: s.area, Level: level, What: what, Why: fmt.Sprintf(why, a...), Todo: todo})
}

func (s *sheet) ok(what, why string, a ...any) { s.put(levelOK, what, "", why, a) }

func (s *sheet) note(what, todo, why string, a ...any) { s.put(levelNote, what, todo, why, a) }

func (s *sheet) wrong(what, todo, why string, a ...any) { s.put(levelWrong, what, todo, why, a) }

// doctor is `wisp doctor`: what is in force here and why, with what to do about each finding. It changes nothing, and runs nothing
// of the project's.
func doctor(args []string) int {
	f := pflag.NewFlagSet("doctor", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	asJSON := f.Bool("json", false, "")
	err := f.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Println(doctorUsage)
		return statusOK
	case err != nil:
		return fail(statusUsage, "%v: %s", err, doctorUsage)
	case f.NArg() > 0:
		return fail(statusUsage, "wisp doctor takes no %q: %s", clipped(f.Arg(0)), doctorUsage)
	}
	a := here()
	all := a.examine()
	if *asJSON {
		err = printFindingsJSON(os.Stdout, all)
	} else {
		err = printFindings(os.Stdout, all)
	}
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	for _, one := range all {
		if one.Level == levelWrong {
			return statusFailed
		}
	}
	return statusOK
}

// examine looks at everything, what is slow side by side, and returns the findings in the order of the probes.
func (a *around) examine() []finding {
	l := a.load()
	probes := []struct {
		area string
		look func(*around, *loaded, *sheet)
	}{
		{"place", (*around).home}, {"place", (*around).configuration}, {"place", (*around).project}, {"place", (*around).audit}, {"place", (*around).directories},
		{"engine", (*around).engine}, {"engine", (*around).shell}, {"engine", (*around).hook}, {"engine", (*around).git}, {"engine", (*around).face}, {"engine", (*around).limits},
		{"guard", (*around).guard}, {"guard", (*around).loose}, {"guard", (*around).lasting}, {"guard", (*around).secrets},
		{"sandbox", (*around).sandbox},
		{"models", (*around).models},
		{"terminal", (*around).terminal},
	}
	sheets := make([]sheet, len(probes))
	var looking sync.WaitGroup
	for i, p := range probes {
		sheets[i].area = p.area
		looking.Go(func() { p.look(a, l, &sheets[i]) })
	}
	looking.Wait()
	var all []finding
	for _, s := range sheets {
		all = append(all, s.rows...)
	}
	a.inert(all, l)
	return all
}

// inert makes findings fit to be printed: a line each, nothing in them that a terminal acts upon, and no secret. Inside a command
// of wisp's own what can't be written or confined is no fault of the machine's.
func (a *around) inert(all []finding, l *loaded) {
	mask := l.config.Secrets
	if mask == nil {
		mask = secret.New(a.environ, providerKeys(nil)...)
	}
	for i := range all {
		f := &all[i]
		if a.inside() && f.Level == levelWrong && (f.Area == "sandbox" || strings.HasPrefix(f.What, "writing")) {
			f.Level = levelNote
		}
		f.Why, f.Todo = text.Line(mask.Text(f.Why)), text.Line(mask.Text(f.Todo))
	}
}

// printFindings prints the rows by area, and what to do in a line of its own.
func printFindings(w io.Writer, all []finding) error {
	var b strings.Builder
	width, area, counts := 0, "", map[string]int{}
	for _, f := range all {
		width = max(width, len(f.What))
		counts[f.Level]++
	}
	for _, f := range all {
		if f.Area != area {
			area = f.Area
			fmt.Fprintf(&b, "%s\n", area)
		}
		fmt.Fprintf(&b, "  %-5s  %-*s  %s\n", f.Level, width, f.What, f.Why)
		if f.Todo != "" {
			fmt.Fprintf(&b, "         %-*s  do: %s\n", width, "", f.Todo)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", summary(counts[levelWrong], counts[levelNote]))
	_, err := io.WriteString(w, b.String())
	return err
}

// summary counts what there is to do.
func summary(wrong, notes int) string {
	said := "nothing is wrong"
	if wrong > 0 {
		said = count(wrong, "thing is wrong", "things are wrong")
	}
	if notes > 0 {
		said += ", " + count(notes, "note", "notes")
	}
	return said
}

// count is a number of things in words.
func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// printFindingsJSON prints all of them as one object.
func printFindingsJSON(w io.Writer, all []finding) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Version  string    `json:"version"`
		Findings []finding `json:"findings"`
	}{version, append([]finding{}, all...)})
}
