package main

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wisp/engine/model"
)

// modelPatience bounds the look for models.
const modelPatience = time.Second

// models is which would be taken, and why.
func (a *around) models(l *loaded, s *sheet) {
	if l.config.Models == nil {
		s.note("model", "", "they weren't looked for: no session could start here")
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), modelPatience)
	defer cancel()
	if name := l.config.Model; name != "" {
		if _, err := l.config.Models.Open(name); err != nil {
			s.wrong("model", `name another in "model", or take the setting out; wisp models lists them`, "%s, by the configuration: %v", name, err)
		} else {
			s.ok("model", "%s, by the configuration", name)
		}
	} else {
		switch name, why := l.config.Models.Find(ctx); name {
		case "scripted:tour":
			s.note("model", "ollama pull qwen3, or export OPENAI_API_KEY=…, or a provider of your own in the configuration", "none was found on this machine: a chat begins with the built-in tour")
		default:
			s.ok("model", "%s: %s", name, why)
		}
	}
	a.providers(l.config.Models.List(ctx), l, s)
}

// providers are the servers that were asked, by what they have.
func (a *around) providers(all []model.Info, l *loaded, s *sheet) {
	usable := 0
	var silent []string
	for _, m := range all {
		kind, name, _ := strings.Cut(m.Name, ":")
		_, configured := l.prepared.configuration.Providers[kind]
		switch {
		case m.Problem == "" && kind != "scripted":
			usable++
		case m.Problem != "" && configured:
			s.note("provider", "see to its server, its key, or providers."+kind+" in the configuration", "%s: %s", kind, m.Problem)
		case m.Problem != "" && name == "" && !slices.Contains(silent, kind):
			silent = append(silent, kind)
		}
	}
	words := ""
	if len(silent) > 0 {
		words = ". Nothing answers as " + few(silent)
	}
	if usable == 0 {
		words = "; wisp models says why"
	}
	s.ok("models", "%s%s", count(usable, "can be used", "can be used"), words)
}

// terminal is where wisp draws.
func (a *around) terminal(_ *loaded, s *sheet) {
	columns, rows, ok := a.size()
	kind := a.env("TERM")
	switch {
	case !ok:
		s.ok("terminal", "this runs without one")
	case kind == "":
		s.note("terminal", "set TERM to your terminal's name, such as xterm-256color", "TERM isn't set: nothing is coloured or drawn over")
	case kind == "dumb":
		s.note("terminal", "set TERM to your terminal's name, such as xterm-256color", "TERM is dumb: nothing is coloured or drawn over, and lines are edited by the terminal")
	default:
		s.ok("terminal", "TERM is %s", kind)
	}
	switch {
	case !ok:
	case columns < 40 || rows < 10:
		s.note("size", "make it larger: wisp-tui is made for 80×24", "%d×%d", columns, rows)
	default:
		s.ok("size", "%d×%d", columns, rows)
	}
	s.ok("colours", "%s", a.colours(kind))
	a.locale(s)
	if a.env("TMUX") != "" {
		a.tmux(s)
	}
	if a.env("SSH_CONNECTION") != "" {
		s.ok("SSH", "you are here by SSH: a notification and the clipboard are those of the terminal at the other end")
	}
	if kernel := strings.ToLower(a.kernel()); strings.Contains(kernel, "microsoft") {
		if strings.Contains(kernel, "wsl2") {
			s.ok("WSL", "version 2")
		} else {
			s.note("WSL", "wsl --set-version DISTRIBUTION 2", "version 1, whose kernel has no Landlock and no user namespaces")
		}
	}
}

// colours say how many, and by which variable.
func (a *around) colours(kind string) string {
	switch truecolor := a.env("COLORTERM"); {
	case a.env("NO_COLOR") != "":
		return "none: NO_COLOR is set"
	case kind == "" || kind == "dumb":
		return "none, by TERM"
	case truecolor == "truecolor" || truecolor == "24bit":
		return "16 million, by COLORTERM"
	case strings.Contains(kind, "256color"):
		return "256, by TERM; COLORTERM=truecolor says that there are more"
	}
	return "16; COLORTERM=truecolor says that there are more"
}

// locale is whether programs print UTF-8.
func (a *around) locale(s *sheet) {
	values := [][2]string{{"LC_ALL", a.env("LC_ALL")}, {"LC_CTYPE", a.env("LC_CTYPE")}, {"LANG", a.env("LANG")}}
	for _, one := range values {
		if one[1] == "" {
			continue
		}
		if plain := strings.ReplaceAll(strings.ToLower(one[1]), "-", ""); strings.Contains(plain, "utf8") {
			s.ok("locale", "UTF-8, by %s", one[0])
		} else {
			s.note("locale", "export LANG=C.UTF-8, or another that ends in UTF-8", "%s is %s: programs may print what no terminal shows", one[0], one[1])
		}
		return
	}
	s.note("locale", "export LANG=C.UTF-8, or another that ends in UTF-8", "none of LC_ALL, LC_CTYPE and LANG is set: programs may print ASCII alone")
}

// tmux is what wisp-tui needs of it.
func (a *around) tmux(s *sheet) {
	path := a.find("tmux")
	if path == "" {
		s.ok("tmux", "you are in it, and it isn't in the PATH here")
		return
	}
	const todo = "in ~/.tmux.conf: set -s extended-keys on, for Shift-Enter; set -s escape-time 10, for Esc without a wait"
	out, err := a.version(path, "-V")
	if err != nil {
		s.note("tmux", todo, "you are in it, and it doesn't say its version: %v", err)
		return
	}
	digits := regexp.MustCompile(`(\d+)\.(\d+)`).FindStringSubmatch(out)
	if len(digits) == 3 {
		major, _ := strconv.Atoi(digits[1])
		minor, _ := strconv.Atoi(digits[2])
		if major < 3 || major == 3 && minor < 2 {
			s.note("tmux", "tmux 3.2 or later, for keys such as Shift-Enter; set -s escape-time 10, for Esc without a wait", "%s, which has no extended-keys", out)
			return
		}
	}
	s.note("tmux", todo, "%s; whether extended-keys is on and how long escape-time is, it doesn't say from outside", out)
}
