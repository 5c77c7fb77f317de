// Package command is the table of slash commands: their names, arguments and help, and nothing of what they do.
//
// The one table feeds /help, completion, the nearest name for a mistyped one, and the docs; the session has a function
// for each. What is typed after a slash and isn't in the table is said, and never sent to a model.
//
// What the package doesn't do: it runs nothing and knows no session. Specified in conversation.md, "Slash commands".
package command

import "strings"

// Command is one slash command.
type Command struct {
	// Name without its slash.
	Name string
	// Arguments as /help shows them: "[ID]".
	Arguments string
	// Help is one line.
	Help string
	// AtOnce says that it is answered while something runs: it only reads.
	AtOnce bool
}

// Table lists all slash commands in the order that /help shows.
func Table() []Command {
	return []Command{
		{"help", "", "what can be typed", true},
		{"new", "", "start a new conversation", false},
		{"resume", "[ID|TITLE]", "go on with another conversation; without a name, choose one", false},
		{"threads", "[TEXT]", "the conversations so far, or those in which a text stands", false},
		{"title", "[TEXT]", "give this conversation a title", false},
		{"model", "[NAME]", "switch to a model; without a name, choose one", false},
		{"models", "", "list the models that can be used", false},
		{"cd", "DIR", "move the conversation to a directory", false},
		{"show", "[ID] [LINE]", "page a stored output; the newest without an id", true},
		{"last", "", "show the newest output whole", true},
		{"context", "[next|N|turns]", "what the next request carries, or the last one of turn N; the turns", true},
		{"compact", "[FOCUS]", "tell older turns in short, keeping what you name", false},
		{"summary", "", "what stands for the turns that are told in short", true},
		{"thinking", "", "what the model thought in its newest turn", true},
		{"tokens", "", "how the next request's tokens are spent", true},
		{"task", "[TEXT]", "what the conversation is for: the model is told with every prompt", false},
		{"facts", "[all]", "what is known, and who says so; with what was superseded", true},
		{"fact", "[SUBJECT NAME = VALUE]", "state a fact; `delete ID`; `ID permanent|thread|session`", false},
		{"background", "", "let the command of yours that runs go on in the background", true},
		{"attach", "COMMAND", "run a command on your terminal: an editor, a pager, a login", true},
		{"jobs", "[stop ID|show ID]", "what runs or ran in the background; stop one, show what it printed", true},
		{"plan", "", "plan mode: the model only reads", true},
		{"act", "", "plan mode off: the model may act again", false},
		{"mode", "[MODE]", "how much is put to you: plan, ask, smart or yes", false},
		{"permissions", "[COMMAND]", "the rules that hold; what they and the risk say of a command, without running it", true},
		{"approvals", "[revoke ID]", "what you approved, for this session and beyond; take one back, or `clear` all", true},
		{"tools", "", "what the model may call", true},
		{"mcp", "", "the MCP servers whose tools the model may call", true},
		{"undo", "", "take back what the last turn changed of files", false},
		{"redo", "", "return what /undo took back", false},
		{"diff", "", "what the last turn changed of files", true},
		{"history", "", "what you asked and ran in this conversation", true},
		{"status", "", "model, directory, thread, and what holds here", true},
		{"stats", "", "turns, requests, times, tokens, failures and cost by model", true},
		{"config", "", "the settings in force, each with where it comes from", true},
		{"copy", "", "copy the last reply to the clipboard of your terminal", true},
		{"editor", "[TEXT]", "write the next prompt in your editor", false},
		{"init", "[TEXT]", "have the model look at the project and write its AGENTS.md", false},
		{"export", "[FILE]", "write this conversation to a file, as Markdown or JSON, secrets masked", false},
		{"quit", "", "leave; `wisp chat --continue` comes back", true},
	}
}

// Find returns the command of that name.
func Find(name string) (Command, bool) {
	for _, c := range Table() {
		if c.Name == name {
			return c, true
		}
	}
	return Command{}, false
}

// Split parts a line without its slash into name and arguments.
func Split(line string) (name, arguments string) {
	name, arguments, _ = strings.Cut(strings.TrimSpace(line), " ")
	return name, strings.TrimSpace(arguments)
}

// Nearest returns the name that a mistyped one most likely meant, of the table or of the person's own; "" where none is near.
func Nearest(name string, own ...string) string {
	for _, c := range Table() {
		own = append(own, c.Name)
	}
	best, least := "", 3 // three slips are another word
	for _, c := range own {
		if d := distance(strings.ToLower(name), c); d < least && d < len(c) {
			best, least = c, d
		}
		if best == "" && len(name) > 1 && strings.HasPrefix(c, name) {
			best = c
		}
	}
	return best
}

// distance counts the letters to insert, delete or replace between two short words.
func distance(a, b string) int {
	if len(a) > 40 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// Complete returns the names that begin as text does, text being a line's start without its slash.
func Complete(text string) []string {
	var names []string
	for _, c := range Table() {
		if strings.HasPrefix(c.Name, text) {
			names = append(names, c.Name)
		}
	}
	return names
}
