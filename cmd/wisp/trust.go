package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"wisp/cmd/place"
	"wisp/engine"
	"wisp/engine/text"
)

// trust is `wisp trust`: whether a project's own file may say more than what tightens the person's settings.
func trust(args []string) int {
	f := pflag.NewFlagSet("trust", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	var list, revoke, yes bool
	f.BoolVar(&list, "list", false, "")
	f.BoolVar(&revoke, "revoke", false, "")
	f.BoolVar(&yes, "yes", false, "")
	err := f.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Print(usage)
		return statusOK
	case err == nil && f.NArg() > 1:
		err = errors.New("wisp trust takes one directory")
	case err == nil && list && (revoke || yes || f.NArg() > 0):
		err = errors.New("wisp trust --list stands alone")
	case err == nil && revoke && yes:
		err = errors.New("wisp trust --revoke asks nothing: leave out --yes")
	}
	if err != nil {
		return fail(statusUsage, "%v: `wisp help` lists the flags", err)
	}
	where, err := place.Find(os.Getenv)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	dir, err := filepath.Abs(f.Arg(0))
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	switch {
	case list:
		err = listTrusted(where)
	case os.Getenv("WISP_SESSION") != "":
		err = errors.New("a command inside wisp can't say what is trusted: use a terminal of your own")
	case revoke:
		err = revokeTrust(where, dir)
	default:
		err = trustProject(where, dir, yes)
	}
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	return statusOK
}

// trustProject shows what a project's file would set, and trusts it where the person says yes.
func trustProject(where place.Places, dir string, yes bool) error {
	path := findProject(dir, where)
	if path == "" {
		return fmt.Errorf("%s has no .wisp/config.json, nor has a directory above it within its repository", text.Line(dir))
	}
	d, err := readProject(path)
	if err != nil {
		return err
	}
	all, err := readTrusted(where.Home)
	if err != nil {
		return fmt.Errorf("%w: mend it, or remove it to trust none", err)
	}
	if all[path] == d.hash {
		fmt.Printf("%s is trusted already\n", text.Line(path))
		return nil
	}
	mine, err := readDocument(where.Configuration)
	if err != nil {
		return err
	}
	fmt.Print(d.offer(mine.settings()))
	if !yes {
		if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stderr.Fd())) {
			return errors.New("nobody can be asked here: `wisp trust --yes` takes it")
		}
		fmt.Fprint(os.Stderr, "Trust it, until it changes? [y/N] ")
		answer, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		if word := strings.ToLower(strings.TrimSpace(answer)); word != "y" && word != "yes" {
			return errors.New("it isn't trusted")
		}
	}
	err = changeTrusted(where.Home, func(projects map[string]string) { projects[path] = d.hash })
	if err == nil {
		fmt.Printf("%s is trusted until it changes\n", text.Line(path))
	}
	return err
}

// offer is what a person reads before they trust a project's file: each setting in a line, and what none of it does.
func (d document) offer(mine engine.Settings) string {
	var b strings.Builder
	asIs, trusted := d.shares(mine, false), d.shares(mine, true)
	fmt.Fprintf(&b, "%s\n", text.Line(d.path))
	list := func(title string, all []setting) {
		if len(all) == 0 {
			return
		}
		b.WriteString(title + "\n")
		for _, s := range all {
			b.WriteString("  " + s.String() + s.warning() + "\n")
		}
	}
	list("trusted, it would also set:", asIs.left)
	var stays []setting
	for _, s := range d.keys {
		if !slices.Contains(asIs.left, s) && !slices.Contains(trusted.never, s) {
			stays = append(stays, s)
		}
	}
	list("it tightens your settings, trusted or not:", stays)
	list("never taken from a project:", trusted.never)
	if slices.ContainsFunc(trusted.taken, func(key string) bool { return strings.HasPrefix(key, "permission.") }) {
		b.WriteString("trusted, its rules stand after yours: the last that matches decides\n")
	}
	return b.String()
}

// warning is what is to be known of a setting that runs something.
func (s setting) warning() string {
	switch s.key {
	case "hooks.shellEnv":
		return "  (runs in every session here, outside the sandbox; what it starts isn't looked at)"
	case "shell":
		return "  (runs every command)"
	}
	return ""
}

// listTrusted lists the files that are trusted, and what became of them.
func listTrusted(where place.Places) error {
	all, err := readTrusted(where.Home)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Println("no project is trusted")
	}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		state := "trusted"
		d, err := readProject(path)
		switch {
		case d.hash == "":
			state = "can't be read: it isn't taken"
		case d.hash != all[path]:
			state = "changed since: not trusted"
		case err != nil:
			state = "has a fault: it isn't taken"
		}
		fmt.Printf("%s  %s\n", text.Line(path), state)
	}
	return nil
}

// revokeTrust takes the trust from a directory's project.
func revokeTrust(where place.Places, dir string) error {
	paths := []string{findProject(dir, where), projectFile(realPath(dir)), dir} // the file may be gone; a path from the list will do
	gone := ""
	err := changeTrusted(where.Home, func(projects map[string]string) {
		for _, path := range paths {
			if _, ok := projects[path]; ok && gone == "" {
				delete(projects, path)
				gone = path
			}
		}
	})
	switch {
	case err != nil:
		return err
	case gone == "":
		return fmt.Errorf("%s is no project that you trust: `wisp trust --list` lists them", text.Line(dir))
	}
	fmt.Printf("%s isn't trusted any more\n", text.Line(gone))
	return nil
}
