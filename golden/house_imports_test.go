package golden

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// room is what a package may import of ours, and why no more. A name that ends in /... stands for what is below too.
type room struct {
	name string
	may  []string
	why  string
}

// rooms is design.md's "Who may import whom". The first row that fits counts.
func rooms() []room {
	everything := []string{"..."}
	return []room{
		{"protocol", nil, "the wire is for faces in any language: what it means can't depend on how the engine is built"},
		{"protocol/phrase", []string{"protocol"}, "both faces say the same of a message, and a message is all that they have"},
		{"protocol/acp", []string{"protocol", "protocol/phrase"}, "a bridge is a face: it has the wire and nothing else"},
		{"protocol/mcp", []string{"protocol", "protocol/phrase"}, "a bridge is a face: it has the wire and nothing else"},
		{"edit", []string{"protocol/phrase"}, "text that is being edited is text: no face, no terminal"},
		{"plainchat/edit", []string{"protocol/phrase", "edit"}, "a line editor knows keys and cells, and takes its colours from phrase"},
		{"plainchat", []string{"protocol", "protocol/phrase", "plainchat/edit", "edit"}, "a face in the engine's process has no private path to it: what it can do, an editor can"},
		{"tui/screen", nil, "what is drawn is rows: who made them is not the screen's matter"},
		{"tui/markdown", []string{"protocol/phrase"}, "text to rows, in the colours that both faces share"},
		{"tui/box", []string{"protocol/phrase", "edit"}, "the box knows keys and modes; what a line means is the engine's"},
		{"tui/panel", []string{"protocol", "protocol/phrase", "edit"}, "a panel shows what it is given and says what was chosen"},
		{"tui", []string{"protocol", "protocol/phrase", "edit", "tui/..."}, "a face has the wire and nothing else"},
		{"engine/stop", nil, "a stop doesn't know what it stops"},
		{"engine/sandbox", nil, "a profile is made from paths, not from what runs in it"},
		{"engine/ulid", nil, "an id is a time and chance"},
		{"engine/approvals", nil, "answers that last are words in a file: what they allow is the gate's to say"},
		{"engine/audit", []string{"engine/ulid"}, "the log is read by other programs: its kinds stand by themselves"},
		{"engine/thread", []string{"engine/ulid"}, "the record outlives every other type here"},
		{"engine/shape", nil, "a value is checked by a schema, whoever made either"},
		{"engine/export", []string{"engine/thread"}, "a document is a function of the record alone"},
		{"engine/secret", nil, "masking is text to text"},
		{"engine/text", nil, "bytes to clean text, and nothing more"},
		{"engine/reap", nil, "it finds and kills families of processes, whoever started them"},
		{"engine/git", nil, "it asks git, and says what git said"},
		{"engine/command", nil, "the table of slash commands is read by the engine and by help, and calls neither"},
		{"engine/model", nil, "providers meet here, so nothing here may know one"},
		{"engine/model/find", []string{"engine/model", "engine/model/ollama", "engine/model/openai", "engine/model/scripted"}, "it chooses among the providers, and is the only one who knows several"},
		{"engine/model/...", []string{"engine/model"}, "a provider translates one service to the client's interface, without a look at another or at the conversation"},
		{"engine/gate", []string{"engine/sandbox"}, "a check judges a plan, and can't run it"},
		{"engine/group", []string{"engine/gate", "engine/sandbox", "engine/text", "engine/reap"}, "it starts and ends what was cleared, and has no part in what that prints"},
		{"engine/proc", []string{"engine/group", "engine/gate", "engine/sandbox", "engine/stop", "engine/text", "engine/reap"}, "it runs what was cleared, for whoever asks"},
		{"engine/pty/screen", nil, "a screen is bytes to cells: no terminal, no program"},
		{"engine/pty/pair", nil, "a pseudo-terminal is two ends, and knows no program"},
		{"engine/pty", []string{"engine/pty/pair", "engine/pty/screen", "engine/group", "engine/gate", "engine/sandbox", "engine/stop", "engine/text"}, "it runs what was cleared, for whoever asks"},
		{"engine/tasks", []string{"engine/gate", "engine/proc", "engine/stop"}, "a task is a command that nobody waits for"},
		{"engine/facts", []string{"engine/thread"}, "facts come from the record alone, so that they can be made again from it"},
		{"engine/sidecar", []string{"engine/thread", "engine/facts"}, "it holds only what the record can give again"},
		{"engine/compose", []string{"engine/thread", "engine/facts", "engine/model"}, "the next request is a function of record and facts: no file, no clock, no process"},
		{"engine/undo", []string{"engine/git", "engine/thread"}, "it takes back files, and doesn't ask why they were written"},
		{"tools/change", nil, "an edit is text to text: it knows no tool and no file"},
		{"tools/notebook", nil, "an edit of a notebook is bytes to bytes: it knows no tool and no file"},
		{"tools", []string{"tools/change", "tools/notebook", "engine/gate", "engine/model", "engine/proc", "engine/pty", "engine/stop", "engine/tasks", "engine/undo", "engine/git", "engine/text"}, "a tool plans and does; the record, the wire and the person are the turn's"},
		{"engine", []string{"protocol", "protocol/phrase", "tools", "tools/change", "engine/..."}, "the engine may not know which face or which provider it was given"},
		{"cmd/place", nil, "both commands read the same places, and neither may read them its own way"},
		{"cmd/wisp", []string{"cmd/place", "engine/...", "plainchat", "protocol/...", "tools"}, "the wiring joins engine and plain chat; the Bubble Tea face is another program"},
		{"cmd/wisp-tui", []string{"cmd/place", "tui", "tui/screen", "protocol", "protocol/phrase"}, "the face starts the engine and has its lines: it links none of it"},
		{"golden/terminal", []string{"engine/pty/pair"}, "a terminal runs any program, and knows none"},
		{"golden", everything, "stories are seen from every side"},
	}
}

