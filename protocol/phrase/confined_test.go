package phrase

import "testing"

func TestConfined(t *testing.T) {
	t.Parallel()
	refused := Confined{Verdict: "refused", Means: "landlock", Paths: []string{"/etc/x"}, Roots: []string{"/src", "/tmp"}}
	typed, rows, network, many, not, guess := refused, refused, refused, refused, refused, refused
	typed.Line = "touch /etc/x"
	rows.Line = "cd /etc\ntouch x"
	network.Paths, network.Network = nil, true
	many.Paths = []string{"/a", "/b\x1b[2J", "/c", "/d", "/e"}
	mode, nowhere := network, refused
	mode.ByMode, nowhere.Roots = true, nil
	not.Verdict = "not-the-sandbox"
	guess.Verdict, guess.Paths = "guess", nil
	for _, c := range []struct {
		name                  string
		confined              Confined
		note, warning, result string
	}{
		{"nothing", Confined{}, "", "", ""},
		{"typed", typed, "the sandbox (landlock) refused to write /etc/x: it can write in /src, /tmp · run it outside with `!! touch /etc/x`", "",
			"The sandbox (landlock) refused to write /etc/x: it can write in /src, /tmp."},
		{"rows", rows, "the sandbox (landlock) refused to write /etc/x: it can write in /src, /tmp · `!!` in place of `!` runs it outside", "",
			"The sandbox (landlock) refused to write /etc/x: it can write in /src, /tmp."},
		{"model's", refused, "the sandbox (landlock) refused to write /etc/x: it can write in /src, /tmp", "",
			"The sandbox (landlock) refused to write /etc/x: it can write in /src, /tmp. No other way of doing the same will do: work where writing is allowed, or ask the person to run it outside."},
		{"network", network, "the sandbox (landlock) refused the network, which sandbox.network cuts", "",
			"The sandbox (landlock) refused the network, which sandbox.network cuts. No other way to it will do: work without it, or ask the person to run it outside."},
		{"by mode", mode, "the sandbox (landlock) refused the network, which this mode cuts for what it runs unasked", "",
			"The sandbox (landlock) refused the network, which this mode cuts for what it runs unasked. No other way to it will do: work without it, or ask the person to run it outside."},
		{"nowhere", nowhere, "the sandbox (landlock) refused to write /etc/x: it can write nowhere", "",
			"The sandbox (landlock) refused to write /etc/x: it can write nowhere. No other way of doing the same will do: work where writing is allowed, or ask the person to run it outside."},
		{"many", many, "the sandbox (landlock) refused to write /a, /b␛[2J, /c and 2 others: it can write in /src, /tmp", "",
			"The sandbox (landlock) refused to write /a, /b␛[2J, /c and 2 others: it can write in /src, /tmp. No other way of doing the same will do: work where writing is allowed, or ask the person to run it outside."},
		{"not", not, "it wasn't the sandbox that refused: /etc/x is refused without it too", "",
			"It wasn't the sandbox that refused: /etc/x is refused without it too."},
		{"guess", guess, "the sandbox (landlock) may have refused this: the error names nothing that can be checked", "",
			"The sandbox may have refused this: the error names nothing that can be checked. It can write in /src, /tmp."},
		{"changed", Confined{Changed: []string{"/src/.git/hooks"}}, "", "changed while this ran, and run or obeyed by what you start later: /src/.git/hooks · look at it before you go on",
			"The person was told that this changed while it ran, which no command is to write: /src/.git/hooks."},
	} {
		if note, warning, result := c.confined.Note(), c.confined.Warning(), c.confined.Result(); note != c.note || warning != c.warning || result != c.result {
			t.Errorf("%s:\n%q\n%q\n%q", c.name, note, warning, result)
		}
	}
}
