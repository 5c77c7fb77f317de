package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"wisp/engine"
	"wisp/engine/gate"
	"wisp/engine/secret"
	"wisp/engine/text"
)

// permissionsUsage is the end of a sentence about a wrong command line.
const permissionsUsage = "`wisp permissions` lists the rules, `wisp permissions test LINE` says what they make of a line"

// tested is what `wisp permissions test` is asked.
type tested struct {
	options
	edit, read string
	line       string
}

// permissions is `wisp permissions`: the rules in force, or what they and the risk say of a line. Nothing runs.
func permissions(args []string) int {
	if len(args) > 0 && args[0] == "test" {
		return testPermissions(args[1:])
	}
	f, t := permissionFlags()
	err := f.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Println(permissionsUsage)
		return statusOK
	case err == nil && f.NArg() > 0:
		err = fmt.Errorf("wisp permissions takes no %q", clipped(f.Arg(0)))
	case err == nil && (t.json || t.edit != "" || t.read != ""):
		err = errors.New("--json, --edit and --read are for wisp permissions test")
	case err == nil:
		err = t.checkMode()
	}
	if err != nil {
		return fail(statusUsage, "%v: %s", err, permissionsUsage)
	}
	p, status := prepareAloud(t.options)
	if p == nil {
		return status
	}
	fmt.Println(engine.RulesText(p.settings))
	return status
}

// permissionFlags are those of both. What stands after the first word is left alone.
func permissionFlags() (*pflag.FlagSet, *tested) {
	var t tested
	f := pflag.NewFlagSet("permissions", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.SetInterspersed(false)
	f.BoolVar(&t.json, "json", false, "")
	f.BoolVar(&t.yes, "yes", false, "")
	f.StringVar(&t.mode, "mode", "", "")
	f.StringVar(&t.edit, "edit", "", "")
	f.StringVar(&t.read, "read", "", "")
	return f, &t
}

// parseTest reads the command line. Flags stand before the line, or after one that is a single word of the shell's; of several
// words, all are the line's, flags too.
func parseTest(args []string) (*tested, error) {
	f, t := permissionFlags()
	if err := f.Parse(args); err != nil {
		return t, err
	}
	words := f.Args()
	if len(words) > 1 && f.ArgsLenAtDash() < 0 {
		again, after := permissionFlags()
		*after = *t
		if again.Parse(words[1:]) == nil && again.NArg() == 0 {
			t, words = after, words[:1]
		}
	}
	t.line = strings.Join(words, " ")
	asked := 0
	for _, one := range []string{t.line, t.edit, t.read} {
		if strings.TrimSpace(one) != "" {
			asked++
		}
	}
	switch {
	case asked == 0:
		return t, errors.New("wisp permissions test needs a LINE")
	case asked > 1:
		return t, errors.New("wisp permissions test takes one of LINE, --edit FILE and --read FILE")
	case strings.ContainsRune(t.line, 0):
		return t, errors.New("a LINE can't hold a NUL character")
	}
	return t, t.checkMode()
}

// testPermissions is `wisp permissions test`.
func testPermissions(args []string) int {
	t, err := parseTest(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Println(permissionsUsage)
		return statusOK
	case err != nil:
		return fail(statusUsage, "%v: %s", err, permissionsUsage)
	}
	p, status := prepareAloud(t.options)
	if p == nil {
		return status
	}
	shell, _ := findShell(p.configuration.Shell, os.Getenv("SHELL"))
	person, _ := os.UserHomeDir()
	e := engine.Explain(engine.Config{
		Home: p.where.Home, Configuration: p.where.Configuration, Temporary: temporary(), Directory: p.directory, Person: person,
		Now: clock, Env: commandEnv(os.Environ(), p.configuration.Providers), Secrets: secret.New(nil), Settings: p.settings,
	}, t.plan(shell, p.directory), func(said string) { fail(0, "%s", text.Line(said)) })
	if !t.json {
		fmt.Println(engine.ExplainedText(e))
		return status
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	if err := out.Encode(e); err != nil {
		return fail(statusFailed, "%v", err)
	}
	return status
}

// plan is what the model would want.
func (t *tested) plan(shell, directory string) gate.Plan {
	file := func(path string) []string {
		if !filepath.IsAbs(path) {
			path = filepath.Join(directory, path)
		}
		return []string{path}
	}
	switch {
	case t.edit != "":
		return gate.Plan{Tool: "edit_file", Class: gate.Edit, Directory: directory, Paths: file(t.edit)}
	case t.read != "":
		return gate.Plan{Tool: "read_file", Class: gate.Read, Directory: directory, Paths: file(t.read)}
	}
	return gate.Plan{Tool: "shell", Class: gate.Run, Command: t.line, Shell: shell, Directory: directory}
}

// prepareAloud prepares as a session does, and says on standard error what the session would. The status is that of a
// configuration that can't be read where it is one; there is no prepared where nothing can be said at all.
func prepareAloud(o options) (*prepared, int) {
	p, err := prepare(o)
	if err != nil {
		return nil, fail(statusFailed, "%v", err)
	}
	for _, said := range p.warnings {
		fail(0, "%s", text.Line(said))
	}
	if p.broken != nil {
		return &p, statusFailed
	}
	return &p, statusOK
}

// temporary are the directories for temporary files.
func temporary() []string { return []string{"/tmp", "/var/tmp", os.TempDir()} }