// within says whether a name is a pattern's.
func within(name, pattern string) bool {
	if above, ok := strings.CutSuffix(pattern, "..."); ok {
		return name == strings.TrimSuffix(above, "/") || strings.HasPrefix(name, above)
	}
	return name == pattern
}

// door is a package of others', or a dangerous one of Go's, and the rooms that may import it.
type door struct {
	path string // and what is below it
	may  []string
	why  string
}

// doors has every third-party package. One that isn't here has no door.
func doors() []door {
	return []door{
		{"github.com/spf13/pflag", []string{"cmd/wisp", "cmd/wisp-tui"}, "flags are read at the door"},
		{"github.com/tailscale/hujson", []string{"cmd/wisp", "cmd/place"}, "configuration is read at the door"},
		{"golang.org/x/term", []string{"plainchat/...", "cmd/wisp", "cmd/wisp-tui"}, "terminals are a face's"},
		{"golang.org/x/sys", []string{"golden/terminal", "engine/group", "engine/proc", "engine/reap", "engine/pty", "engine/pty/pair", "engine/sandbox", "cmd/wisp", "cmd/wisp-tui", "plainchat/..."}, "system calls stay where processes and terminals are"},
		{"github.com/charmbracelet/x/ansi", []string{"engine/text", "tui/...", "golden/terminal"}, "escape sequences are taken out in one place"},
		{"github.com/clipperhouse/displaywidth", []string{"edit", "plainchat/edit", "plainchat", "tui/...", "engine/pty/screen"}, "cells are a screen's"},
		{"github.com/clipperhouse/uax29", []string{"plainchat/edit", "tui/..."}, "cells are a face's"},
		{"charm.land", []string{"tui/..."}, "Bubble Tea is one face's; the engine must start without it"},
		{"github.com/yuin/goldmark", []string{"tui/markdown"}, "Markdown is read where it is drawn"},
		{"github.com/alecthomas/chroma/v2", []string{"tui/markdown"}, "its lexers cost 11 ms at every start, so only its root, in one room"},
		{"github.com/creack/pty", []string{"engine/pty/pair"}, "pseudo-terminals are opened in one place"},
		{"github.com/landlock-lsm/go-landlock", []string{"engine/sandbox"}, "a thread that is confined never comes back, so one room makes them"},
		{"github.com/aymanbagabas/go-udiff", []string{"tools/change"}, "a change is told in one place"},
		{"mvdan.cc/sh/v3", []string{"engine/gate"}, "a command line is parsed once, where it is judged"},
		{"github.com/google/jsonschema-go", nil, "for tests: it makes tables at every start of a process"},
		{"github.com/bmatcuk/doublestar/v4", []string{"tools"}, "globs are a tool's"},
		{"github.com/go-git/go-git/v5/plumbing/format/gitignore", []string{"tools"}, "the rest of go-git is 6 MB, and git itself is asked by engine/git"},
		{"github.com/modelcontextprotocol/go-sdk", []string{"protocol/mcp"}, "one bridge, one SDK"},
		{"golang.org/x/exp/jsonrpc2", []string{"protocol/acp"}, "one bridge, one SDK"},
		{"golang.org/x/tools/txtar", nil, "for tests"},
		{"github.com/google/go-cmp", nil, "for tests"},
		{"pgregory.net/rapid", nil, "for tests"},
		{"go.uber.org/goleak", nil, "for tests"},
		{"github.com/charmbracelet/ultraviolet", []string{"golden/terminal", "tui"}, "the emulator's cells are made of it, and a terminal's answer that Bubble Tea has no name for"},
		{"github.com/muesli/cancelreader", []string{"tui"}, "keys are read in one place, which must let go of the terminal"},
		{"github.com/charmbracelet/x/vt", []string{"tui/...", "golden/terminal"}, "a terminal emulator is for tests and for what a face replays"},
		{"os/exec", []string{"engine/group", "engine/sandbox", "engine/pty", "engine/reap", "engine/git", "engine/undo", "cmd/wisp", "cmd/wisp-tui", "golden/terminal"}, "nothing starts without the gate, so few rooms can start anything"},
		{"net/http", []string{"engine/model", "engine/model/...", "cmd/wisp"}, "the engine speaks to models and to nothing else"},
	}
}

