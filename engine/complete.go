package engine

import (
	"context"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"wisp/engine/command"
	"wisp/protocol"
)

// maxCandidates bounds a completion's answer.
const maxCandidates = 100

// complete answers what could stand at the cursor: a slash command, a model, a path.
func (s *Session) complete(m protocol.Complete) {
	before := runes(m.Text, m.Cursor)
	request := m.ID.ID
	trimmed := strings.TrimLeft(before, " \t")
	switch {
	case strings.HasPrefix(trimmed, "/model "):
		s.completeModel(before, request)
		return
	case strings.HasPrefix(trimmed, "/cd "):
		s.candidates(before, request, s.paths(lastWord(before, "/cd "), true))
	case strings.HasPrefix(trimmed, "/jobs "):
		s.candidates(before, request, s.jobWords(trimmed))
	case strings.HasPrefix(trimmed, "/approvals "):
		s.candidates(before, request, s.approvalWords(trimmed))
	case strings.HasPrefix(trimmed, "/context "):
		s.candidates(before, request, s.views(lastWord(before, " ")))
	case strings.HasPrefix(trimmed, "/") && !strings.Contains(trimmed, " "):
		var names []string
		for _, n := range command.Complete(trimmed[1:]) {
			names = append(names, "/"+n)
		}
		own, _ := s.customs()
		for _, c := range own {
			if strings.HasPrefix(c.name, trimmed[1:]) {
				names = append(names, "/"+c.name)
			}
		}
		s.reply(request, utf8.RuneCountInString(before)-utf8.RuneCountInString(trimmed), names)
	case strings.HasPrefix(trimmed, "!"):
		s.completeCommand(before, strings.TrimLeft(trimmed, "!"), request)
	case strings.HasPrefix(trimmed, "/mode "):
		s.candidates(before, request, beginning(modes(), lastWord(before, " ")))
	case strings.HasPrefix(trimmed, "/resume "):
		s.completeThread(before, request)
	case strings.HasPrefix(trimmed, "/export "):
		s.candidates(before, request, s.paths(lastWord(before, " "), false))
	default:
		s.completeMention(before, request)
	}
}

// completeMention answers with what a mention could go on with, blanks in its path escaped.
func (s *Session) completeMention(before, request string) {
	from, path, ok := mentionAt(before)
	if !ok {
		s.candidates(before, request, nil)
		return
	}
	var names []string
	for _, name := range s.paths(path, false) {
		names = append(names, "@"+asMention(name))
	}
	s.reply(request, utf8.RuneCountInString(before[:from]), names)
}

// beginning are the words that begin so.
func beginning(words []string, with string) []string {
	var found []string
	for _, w := range words {
		if strings.HasPrefix(w, with) {
			found = append(found, w)
		}
	}
	return found
}

// completeThread looks for conversations beside the loop.
func (s *Session) completeThread(before, request string) {
	word := strings.ToUpper(lastWord(before, " "))
	s.later(func() any {
		all, _ := Threads(s.config.Home) // what can't be listed completes nothing
		var names []string
		for _, t := range all {
			if strings.HasPrefix(t.ID, word) && t.Problem == "" && len(names) < maxCandidates {
				names = append(names, t.ID)
			}
		}
		return listed{func() { s.candidates(before, request, names) }}
	})
}

// candidates answers with words that take the place of the last one.
func (s *Session) candidates(before, request string, words []string) {
	word := lastWord(before, " ")
	s.reply(request, utf8.RuneCountInString(before)-utf8.RuneCountInString(word), words)
}

func (s *Session) reply(request string, from int, words []string) {
	s.out.post(protocol.Completions{Request: request, From: from, Candidates: words})
}

// views are what /context takes that begins as word does: the newest turns first.
func (s *Session) views(word string) []string {
	var names []string
	for _, name := range []string{"next", "turns"} {
		if strings.HasPrefix(name, word) {
			names = append(names, name)
		}
	}
	for turn := s.state.turn; turn > 0 && len(names) < maxCandidates; turn-- {
		if name := strconv.Itoa(turn); strings.HasPrefix(name, word) {
			names = append(names, name)
		}
	}
	return names
}

// completeModel asks the machine for its models beside the loop.
func (s *Session) completeModel(before, request string) {
	word := lastWord(before, " ")
	s.later(func() any {
		ctx, cancel := context.WithTimeout(s.machine.lookups, findPatience)
		defer cancel()
		var names []string
		for _, m := range s.model.models.List(ctx) {
			if m.Problem == "" && strings.HasPrefix(m.Name, word) {
				names = append(names, m.Name)
			}
		}
		return listed{func() { s.candidates(before, request, names) }}
	})
}

// paths lists what begins as word does, directories with a slash.
func (s *Session) paths(word string, onlyDirectories bool) []string {
	folder, start := filepath.Split(word)
	in := folder
	switch {
	case strings.HasPrefix(folder, "~/"):
		in = filepath.Join(s.config.Person, folder[2:])
	case !filepath.IsAbs(folder):
		in = filepath.Join(s.state.directory, folder)
	}
	entries, err := os.ReadDir(in)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), start) || start == "" && strings.HasPrefix(e.Name(), ".") {
			continue
		}
		info, err := os.Stat(filepath.Join(in, e.Name()))
		dir := err == nil && info.IsDir()
		switch {
		case dir:
			names = append(names, folder+e.Name()+"/")
		case !onlyDirectories:
			names = append(names, folder+e.Name())
		}
		if len(names) == maxCandidates {
			break
		}
	}
	sort.Strings(names)
	return names
}

// lastWord is what stands after the last of sep.
func lastWord(s, sep string) string {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[i+len(sep):]
	}
	return s
}

// runes is the first n characters.
func runes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
