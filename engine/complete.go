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
		s.reply(request, utf8.RuneCountInString(before)-utf8.RuneCountInString(trimmed), names)
	case strings.HasPrefix(trimmed, "!"):
		s.completeCommand(before, strings.TrimLeft(trimmed, "!"), request)
	default:
		var names []string
		if word, ok := strings.CutPrefix(lastWord(before, " "), "@"); ok {
			for _, name := range s.paths(word, false) {
				names = append(names, "@"+name)
			}
		}
		s.candidates(before, request, names)
	}
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