func importRules() []rule {
	return []rule{
		{"imports", "see the row in golden/house_imports_test.go", checkImports},
		{"doors", "each package of others' has one door, so that it can be changed in one place", checkDoors},
	}
}

func checkImports(h house, report func(place, what string)) {
	all := rooms()
	for _, s := range h.shipped() {
		i := slices.IndexFunc(all, func(r room) bool { return within(s.dir, r.name) })
		if i < 0 {
			report(s.path, fmt.Sprintf("the package %s has no row", s.dir))
			continue
		}
		for _, imp := range s.ast.Imports {
			name, ours := strings.CutPrefix(importPath(imp.Path.Value), "wisp/")
			if ours && !slices.ContainsFunc(all[i].may, func(p string) bool { return within(name, p) }) {
				report(s.at(imp), fmt.Sprintf("%s may not import %s, because %s", s.dir, name, all[i].why))
			}
		}
	}
}

func checkDoors(h house, report func(place, what string)) {
	all := doors()
	for _, s := range h.files {
		for _, imp := range s.ast.Imports {
			name := importPath(imp.Path.Value)
			i := slices.IndexFunc(all, func(d door) bool { return name == d.path || strings.HasPrefix(name, d.path+"/") })
			first, _, _ := strings.Cut(name, "/")
			switch {
			case i < 0 && strings.Contains(first, "."):
				report(s.at(imp), fmt.Sprintf("%s has no row", name))
			case i < 0 || s.test: // tests look through every door
			case !slices.ContainsFunc(all[i].may, func(p string) bool { return within(s.dir, p) }):
				report(s.at(imp), fmt.Sprintf("%s may not import %s, because %s", s.dir, name, all[i].why))
			}
		}
	}
}

func importPath(quoted string) string {
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return quoted
	}
	return name
}
