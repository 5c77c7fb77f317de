package screen

import (
	"strings"
	"testing"
)

func TestGuess(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		env    string
		reflow Reflow
		bce    bool
	}{
		{"TERM=xterm-256color", None, true},
		{"TERM=foo", None, true},
		{"", None, false},
		{"TERM=dumb VTE_VERSION=7000", None, false},
		{"TERM=linux", None, true},
		{"TERM=screen-256color TMUX=/tmp/x,1,0 VTE_VERSION=7000", Written, true},
		{"TERM=tmux-256color", Written, true},
		{"TERM=screen-256color", None, false},
		{"TERM=screen.xterm-256color STY=1.tty VTE_VERSION=7000", None, false},
		{"TERM=screen-256color-bce STY=1", None, true},
		{"TERM=xterm-256color VTE_VERSION=7006", Cells, true},
		{"TERM=xterm-256color XTERM_VERSION=XTerm(379) VTE_VERSION=7006", None, true},
		{"TERM=xterm-256color KONSOLE_VERSION=221203", Cells, true},
		{"TERM=xterm-256color WT_SESSION=a", Text, true},
		{"TERM=xterm-256color TERM_PROGRAM=vscode", Above, true},
		{"TERM=xterm-kitty", Text, true},
		{"TERM=alacritty VTE_VERSION=7000", Cells, true},
		{"TERM=xterm-256color TERM_PROGRAM=Apple_Terminal", Cells, true},
	} {
		env := map[string]string{}
		for _, v := range strings.Fields(test.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		if o := Guess(func(name string) string { return env[name] }); o.Reflow != test.reflow || o.BCE != test.bce || o.Sync {
			t.Errorf("%s: %+v", test.env, o)
		}
	}
}

func TestRefine(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]Reflow{
		"tmux 3.3a": Written, "XTerm(379)": None, "VTE(7006)": Cells, "kitty(0.26.5)": Text, "xterm.js(5.5.0)": Above, "WezTerm 20230712": Text,
		"Konsole 22.12.3": Cells, "ghostty 1.0.0": Cells, "foot(1.13.1)": Text, "iTerm2 3.5": Text, "": Cells, "unheard of 3": Cells, "\x1b": Cells,
	} {
		if got := (Options{Reflow: Cells}).Refine(version).Reflow; got != want {
			t.Errorf("%q: %d, want %d", version, got, want)
		}
	}
	if o := (Options{Reflow: Written}).Refine("kitty(0.26)"); o.Reflow != Written {
		t.Error("what is around tmux has changed the guess")
	}
}
