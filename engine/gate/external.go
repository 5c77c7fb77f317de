package gate

import (
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxOutside bounds the paths outside that one question names by themselves.
const maxOutside = 16

// external finds the paths of a plan that lead outside the conversation's directory and the configured roots, each an item
// of its own: what it is asked for by, and what the rules of external_directory say of it. Links were followed at the moment
// of the check. It runs no shell, and looks at no more than maxPathWords words.
func (g *Gate) external(l *locator) []judged {
	var out []judged
	seen := map[string]int{}
	var rest []located
	for _, at := range l.out {
		at := at
		if harmless(at) || !l.outsideOf(at.real) && !g.secret(l, at.real) {
			continue
		}
		if i, ok := seen[at.real]; ok {
			if out[i].segment < 0 {
				out[i].segment = at.segment
			}
			continue
		}
		if len(out) >= maxOutside {
			rest = append(rest, at)
			continue
		}
		seen[at.real] = len(out)
		out = append(out, g.outside(l, at))
	}
	if len(rest) > 0 || l.over {
		more := judged{Segment: Segment{Text: "and more paths outside"}, segment: -1, rating: moderate("it names more paths outside the working directory than are shown one by one")}
		if len(rest) == 0 {
			more.Text, more.reasons = "and more paths", []string{"it names more paths than are followed to where they lead"}
		}
		for _, at := range rest { // the strictest of their rules holds, and an allow for some is none
			if one := g.outside(l, at); one.level > more.level || one.decision == Deny {
				more.rating, more.ruling = one.rating, one.ruling
			}
		}
		if more.decision == Allow {
			more.ruling = ruling{}
		}
		more.pattern = "" // nothing is remembered
		out = append(out, more)
	}
	return out
}

// outside makes the item of one path.
func (g *Gate) outside(l *locator, at located) judged {
	text := at.text
	if named := path.Clean(at.named); named != at.real || !strings.HasPrefix(text, "/") {
		text += " → " + at.real
	}
	out := judged{Segment: Segment{Text: text}, segment: at.segment, outside: at.real, rating: moderate(at.real + " is outside the working directory")}
	out.pattern = g.externalPattern(l, at.real)
	if g.secret(l, at.real) {
		out.rating = high(at.real + " " + g.secretReason(l, at.real))
		out.pattern = externalPrefix + at.real
	}
	out.ruling = g.pathRuling(l, "external_directory", at)
	return out
}

// externalPrefix begins what an answer for a path outside is remembered under.
const externalPrefix = "external_directory "

// externalPattern is the directory that a path is in and what is below it; the path alone where that is the root, or holds
// the person's home directory.
func (g *Gate) externalPattern(l *locator, real string) string {
	dir := real
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		dir = path.Dir(real)
	}
	if dir == "/" || !strings.HasPrefix(dir, "/") || g.config.Home != "" && inside(l.real(g.config.Home), dir) {
		return externalPrefix + real
	}
	return externalPrefix + dir + "/**"
}

// abovePatterns are those of a path's directories, each of which covers it.
func abovePatterns(real string) []string {
	out := []string{externalPrefix + real, externalPrefix + real + "/**"}
	for dir := path.Dir(real); dir != "/" && dir != "."; dir = path.Dir(dir) {
		out = append(out, externalPrefix+dir+"/**")
	}
	return out
}

// harmless reports whether a path is a device that holds nothing, a descriptor that the line opened, what the system says of the
// command itself, or a program where the system keeps its programs.
func harmless(at located) bool {
	text := at.named
	if len(text) > 0 && text[0] != '/' {
		return false
	}
	switch text {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
		"/proc/self/status", "/proc/self/stat", "/proc/self/statm", "/proc/self/limits", "/proc/self/comm":
		return true
	}
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if number, ok := strings.CutPrefix(text, dir); ok && number != "" && strings.Trim(number, "0123456789") == "" {
			return true
		}
	}
	if strings.HasPrefix(text, "/dev/tcp/") || strings.HasPrefix(text, "/dev/udp/") {
		return true // bash's name for a connection, which is rated
	}
	return at.program && (systemPath(text) || systemPath(at.real))
}

// secret reports whether a path is a known place of keys and passwords, or wisp's own.
func (g *Gate) secret(l *locator, real string) bool { return g.secretReason(l, real) != "" }

// secretReason says what is secret about a path; "" for nothing.
func (g *Gate) secretReason(l *locator, real string) string {
	for _, own := range g.config.Own {
		if inside(real, path.Clean(own)) || inside(real, l.real(own)) {
			return "is wisp's own: its records, its settings and what was approved"
		}
	}
	switch real {
	case "/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/etc/master.passwd", "/etc/sudoers", "/etc/krb5.keytab":
		return "holds passwords or says who may"
	}
	if dir, last := path.Split(real); strings.HasPrefix(dir, "/proc/") {
		if _, err := strconv.Atoi(path.Base(dir)); err == nil && (last == "environ" || last == "mem" || last == "maps") {
			return "is another process's memory or environment"
		}
		return ""
	}
	if strings.HasPrefix(real, "/etc/ssh/ssh_host_") && !strings.HasSuffix(real, ".pub") || inside(real, "/etc/ssl/private") || inside(real, "/etc/sudoers.d") {
		return "holds keys or says who may"
	}
	below, ok := "", false
	if !strings.Contains(real, "/.") && !strings.Contains(real, "/Library/") {
		return "" // saves a look at the home directory
	}
	if g.config.Home != "" {
		below, ok = strings.CutPrefix(real, l.real(g.config.Home)+"/")
	}
	if !ok {
		below, ok = homeOf(real)
	}
	if ok && keepsSecrets(below) {
		return "holds keys or passwords"
	}
	return ""
}

// homeOf returns what of a path is below somebody's home directory.
func homeOf(real string) (below string, ok bool) {
	if below, ok = strings.CutPrefix(real, "/root/"); ok {
		return below, true
	}
	for _, homes := range []string{"/home/", "/Users/"} {
		if rest, found := strings.CutPrefix(real, homes); found {
			_, below, ok = strings.Cut(rest, "/")
			return below, ok
		}
	}
	return "", false
}

// keepsSecrets reports whether programs keep keys or passwords at a place below a home directory.
func keepsSecrets(below string) bool {
	below = strings.ToLower(below)
	if inside(below, ".ssh") {
		switch name := path.Base(below); name {
		case "config", "known_hosts", "known_hosts.old", "authorized_keys":
			return false
		default:
			return !strings.HasSuffix(name, ".pub")
		}
	}
	return slices.ContainsFunc([]string{
		".gnupg", ".aws", ".azure", ".config/gcloud", ".kube", ".docker/config.json", ".netrc", ".npmrc", ".pypirc", ".git-credentials", ".config/git/credentials", ".config/gh/hosts.yml",
		".password-store", ".local/share/keyrings", ".config/op", ".pgpass", ".my.cnf", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d/credentials.tfrc.json", ".vault-token",
		".mozilla", ".config/google-chrome", ".config/chromium", "library/keychains", "library/application support/google/chrome", "library/application support/firefox", "library/cookies",
		".bash_history", ".zsh_history", ".local/share/fish/fish_history",
	}, func(place string) bool { return inside(below, place) })
}
