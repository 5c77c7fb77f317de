package phrase

import "strings"

// Confined is what the sandbox has to say of how a command ended. The zero value is nothing.
type Confined struct {
	// Verdict is "refused", "not-the-sandbox", "guess", or "".
	Verdict string
	// Paths that the verdict is about.
	Paths []string
	// Network says that it was the network that was refused.
	Network bool
	// Roots are where writing is allowed; none: nowhere.
	Roots []string
	// ByMode says that it is the mode that cuts the network, not a setting.
	ByMode bool
	// Means is the sandbox's name: "landlock".
	Means string
	// Changed are places that no command is to write, which changed while it ran.
	Changed []string
	// Line is what the person typed, to be offered outside; "" for a command of the model's.
	Line string
}

// mostNamed is how many paths a sentence names.
const mostNamed = 3

// Note is a refusal as the person reads it, with the way out where it is certain; "" where there is none.
func (c Confined) Note() string {
	switch {
	case c.Verdict == "refused" && c.Line != "" && !strings.Contains(c.Line, "\n"):
		return c.refusal() + " · run it outside with `!! " + Row(c.Line, callColumns) + "`"
	case c.Verdict == "refused" && c.Line != "":
		return c.refusal() + " · `!!` in place of `!` runs it outside"
	case c.Verdict == "refused":
		return c.refusal()
	case c.Verdict == "not-the-sandbox":
		return "it wasn't the sandbox that refused: " + named(c.Paths) + " is refused without it too"
	case c.Verdict == "guess":
		return "the sandbox (" + c.Means + ") may have refused this: the error names nothing that can be checked"
	}
	return ""
}

// Warning says that protected places changed; "" where none did.
func (c Confined) Warning() string {
	if len(c.Changed) == 0 {
		return ""
	}
	return "changed while this ran, and run or obeyed by what you start later: " + named(c.Changed) + " · look at it before you go on"
}

// Result is all of it for a model, which can't leave the sandbox; "" where there is nothing to say.
func (c Confined) Result() string {
	var parts []string
	switch c.Verdict {
	case "refused":
		text := "T" + c.refusal()[1:] + "."
		switch {
		case c.Line != "":
		case len(c.Paths) == 0:
			text += " No other way to it will do: work without it, or ask the person to run it outside."
		default:
			text += " No other way of doing the same will do: work where writing is allowed, or ask the person to run it outside."
		}
		parts = append(parts, text)
	case "not-the-sandbox":
		parts = append(parts, "It wasn't the sandbox that refused: "+named(c.Paths)+" is refused without it too.")
	case "guess":
		parts = append(parts, "The sandbox may have refused this: the error names nothing that can be checked. It can write "+c.where()+".")
	}
	if len(c.Changed) > 0 {
		parts = append(parts, "The person was told that this changed while it ran, which no command is to write: "+named(c.Changed)+".")
	}
	return strings.Join(parts, "\n")
}

// refusal says what was refused, and what isn't.
func (c Confined) refusal() string {
	if len(c.Paths) == 0 {
		cut := "sandbox.network cuts"
		if c.ByMode {
			cut = "this mode cuts for what it runs unasked"
		}
		return "the sandbox (" + c.Means + ") refused the network, which " + cut
	}
	text := "the sandbox (" + c.Means + ") refused to write " + named(c.Paths)
	if c.Network {
		text += ", and the network"
	}
	return text + ": it can write " + c.where()
}

// where says where writing is allowed.
func (c Confined) where() string {
	if len(c.Roots) == 0 {
		return "nowhere"
	}
	return "in " + named(c.Roots)
}

// named lists paths for a sentence.
func named(paths []string) string {
	text := ""
	for i, p := range paths {
		switch {
		case i == mostNamed:
			return text + " and " + count(int64(len(paths)-i), "other", "others")
		case i > 0:
			text += ", "
		}
		text += Row(p, callColumns)
	}
	return text
}
