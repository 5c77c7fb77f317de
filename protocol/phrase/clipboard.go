package phrase

import "encoding/base64"

// Clipboard is what has a terminal copy a text, where it allows that (OSC 52). Nothing in the text can end the sequence.
func Clipboard(text string) string {
	return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x1b\\"
}

// CopiesFor says whether a terminal, by its environment, may be asked to copy. Linux's own console and GNU screen would show or swallow the
// sequence.
func CopiesFor(env func(string) string) bool {
	name := env("TERM")
	return name != "" && name != "dumb" && name != "linux" && env("STY") == ""
}
