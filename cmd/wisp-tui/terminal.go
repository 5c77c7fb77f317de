package main

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"

	"wisp/protocol/phrase"
	"wisp/tui"
	"wisp/tui/screen"
)

// terminal is what is known of the terminal from the environment, without asking it anything.
func terminal(o options, env func(string) string) tui.Terminal {
	in, out := os.Stdin, os.Stdout
	name := env("TERM")
	t := tui.Terminal{
		In: in, Out: out, Screen: screen.Guess(env), ASCII: o.ascii,
		Style:  phrase.Style{Depth: depth(env), Palette: ground(env("COLORFGBG"))},
		Notify: tui.NotifyFor(env),
		Size: func() (columns, rows int) {
			columns, rows, err := term.GetSize(int(out.Fd()))
			if err != nil || columns < 1 || rows < 1 {
				return 80, 24
			}
			return columns, rows
		},
		Raw: func() (func(), error) {
			before, err := term.MakeRaw(int(in.Fd()))
			if err != nil {
				return nil, err
			}
			return func() { term.Restore(int(in.Fd()), before) }, nil
		},
		Flush: func() { flush(int(in.Fd())) },
	}
	t.Links = t.Screen.Links
	t.Clipboard = phrase.CopiesFor(env)
	// These never answer, or show what they don't know.
	t.Answers = name != "dumb" && name != "" && name != "linux" && env("STY") == ""
	return t
}

// depth is how many colours the terminal has.
func depth(env func(string) string) phrase.Depth {
	name := env("TERM")
	switch {
	case env("NO_COLOR") != "" || name == "dumb" || name == "":
		return phrase.None
	case env("COLORTERM") == "truecolor" || env("COLORTERM") == "24bit" || strings.HasSuffix(name, "-direct"):
		return phrase.True
	case strings.Contains(name, "256"):
		return phrase.Indexed
	}
	return phrase.Sixteen
}

// ground is the palette for the background that some terminals name in COLORFGBG, as one of the sixteen colours.
func ground(colours string) phrase.Palette {
	fields := strings.Split(colours, ";")
	n, err := strconv.Atoi(fields[len(fields)-1])
	if err == nil && (n == 7 || n >= 9 && n <= 15) {
		return phrase.Light
	}
	return phrase.Dark
}
