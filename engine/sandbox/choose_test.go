package sandbox

import (
	"slices"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	new := machine{linux: true, landlock: 7, bwrap: "/usr/bin/bwrap"}
	root, noBwrap, broken, old, mac := new, new, new, new, machine{seatbelt: true}
	root.mounts, root.pids = true, true
	noBwrap.bwrap = ""
	broken.bwrapFault = "setting up uid map: Permission denied"
	old.landlock = 0
	nothing := old
	nothing.bwrap = ""
	for _, c := range []struct {
		name    string
		m       machine
		wanted  Means
		carve   bool
		network bool
		want    Means
		mounts  bool
		says    string // in the reason, or the fault
	}{
		{"nothing to carve", new, Auto, false, true, Landlock, false, "no program"},
		{"a repository", new, Auto, true, true, Bubblewrap, false, "read-only lies inside"},
		{"a repository, root", root, Auto, true, true, Landlock, true, "no program"},
		{"a repository, no bwrap", noBwrap, Auto, true, true, Landlock, false, "isn't installed"},
		{"a repository, bwrap broken", broken, Auto, true, true, Landlock, false, "uid map"},
		{"landlock by name", new, Landlock, true, true, Landlock, false, "says so"},
		{"bwrap by name", new, Bubblewrap, false, true, Bubblewrap, false, "says so"},
		{"an old kernel", old, Auto, false, true, Bubblewrap, false, "no Landlock"},
		{"nothing there", nothing, Auto, true, true, None, false, "isn't installed"},
		{"macOS", mac, Auto, true, false, Seatbelt, false, "macOS"},
		{"none by name", new, None, true, true, None, false, "says so"},
		{"another system", machine{}, Auto, false, true, None, false, "none that wisp knows"},
	} {
		got := c.m.choose(c.wanted, c.carve, c.network)
		if got.fault != "" || got.means != c.want || got.mounts != c.mounts || !strings.Contains(got.reason, c.says) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	for _, c := range []struct {
		name    string
		m       machine
		wanted  Means
		network bool
		says    string
	}{
		{"landlock", nothing, Landlock, true, "this kernel has none"},
		{"bwrap", nothing, Bubblewrap, true, "isn't installed"},
		{"bwrap broken", broken, Bubblewrap, true, "uid map"},
		{"seatbelt", new, Seatbelt, true, "sandbox-exec"},
		{"bwrap on macOS", mac, Bubblewrap, true, "for Linux"},
		{"a word", new, "jail", true, `not "jail"`},
		{"no network without a sandbox", new, None, false, "nothing can cut"},
		{"no network, nothing there", nothing, Auto, false, "nothing can cut"},
		{"no network, unknown machine", machine{linux: true, landlock: 7, filterFault: "wisp doesn't know mips"}, Auto, false, "mips"},
	} {
		if got := c.m.choose(c.wanted, false, c.network); !strings.Contains(got.fault, c.says) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestProfileProtects(t *testing.T) {
	t.Parallel()
	p := Profile{Never: []string{"/home/ada/.local/state/wisp", "/home/ada/.config/wisp/config.json"}, Person: "/home/ada"}
	for _, path := range []string{
		"/home/ada/.local/state/wisp", "/home/ada/.local/state/wisp/audit.jsonl", "/home/ada/.config/wisp/config.json",
		"/src/.git", "/src/.git/hooks", "/src/.git/hooks/pre-commit", "/src/.git/config", "/src/a/b/.git/config", "/src/.git/config.worktree",
		"/src/.git/modules/lib/config", "/src/.git/modules/lib/hooks/x", "/src/.git/worktrees/w/config.worktree", "/src/.git/commondir",
		"/src/.GIT/config", "/src/.Git/Hooks/x", "/src/x/../.git/config", "/src/.wisp", "/src/.wisp/config.json", "/src/.WISP/x",
		"/home/ada/.bashrc", "/home/ada/.zshrc", "/home/ada/.config/fish/config.fish", "/home/ada/.ssh/authorized_keys", "/home/ada/.gitconfig",
	} {
		if !p.Protects(path) {
			t.Errorf("%s is not protected", path)
		}
	}
	for _, path := range []string{
		"/src/.git/index", "/src/.git/objects/ab/cd", "/src/.git/COMMIT_EDITMSG", "/src/.git/refs/heads/config", "/src/hooks/x", "/src/config",
		"/src/.gitignore", "/src/.github/config", "/src/.bashrc", "/home/ada/.config/wispish", "/home/ada/src/x", "/home/ada/.local/state/wispy",
	} {
		if p.Protects(path) {
			t.Errorf("%s is protected", path)
		}
	}
}

func TestBwrapArguments(t *testing.T) {
	t.Parallel()
	p := &parts{fixed: []string{"/tmp/w/.git/hooks", "/tmp/wisp"}, pinned: []string{"/tmp/w/sub/.git", "/tmp/w/.git"}}
	got := strings.Join(bwrapArguments([]string{"/tmp/w", "/tmp", "/src", "/dev/dri/card0"}, p, []string{"/run/docker.sock"}, true, false), " ")
	want := "--ro-bind / / --dev-bind /dev /dev --unshare-pid --proc /proc --bind-try /tmp /tmp --bind-try /src /src --dev-bind-try /dev/dri/card0 /dev/dri/card0" +
		" --bind-try /tmp/w/.git /tmp/w/.git --bind-try /tmp/w/sub/.git /tmp/w/sub/.git --ro-bind-try /tmp/wisp /tmp/wisp --ro-bind-try /tmp/w/.git/hooks /tmp/w/.git/hooks" +
		" --dev-bind /dev/null /run/docker.sock --"
	if got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(bwrapArguments(nil, &parts{}, nil, false, true), " "); !strings.Contains(got, "--cap-drop CAP_SYS_ADMIN") || strings.Contains(got, "unshare") {
		t.Error(got)
	}
}

// The profile is text: what it says in which order is what holds.
func TestSeatbeltProfile(t *testing.T) {
	t.Parallel()
	p := Profile{Never: []string{"/nowhere/wisp"}, Person: "/nowhere/ada"}
	text := seatbeltProfile([]string{`/nowhere/a "b"\c`, "/private/tmp"}, p, &parts{fixed: []string{"/nowhere/.githooks"}})
	at := -1
	for _, line := range []string{
		"(version 1)", "(allow default)", "(deny file-write*)", `(allow file-write* (subpath "/nowhere/a \"b\"\\c"))`, `(allow file-write* (subpath "/private/tmp"))`,
		`(allow file-write* (literal "/dev/null"))`, `(allow file-write* (literal "/dev/ptmx"))`, "(allow pseudo-tty)",
		`(allow file-write* file-ioctl (regex #"^/dev/(ttys[0-9]+|pty[a-z0-9]+|fd/[0-9]+|stdout|stderr)$"))`,
		`(deny file-write* (subpath "/nowhere/wisp"))`, `(deny file-write* (subpath "/nowhere/ada/.bashrc"))`, `(deny file-write* (subpath "/nowhere/ada/.config/fish"))`,
		`(deny file-write* (regex #"/\.[gG][iI][tT]/(.*/)?[hH][oO][oO][kK][sS](/|$)"))`, `(deny file-write-unlink (regex #"/\.[gG][iI][tT]$"))`,
		`(deny file-write* (subpath "/nowhere/.githooks"))`, "(deny signal)", "(allow signal (target same-sandbox))", "(deny network*)",
	} {
		i := strings.Index(text, line+"\n")
		if i <= at {
			t.Errorf("%s: at %d, what is to stand before it at %d", line, i, at)
		}
		at = max(at, i)
	}
	p.Network = true
	if text := seatbeltProfile(nil, p, &parts{}); strings.Contains(text, "network") || strings.Contains(text, "system-socket") {
		t.Errorf("the network is cut:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if strings.Count(line, "(") != strings.Count(line, ")") || !strings.HasPrefix(line, "(") {
			t.Errorf("no rule: %s", line)
		}
	}
	if args := seatbeltArguments("x"); !slices.Equal(args, []string{"/usr/bin/sandbox-exec", "-p", "x", "--"}) {
		t.Error(args)
	}
}
