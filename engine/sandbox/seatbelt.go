package sandbox

import (
	"path/filepath"
	"strings"
)

// seatbeltPath is the program that starts another under a profile, on every macOS.
const seatbeltPath = "/usr/bin/sandbox-exec"

// seatbeltProfile is a sandbox in the language of Seatbelt's profiles: the last rule that fits holds. What is protected is
// named by patterns too, so that it holds wherever it lies and however it is spelt, for most of its disks fold case.
func seatbeltProfile(roots []string, p Profile, parts *parts) string {
	var b strings.Builder
	rule := func(words ...string) { b.WriteString("(" + strings.Join(words, " ") + ")\n") }
	rule("version", "1")
	rule("allow", "default")
	rule("deny", "file-write*")
	for _, path := range roots {
		rule("allow", "file-write*", "(subpath", quoted(path)+")")
	}
	for _, path := range []string{"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/dtracehelper"} {
		rule("allow", "file-write*", "(literal", quoted(path)+")")
	}
	// A session's own terminal, and programs that open one themselves.
	rule("allow", "pseudo-tty")
	rule("allow", "file-write*", "file-ioctl", `(regex #"^/dev/(ttys[0-9]+|pty[a-z0-9]+|fd/[0-9]+|stdout|stderr)$")`)
	for _, path := range p.Never {
		rule("deny", "file-write*", "(subpath", quoted(real(path))+")")
	}
	for _, name := range startFiles() {
		if p.Person != "" {
			rule("deny", "file-write*", "(subpath", quoted(filepath.Join(real(p.Person), name))+")")
		}
	}
	rule("deny", "file-write*", `(regex #"/\.[gG][iI][tT]/(.*/)?[hH][oO][oO][kK][sS](/|$)")`)
	rule("deny", "file-write*", `(regex #"/\.[gG][iI][tT]/(modules/.*/|worktrees/[^/]+/)?([cC][oO][nN][fF][iI][gG](\.worktree)?|commondir)$")`)
	rule("deny", "file-write*", `(regex #"/\.[wW][iI][sS][pP](/|$)")`)
	rule("deny", "file-write-unlink", `(regex #"/\.[gG][iI][tT]$")`) // renamed away, another could take its place
	for _, path := range parts.fixed {
		rule("deny", "file-write*", "(subpath", quoted(path)+")")
	}
	rule("deny", "signal")
	rule("allow", "signal", "(target", "same-sandbox)")
	rule("deny", "mach-priv-task-port")
	if !p.Network {
		rule("deny", "network*")
		rule("deny", "system-socket")
	}
	return b.String()
}

// quoted is a path as a string of a profile.
func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(path) + `"`
}

// seatbeltArguments are sandbox-exec's. The program and its arguments follow.
func seatbeltArguments(profile string) []string {
	return []string{seatbeltPath, "-p", profile, "--"}
}
