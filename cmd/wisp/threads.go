package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"wisp/cmd/place"
	"wisp/engine"
	"wisp/engine/secret"
	"wisp/protocol/phrase"
)

const threadsUsage = "wisp threads [WORDS], search TEXT, show ID, title ID TEXT, export ID [--format markdown|json] [FILE], delete ID… [--yes]"

// threadsCommand is one command line of wisp threads.
type threadsCommand struct {
	home   string
	mask   *secret.Mask
	format string
	yes    bool
	words  []string
}

// threads is `wisp threads`: the conversations so far, and what can be done with one.
func threads(args []string) int {
	var c threadsCommand
	f := pflag.NewFlagSet("threads", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.StringVar(&c.format, "format", "", "")
	f.BoolVar(&c.yes, "yes", false, "")
	if err := f.Parse(args); errors.Is(err, pflag.ErrHelp) {
		fmt.Println(threadsUsage)
		return statusOK
	} else if err != nil {
		return fail(statusUsage, "%v: %s", err, threadsUsage)
	}
	verb, do := "", c.list
	c.words = f.Args()
	if len(c.words) > 0 {
		if known := c.verb(c.words[0]); known != nil {
			verb, do, c.words = c.words[0], known, c.words[1:]
		}
	}
	if why := c.wrong(verb); why != "" {
		return fail(statusUsage, "%s: %s", why, threadsUsage)
	}
	where, err := place.Find(os.Getenv)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	configured, err := readDocument(where.Configuration)
	if err != nil {
		fail(0, "%v", err) // headers that it hides may be shown
	}
	c.home, c.mask = where.Home, secretsOf(os.Environ(), configured.Providers)
	if err := do(); err != nil {
		return fail(statusFailed, "%s", phrase.Inert(err.Error()))
	}
	return statusOK
}

// verb is what a word of the command line does; nil where it is a word to look for.
func (c *threadsCommand) verb(word string) func() error {
	switch word {
	case "search":
		return c.search
	case "show":
		return c.show
	case "title":
		return c.title
	case "export":
		return c.export
	case "delete":
		return c.delete
	}
	return nil
}

// wrong says what is wrong with a command line; "" where nothing is.
func (c *threadsCommand) wrong(verb string) string {
	n := len(c.words)
	switch {
	case c.format != "" && verb != "export":
		return "--format is for export"
	case c.format != "" && c.format != "markdown" && c.format != "json":
		return fmt.Sprintf("--format is markdown or json, not %q", clipped(c.format))
	case c.yes && verb != "delete":
		return "--yes is for delete"
	case verb == "search" && strings.TrimSpace(strings.Join(c.words, " ")) == "":
		return "search needs a text"
	case verb == "show" && n != 1, verb == "export" && (n < 1 || n > 2), verb == "delete" && n < 1:
		return verb + " needs an id or a title"
	case verb == "title" && n < 2:
		return "title needs an id, and what to call it"
	}
	return ""
}

// list lists the conversations, or those with all words in their title, directory or id.
func (c *threadsCommand) list() error {
	all, err := engine.Threads(c.home)
	if err != nil {
		return err
	}
	if words := strings.ToLower(strings.Join(c.words, " ")); words != "" {
		var found []engine.Thread
		for _, t := range all {
			if strings.Contains(strings.ToLower(t.Title+" "+t.Directory+" "+t.ID), words) {
				found = append(found, t)
			}
		}
		all = found
	}
	if len(all) == 0 {
		fmt.Println("no conversations")
		return nil
	}
	printThreads(os.Stdout, all)
	return nil
}

// search says where a text stands in the conversations.
func (c *threadsCommand) search() error {
	text, last, found := strings.Join(c.words, " "), "", false
	err := engine.SearchThreads(c.home, text, func(h engine.Hit) bool {
		if h.Thread.ID != last {
			fmt.Printf("%s  %s  %s\n", h.Thread.ID, h.Thread.Last.Local().Format("2006-01-02 15:04"), phrase.Inert(engine.ThreadLine(h.Thread)))
			last = h.Thread.ID
		}
		_, err := fmt.Printf("    %s: %s\n", h.Kind, phrase.Inert(c.mask.Text(h.Line)))
		found = true
		return err == nil
	})
	if err == nil && !found {
		fmt.Println("no conversations")
	}
	return err
}

// show prints a conversation, whoever writes it.
func (c *threadsCommand) show() error { return c.print("markdown") }

// export writes a conversation to standard output, or to a file that isn't there yet.
func (c *threadsCommand) export() error {
	if len(c.words) == 1 {
		return c.print(c.formatOf("x.md"))
	}
	t, err := engine.FindThread(c.home, c.words[0])
	if err != nil {
		return err
	}
	notes, err := engine.ExportFile(c.words[1], c.home, t.ID, c.formatOf(c.words[1]), c.mask)
	if err == nil {
		fmt.Println(phrase.Inert(c.words[1]))
	}
	return c.told(notes, err)
}

// formatOf is the format that was asked for, else what a file's name says.
func (c *threadsCommand) formatOf(name string) string {
	switch {
	case c.format != "":
		return c.format
	case strings.EqualFold(filepath.Ext(name), ".json"):
		return "json"
	}
	return "markdown"
}

// print writes a conversation to standard output. On a terminal nothing in it drives that.
func (c *threadsCommand) print(format string) error {
	t, err := engine.FindThread(c.home, c.words[0])
	if err != nil {
		return err
	}
	out := io.Writer(os.Stdout)
	if term.IsTerminal(int(os.Stdout.Fd())) {
		out = inert{os.Stdout}
	}
	notes, err := engine.ExportThread(out, c.home, t.ID, format, c.mask)
	return c.told(notes, err)
}

// told says what of a record is damaged.
func (c *threadsCommand) told(notes []string, err error) error {
	for _, n := range notes {
		fail(0, "%s", phrase.Inert(n))
	}
	return err
}

// inert makes what is written harmless to a terminal. A character that two writes part is shown as two.
type inert struct{ to io.Writer }

// Write implements io.Writer.
func (i inert) Write(p []byte) (int, error) {
	_, err := io.WriteString(i.to, phrase.Inert(string(p)))
	return len(p), err
}

// title gives a conversation a title.
func (c *threadsCommand) title() error {
	t, err := engine.FindThread(c.home, c.words[0])
	if err != nil {
		return err
	}
	return engine.TitleThread(engine.Config{Home: c.home, Version: version, Now: clock, Secrets: c.mask}, t.ID, strings.Join(c.words[1:], " "))
}

// delete deletes conversations, each after a yes.
func (c *threadsCommand) delete() error {
	var all []engine.Thread
	for _, name := range c.words { // all are known before one goes
		t, err := engine.FindThread(c.home, name)
		if err != nil {
			return err
		}
		all = append(all, t)
	}
	person := term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stderr.Fd()))
	in := bufio.NewReader(os.Stdin)
	for _, t := range all {
		if !c.yes {
			if !person {
				return errors.New("nobody can be asked here: `wisp threads delete --yes` deletes without a question")
			}
			fmt.Fprintf(os.Stderr, "%s  %s\nDelete it, its outputs too? [y/N] ", t.ID, phrase.Inert(engine.ThreadLine(t)))
			answer, _ := in.ReadString('\n')
			if word := strings.ToLower(strings.TrimSpace(answer)); word != "y" && word != "yes" {
				fmt.Println("it stays")
				continue
			}
		}
		gone, err := engine.DeleteThread(c.home, t.ID)
		if err != nil {
			return err
		}
		fmt.Println(gone)
	}
	return nil
}

// printThreads lists conversations, a line each.
func printThreads(w io.Writer, all []engine.Thread) {
	for i, t := range all {
		title := t.Title
		if t.Problem != "" {
			title = "can't be opened: " + t.Problem
		}
		fmt.Fprintf(w, "%3d  %s  %s  %s\n     %s\n", i+1, t.ID, t.Last.Local().Format("2006-01-02 15:04"), phrase.Inert(title), phrase.Inert(t.Directory))
	}
}

// chooseThread asks which conversation to resume.
func chooseThread(config engine.Config) (string, error) {
	all, err := engine.Threads(config.Home)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", fmt.Errorf("there is no conversation to resume yet")
	}
	all = all[:min(len(all), 20)]
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return "", fmt.Errorf("--resume needs an id or a title where nobody can be asked: `wisp threads` lists them")
	}
	printThreads(os.Stderr, all)
	fmt.Fprint(os.Stderr, "Which one (number)? ")
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || n < 1 || n > len(all) {
		return "", fmt.Errorf("no conversation was chosen")
	}
	return all[n-1].ID, nil
}
