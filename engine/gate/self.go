package gate

import (
	"bytes"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

// isWisp reports whether a program is called as wisp is.
func isWisp(name string) bool { return name == "wisp" || name == "wisp-tui" }

// selfOf returns what of wisp's own a segment runs under another name: by a link, or as a copy of one of Config.Programs. "" for
// any other program.
func (g *Gate) selfOf(s judged, at *ways) string {
	if len(s.words) == 0 || s.elsewhere || isWisp(s.Program) {
		return ""
	}
	var paths []string
	for _, text := range variants(s.words[0].text, s.vars) {
		switch {
		case systemPath(text) && !s.strange:
		case strings.Contains(text, "/"):
			for _, dir := range s.places(at.start, at.home) {
				paths = append(paths, absolute(text, dir, at.home))
			}
		case s.strange && len(g.config.Programs) > 0:
			if there := find(text, strings.Split(variableIn(at.env, "PATH"), ":")); there != "" {
				paths = append(paths, there)
			}
		}
	}
	for _, full := range paths {
		if name := path.Base(trace(full, "/")); isWisp(name) {
			return name
		}
		for _, own := range g.config.Programs {
			if sameContent(full, own) {
				return path.Base(own)
			}
		}
	}
	return ""
}

// sameContent reports whether two paths lead to one file, or to files with the same content. Only those of one size are read.
func sameContent(a, b string) bool {
	one, errA := os.Stat(a)
	other, errB := os.Stat(b)
	switch {
	case errA != nil || errB != nil || !one.Mode().IsRegular():
		return false
	case os.SameFile(one, other):
		return true
	case one.Size() != other.Size() || one.Size() == 0:
		return false
	}
	left, errA := os.Open(a)
	if errA != nil {
		return false
	}
	defer left.Close()
	right, errB := os.Open(b)
	if errB != nil {
		return false
	}
	defer right.Close()
	x, y := make([]byte, pieceBytes), make([]byte, pieceBytes)
	for {
		n, errA := io.ReadFull(left, x)
		m, errB := io.ReadFull(right, y)
		if n != m || !bytes.Equal(x[:n], y[:m]) {
			return false
		}
		if errA != nil || errB != nil {
			return (errA == io.EOF || errA == io.ErrUnexpectedEOF) && errA == errB
		}
	}
}

// copiesWisp returns the name that a command gives a copy of wisp, a link to it, or one that it builds; "" where it makes none.
func copiesWisp(program string, args []string) string {
	bare := bareArguments(args)
	switch program {
	case "cp", "ln", "install", "mv", "rsync", "dd":
		if len(bare) > 1 && slices.ContainsFunc(bare[:len(bare)-1], func(a string) bool { return isWisp(path.Base(a)) || isWisp(found(a)) }) {
			return path.Base(bare[len(bare)-1])
		}
	case "go":
		to := valuesOf(args, "o")
		if len(bare) > 1 && bare[0] == "build" && len(to) > 0 && isWisp(path.Base(bare[len(bare)-1])) {
			return path.Base(to[0])
		}
	}
	return ""
}

// typesElsewhere reports whether a command types into a terminal or a window that isn't its own: it could answer what wisp asks.
func typesElsewhere(program string, args []string) bool {
	any := func(all ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(all, a) })
	}
	switch program {
	case "tmux", "tmate", "byobu", "byobu-tmux", "psmux":
		return slices.ContainsFunc(args, func(a string) bool { // tmux takes its commands abbreviated
			return len(a) > 3 && (strings.HasPrefix("send-keys", a) || strings.HasPrefix("send-prefix", a)) || len(a) > 4 && strings.HasPrefix("paste-buffer", a) || a == "pasteb"
		})
	case "screen":
		return any("-X") && any("stuff", "paste", "process", "eval", "readreg", "bindkey")
	case "xdotool", "xte", "ydotool", "dotool", "wtype", "xvkbd", "xmacroplay":
		return program != "xdotool" || any("type", "key", "keydown", "keyup")
	case "kitty", "kitten":
		return any("send-text", "send-key")
	case "wezterm":
		return any("send-text")
	case "zellij":
		return any("write", "write-chars")
	case "osascript":
		all := strings.ToLower(strings.Join(args, " "))
		return strings.Contains(all, "keystroke") || strings.Contains(all, "key code") || strings.Contains(all, "do script") || strings.Contains(all, "write text")
	}
	return false
}

// emptied are arguments as they are where the variables that nothing sets are empty: `rm -rf "$UNSET"/` deletes the root. The
// one that holds such a variable is returned too. ${NAME:?} stops the shell instead.
func emptied(args []string) (out []string, variableIs string) {
	for _, a := range args {
		text := a
		for from := 0; ; {
			at := strings.IndexByte(text[from:], '$')
			if at < 0 {
				break
			}
			at += from
			name, rest, fallback := variable(text[at+1:])
			written := text[at : len(text)-len(rest)]
			if name == "" || fallback != "" || name[0] >= '0' && name[0] <= '9' || isOneOf(name, "HOME", "PWD", "OLDPWD", "IFS") || strings.Contains(written, "?") {
				from = at + 1
				continue
			}
			text, variableIs = text[:at]+rest, name
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out, variableIs
}
