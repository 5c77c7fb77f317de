package screen

import (
	"fmt"
	"strconv"
	"strings"
)

// Guess says from the environment what the terminal is likely to be and to do. It is careful: a terminal that isn't known is
// said not to re-wrap. Sync stays off until the terminal itself says that it has it.
func Guess(env func(string) string) Options {
	term := env("TERM")
	switch {
	case term == "dumb" || term == "":
		return Options{}
	case term == "linux" || strings.HasPrefix(term, "vt") || term == "ansi":
		return Options{BCE: term == "linux", Paste: term == "linux"} // older ones show what they don't know
	}
	o := Options{BCE: true, Paste: true, Keys: true, Focus: true, Titles: true, Alternate: true}
	switch {
	case env("TMUX") != "":
		o.Reflow = Written
		return o
	case env("STY") != "" || strings.HasPrefix(term, "screen"):
		o.BCE = strings.Contains(term, "bce")
		return o
	}
	name := firstSet(byTerm(term), byProgram(env("TERM_PROGRAM")), byVariable(env))
	o = o.called(name)
	o.Progress = progress(name, env)
	return o
}

// Refine is what the options become when the terminal has given its name, as XTVERSION returns it: "tmux 3.3a",
// "XTerm(379)".
func (o Options) Refine(version string) Options {
	name := strings.ToLower(version)
	if i := strings.IndexFunc(name, func(r rune) bool { return r != '.' && r != '-' && (r < 'a' || r > 'z') }); i >= 0 {
		name = name[:i]
	}
	if name == "" {
		return o
	}
	if name == "tmux" {
		o.BCE = true
		o.Links = tmuxLinks(version)
	}
	if o.Reflow == Written && name != "tmux" {
		return o // what is around tmux has answered; the band is tmux's
	}
	return o.called(name)
}

// called sets what a terminal of a name does with its rows. A name that isn't known changes nothing.
func (o Options) called(name string) Options {
	switch name {
	case "tmux":
		o.Reflow = Written
	case "kitty", "xterm-kitty", "foot", "wezterm", "mintty", "iterm.app", "iterm", "windows", "rxvt", "contour", "rio":
		o.Reflow = Text
	case "vscode", "xterm.js", "hyper", "tabby":
		o.Reflow = Above
	case "vte", "alacritty", "konsole", "ghostty", "apple_terminal":
		o.Reflow = Cells
	case "xterm", "screen", "st", "linux":
		o.Reflow = None
	}
	switch name {
	case "kitty", "xterm-kitty", "foot", "wezterm", "mintty", "iterm.app", "iterm", "windows", "contour", "rio", "vscode", "xterm.js", "vte",
		"alacritty", "konsole", "ghostty":
		o.Links = true
	}
	if name == "apple_terminal" {
		o.Keys = false // takes modifyOtherKeys for colours
	}
	return o
}

// tmuxLinks says whether a tmux, as it calls itself ("tmux 3.4"), has hyperlinks: since 3.4. Those before swallow the address.
func tmuxLinks(version string) bool {
	var major, minor int
	if _, err := fmt.Sscanf(strings.ToLower(version), "tmux %d.%d", &major, &minor); err != nil {
		return false
	}
	return major > 3 || major == 3 && minor >= 4
}

// byTerm is a terminal's name from TERM, where that belongs to one terminal alone.
func byTerm(term string) string {
	for _, name := range []string{"tmux", "xterm-kitty", "foot", "wezterm", "mintty", "rxvt", "contour", "rio", "alacritty", "konsole", "st"} {
		if term == name || strings.HasPrefix(term, name+"-") {
			return name
		}
	}
	switch term {
	case "xterm-ghostty":
		return "ghostty"
	case "vte-256color", "gnome-256color":
		return "vte"
	}
	return ""
}

// byProgram is a terminal's name from TERM_PROGRAM.
func byProgram(program string) string {
	switch name := strings.ToLower(program); name {
	case "vscode", "hyper", "tabby", "wezterm", "ghostty", "iterm.app", "mintty", "rio", "apple_terminal", "tmux":
		return name
	}
	return ""
}

// byVariable is a terminal's name from variables that one sets for what runs in it. They outlive it where another is started
// from it, so the ones that lead to None come first.
func byVariable(env func(string) string) string {
	for _, v := range [][2]string{
		{"XTERM_VERSION", "xterm"}, {"WT_SESSION", "windows"}, {"KITTY_WINDOW_ID", "kitty"}, {"ALACRITTY_WINDOW_ID", "alacritty"},
		{"KONSOLE_VERSION", "konsole"}, {"VTE_VERSION", "vte"},
	} {
		if env(v[0]) != "" {
			return v[1]
		}
	}
	return ""
}

// progress says whether a terminal shows OSC 9;4. Some others take OSC 9 for a notification.
func progress(name string, env func(string) string) bool {
	const vteWithProgress = 8000
	vte, _ := strconv.Atoi(env("VTE_VERSION"))
	return name == "windows" || name == "ghostty" || name == "mintty" || env("ConEmuANSI") == "ON" || name == "vte" && vte >= vteWithProgress
}

func firstSet(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}
