package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"wisp/cmd/place"
	"wisp/engine"
	"wisp/engine/approvals"
	"wisp/engine/gate"
	"wisp/engine/model"
	"wisp/engine/sandbox"
	"wisp/engine/secret"
)

// catalogue is what a machine of a test has of models.
type catalogue struct {
	name, why string
	opens     error
	all       []model.Info
}

func (c catalogue) Open(string) (model.Client, error)     { return nil, c.opens }
func (c catalogue) Find(context.Context) (string, string) { return c.name, c.why }
func (c catalogue) List(context.Context) []model.Info     { return c.all }
func (*around) printing(out string, err error) func(context.Context, string, ...string) (string, error) {
	return func(context.Context, string, ...string) (string, error) { return out, err }
}

// healthy is a machine on which all is well.
func healthy(t *testing.T) (*around, *loaded) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	home, dir := filepath.Join(root, "home"), filepath.Join(root, "work")
	write(t, filepath.Join(home, "threads/01/record.jsonl"), "x\n")
	write(t, filepath.Join(home, "history.jsonl"), "x\n")
	must(t, os.MkdirAll(dir, 0o755))
	bin := map[string]string{"git": "/usr/bin/git", "wisp-tui": "/usr/bin/wisp-tui", "tmux": "/usr/bin/tmux"}
	a := &around{
		os: "linux", arch: "amd64", user: os.Getuid(), now: func() time.Time { return time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) },
		environ: []string{"HOME=" + root, "WISP_HOME=" + home, "SHELL=/bin/sh", "TERM=xterm-256color", "LANG=C.UTF-8"},
		self:    func() (string, error) { return "/usr/bin/wisp", nil },
		size:    func() (int, int, bool) { return 80, 24, true },
		kernel:  func() string { return "6.12.1" },
		stat:    os.Stat, list: os.ReadDir, text: func(string) string { return "" }, writes: func(string) error { return nil },
		disk: func(string) (disk, error) { return disk{free: 1 << 30}, nil },
		find: func(name string) string { return bin[name] },
		run: func(_ context.Context, _ string, argv ...string) (string, error) {
			switch line := strings.Join(argv, " "); {
			case strings.HasSuffix(line, "ulimit -n"):
				return "4096", nil
			case strings.Contains(line, "wisp-tui"):
				return "wisp-tui " + version, nil
			case strings.Contains(line, "tmux"):
				return "tmux 3.4", nil
			case strings.Contains(line, "version"):
				return filepath.Base(argv[0]) + " version 2.0", nil
			}
			return "", nil
		},
		landlock: func() (int, string) { return 7, "" }, adopts: func() error { return nil },
		holders: func(string) []engine.Holder { return nil },
	}
	l := &loaded{
		where:    place.Places{Home: home, Configuration: filepath.Join(home, "config.json")},
		prepared: prepared{directory: dir, settings: engine.Defaults()},
		config:   engine.Config{Secrets: secret.New(nil), Models: catalogue{name: "ollama:x", why: "it is there", all: []model.Info{{Name: "ollama:x"}}}},
	}
	a.confine = func(*loaded) confined {
		return confined{
			means: sandbox.Landlock, reason: "it needs no program", network: true, roots: []string{dir}, bwrap: "/usr/bin/bwrap",
			trial: &tried{seconds: 0.001, inside: true, everything: true},
		}
	}
	return a, l
}

// configured reads a configuration into what is loaded.
func (l *loaded) configured(t *testing.T, text string) {
	t.Helper()
	write(t, l.where.Configuration, text)
	l.mine, l.mineErr = readDocument(l.where.Configuration)
	l.prepared.configuration, l.prepared.settings = l.mine.configuration, l.mine.settings()
}

// failing is a look at what can be written that fails for paths with an end.
func failing(what string, err error) func(string) error {
	return func(path string) error {
		if strings.HasSuffix(path, what) {
			return err
		}
		return nil
	}
}

type change func(t *testing.T, a *around, l *loaded)

// without hides a file.
func without(end string) change {
	return func(_ *testing.T, a *around, _ *loaded) {
		a.stat = func(path string) (os.FileInfo, error) {
			if strings.HasSuffix(path, end) {
				return nil, os.ErrNotExist
			}
			return os.Stat(path)
		}
	}
}

func env(entries ...string) change {
	return func(_ *testing.T, a *around, _ *loaded) { a.environ = append(a.environ, entries...) }
}

func config(text string) change {
	return func(t *testing.T, _ *around, l *loaded) { l.configured(t, text) }
}

func prints(out string, err error) change {
	return func(_ *testing.T, a *around, _ *loaded) { a.run = a.printing(out, err) }
}

func held(edit func(c *confined)) change {
	return func(_ *testing.T, a *around, l *loaded) {
		c := a.confine(l)
		edit(&c)
		a.confine = func(*loaded) confined { return c }
	}
}

// Each probe says what it is to say of a machine that is as it is.
func TestDoctorProbes(t *testing.T) {
	t.Parallel()
	home := func(edit func(t *testing.T, home string)) change {
		return func(t *testing.T, _ *around, l *loaded) { edit(t, l.where.Home) }
	}
	mode := func(name string, mode os.FileMode) change {
		return home(func(t *testing.T, home string) { must(t, os.Chmod(filepath.Join(home, name), mode)) })
	}
	disks := func(d disk) change {
		return func(_ *testing.T, a *around, _ *loaded) { a.disk = func(string) (disk, error) { return d, nil } }
	}
	for name, c := range map[string]struct {
		change change
		want   string // the row as "level what: why and todo", a pattern
	}{
		"no home":            {func(_ *testing.T, _ *around, l *loaded) { l.where, l.err = place.Places{}, errors.New("set one") }, `wrong home: set one`},
		"home to come":       {func(_ *testing.T, _ *around, l *loaded) { l.where.Home += "2" }, `ok home: .*isn't there yet`},
		"home is a file":     {home(func(t *testing.T, h string) { must(t, os.RemoveAll(h)); write(t, h, "x") }), `wrong home: .*is no directory.*WISP_HOME`},
		"home is read-only":  {func(_ *testing.T, a *around, _ *loaded) { a.writes = failing("home", syscall.EROFS) }, `wrong writing to home: .*read-only file system.*WISP_HOME`},
		"others read home":   {mode("", 0o755), `wrong modes of home: .*home \(0755\).*chmod -R go= /`},
		"others read a file": {mode("history.jsonl", 0o640), `wrong modes of home: .*history.jsonl \(0640\)`},
		"a record is open":   {mode("threads/01/record.jsonl", 0o604), `wrong modes of home: .*record.jsonl \(0604\)`},
		"another's home":     {func(_ *testing.T, a *around, _ *loaded) { a.user++ }, `wrong owner of home: .*chown`},
		"little space":       {disks(disk{free: 50 << 20}), `note disk: 50.0 MiB are free.*make room`},
		"no space":           {disks(disk{free: 5 << 20}), `wrong disk: 5.0 MiB are free.*make room`},
		"a network disk":     {disks(disk{free: 1 << 40, network: "nfs"}), `note network disk: .*\(nfs\).*locks`},
		"another wisp": {func(_ *testing.T, a *around, _ *loaded) {
			a.holders = func(string) []engine.Holder { return []engine.Holder{{Thread: "01", PID: 7}} }
		}, `note other wisps: 1 runs.*process 7 \(01\)`},
		"a broken file": {config("{\n\"modle\": 1}"), `wrong configuration: .*config.json, line 2: there is no setting "modle".*mend`},
		"a wrong word":  {config(`{"approval": {"threshold": "never"}}`), `wrong configuration: .*line 1: approval.threshold must be`},
		"a read file":   {config(`{"maxSteps": 3}`), `ok configuration: .*is read: 1 setting`},
		"an open file": {func(t *testing.T, _ *around, l *loaded) {
			write(t, l.where.Configuration, "{}")
			must(t, os.Chmod(l.where.Configuration, 0o666))
			l.mine, l.mineErr = readDocument(l.where.Configuration)
		}, `wrong configuration: .*everybody may write it`},
		"a project's file": {func(t *testing.T, _ *around, l *loaded) {
			write(t, projectFile(l.prepared.directory), `{"maxSteps": 9000, "sandbox": {"network": true}}`)
		}, `note project's file: .*isn't trusted.*left out are maxSteps.*wisp trust`},
		"a tight project": {func(t *testing.T, _ *around, l *loaded) {
			write(t, projectFile(l.prepared.directory), `{"permission": {"shell": {"rm *": "deny"}}}`)
		}, `ok project's file: .*wants no more`},
		"a broken project": {func(t *testing.T, _ *around, l *loaded) { write(t, projectFile(l.prepared.directory), `{`) }, `wrong project's file: .*line 1.*mend`},
		"broken trust":     {home(func(t *testing.T, h string) { write(t, trustedPath(h), `{`) }), `wrong trusted projects: .*no project is trusted.*mend`},
		"the audit":        {home(func(t *testing.T, h string) { write(t, filepath.Join(h, "audit.jsonl"), "what\n") }), `wrong chain of the audit: .*line 1 of .*wisp audit verify`},
		"a read-only audit": {func(t *testing.T, a *around, l *loaded) {
			write(t, filepath.Join(l.where.Home, "audit.jsonl"), "")
			a.writes = failing("audit.jsonl", syscall.EACCES)
		}, `wrong writing the audit: .*permission denied.*no command runs`},
		"an odd audit": {home(func(t *testing.T, h string) { must(t, os.Mkdir(filepath.Join(h, "audit.jsonl"), 0o700)) }), `wrong audit: .*no ordinary file`},
		"nowhere":      {func(_ *testing.T, _ *around, l *loaded) { l.prepared.directory, l.err = "", errors.New("it is gone") }, `wrong directory: it is gone`},
		"not mine":     {func(_ *testing.T, a *around, _ *loaded) { a.writes = failing("work", syscall.EACCES) }, `note writing here: .*work can't be written`},
		"above": {func(t *testing.T, _ *around, l *loaded) {
			write(t, filepath.Join(filepath.Dir(l.prepared.directory), ".git/HEAD"), "ref: refs/heads/main\n")
		}, `note repository: .*, branch main.*start wisp in`},
		"a repository": {func(t *testing.T, _ *around, l *loaded) {
			write(t, filepath.Join(l.prepared.directory, ".git/HEAD"), "ref: refs/heads/x/y\n")
		}, `ok repository: .*work, branch x/y`},
		"no temporary": {func(_ *testing.T, a *around, _ *loaded) { a.writes = failing("/tmp", syscall.EACCES) }, `wrong temporary directory: .*TMPDIR`},
		"noexec":       {disks(disk{free: 1 << 40, noExec: true}), `note temporary directory: .*noexec`},

		"another system":  {func(_ *testing.T, a *around, _ *loaded) { a.os = "plan9" }, `note system: plan9/amd64`},
		"root":            {func(_ *testing.T, a *around, _ *loaded) { a.user = 0 }, `note user: you are root`},
		"inside":          {env("WISP_SESSION=x"), `note inside wisp: .*!!`},
		"no such shell":   {config(`{"shell": "/no/such"}`), `wrong shell: .*/no/such.*take the setting out`},
		"the set shell":   {config(`{"shell": "/bin/sh"}`), `ok shell: /bin/sh, by "shell"`},
		"an odd shell":    {env("SHELL=/bin/false"), `ok shell: /bin/sh, for SHELL \(/bin/false\)`},
		"no SHELL":        {env("SHELL="), `ok shell: /bin/sh, for SHELL isn't set`},
		"a stuck shell":   {prints("", context.DeadlineExceeded), `wrong shell starts: .*hadn't ended after 2s.*\.zshenv`},
		"a failing shell": {prints("boom\nmore", errors.New("exit status 1")), `wrong shell starts: .*exit status 1 boom;`},
		"a loud shell":    {prints("welcome", nil), `note shell starts: .*prints: welcome`},
		"a slow shell": {func(_ *testing.T, a *around, _ *loaded) {
			at, steps := a.now(), atomic.Int64{}
			a.now = func() time.Time { return at.Add(time.Duration(steps.Add(1)) * time.Second) }
		}, `note shell starts: .*took \d+s`},
		"no git":           {func(_ *testing.T, a *around, _ *loaded) { a.find = func(string) string { return "" } }, `note git: there is none.*install git`},
		"a broken git":     {prints("", errors.New("exec format error")), `note git: .*exec format error`},
		"no face":          {func(_ *testing.T, a *around, _ *loaded) { a.find = func(string) string { return "" } }, `note wisp-tui: there is none.*make build`},
		"another face":     {prints("wisp-tui v9", nil), `note wisp-tui: .*version v9.*make build`},
		"few files":        {prints("256", nil), `note open files: a command may have 256.*ulimit`},
		"unlimited":        {prints("unlimited", nil), `ok open files: .*any number`},
		"the clock":        {func(_ *testing.T, a *around, _ *loaded) { a.now = func() time.Time { return time.Unix(0, 0) } }, `wrong clock: it says 1970`},
		"no subreaper":     {func(_ *testing.T, a *around, _ *loaded) { a.adopts = func() error { return syscall.EINVAL } }, `note orphans: .*invalid argument`},
		"no hook":          {nil, `ok hooks.shellEnv: isn't set`},
		"a project's hook": {func(_ *testing.T, _ *around, l *loaded) { l.prepared.configuration.Hooks.ShellEnv = "x" }, `ok hooks.shellEnv: .*which you trust; it isn't run`},

		"strict": {func(_ *testing.T, _ *around, l *loaded) { l.prepared.settings = l.prepared.settings.Strictest() }, `note strict: .*mend`},
		"rules":  {config(`{"permission": {"shell": {"ls *": "allow", "rm *": "deny"}, "read": {"**/.env": "ask"}}}`), `ok rules: shell 2 \(1 allow, 0 ask, 1 deny\); read 1 \(0 allow, 1 ask, 0 deny\)`},
		"a project's rules": {func(_ *testing.T, _ *around, l *loaded) {
			l.prepared.settings.Project = []gate.Rule{{Pattern: "x", Decision: gate.Deny}}
		}, `ok rules: 1 of a project that isn't trusted`},
		"no shell tools":   {config(`{"tools": {"shell": false}}`), `ok tools.shell: is false`},
		"a high threshold": {config("{\n\"approval\": {\"threshold\": \"high\"}}"), `note loose setting: .*line 2: approval.threshold is high`},
		"smart":            {config(`{"approval": {"mode": "smart"}}`), `note loose setting: .*approval.mode is smart`},
		"no audit":         {config(`{"audit": {"required": false}}`), `note loose setting: .*audit.required is false`},
		"no sandbox":       {config(`{"sandbox": {"means": "none"}}`), `note loose setting: .*sandbox.means is none`},
		"home is writable": {config(`{"sandbox": {"writablePaths": ["~/"]}}`), `note loose setting: .*writablePaths has ~/, which is nearly everything`},
		"an interpreter":   {config(`{"permission": {"shell": {"python3 *": "allow"}}}`), `note loose setting: .*line 1: .python3 \*. covers any code`},
		"everything":       {config(`{"permission": {"shell": {"*": "allow"}}, "approval": {"threshold": "x"}}`), `note loose setting: .*covers any program`},
		"nothing loose":    {config(`{"permission": {"shell": {"git status *": "allow"}}}`), `ok loose setting: none`},
		"approvals": {home(func(t *testing.T, h string) {
			must(t, approvals.Open(filepath.Join(h, approvals.FileName), time.Now).Add(approvals.Approval{Pattern: "git push *", Level: approvals.Low, Scope: approvals.Always}))
		}), `ok approvals that last: 1 one: .git push \*.`},
		"broken approvals": {home(func(t *testing.T, h string) { write(t, filepath.Join(h, approvals.FileName), "{") }), `wrong approvals that last: .*nothing is allowed by it; (mend|do)`},
		"a masked variable": {func(_ *testing.T, a *around, l *loaded) {
			a.environ = append(a.environ, "GH_TOKEN=zq81kd02mcls")
			l.config.Secrets = secret.New(a.environ)
		}, `ok masked variables: 1 is masked.*: GH_TOKEN;`},
		"a provider's key":  {env("OPENAI_API_KEY=x"), `ok provider keys: .*no command gets it: OPENAI_API_KEY`},
		"no session at all": {func(_ *testing.T, _ *around, l *loaded) { l.err = errors.New("x") }, `note guard: it wasn't looked at`},
		"none found":        {func(_ *testing.T, _ *around, l *loaded) { l.config.Models = catalogue{name: "scripted:tour"} }, `note model: none was found.*ollama pull`},
		"one found":         {nil, `ok model: ollama:x: it is there`},
		"no such model": {func(_ *testing.T, _ *around, l *loaded) {
			l.config.Model, l.config.Models = "a:b", catalogue{opens: errors.New("no provider a")}
		}, `wrong model: a:b, by the configuration: no provider a.*wisp models`},
		"a silent provider": {func(_ *testing.T, _ *around, l *loaded) {
			l.prepared.configuration.Providers = map[string]provider{"box": {}}
			l.config.Models = catalogue{name: "x", all: []model.Info{{Name: "box:", Problem: "nobody answers"}}}
		}, `note provider: box: nobody answers.*providers.box`},

		"no terminal":   {func(_ *testing.T, a *around, _ *loaded) { a.size = func() (int, int, bool) { return 0, 0, false } }, `ok terminal: this runs without one`},
		"dumb":          {env("TERM=dumb"), `note terminal: TERM is dumb.*xterm-256color`},
		"no TERM":       {env("TERM="), `note terminal: TERM isn't set`},
		"small":         {func(_ *testing.T, a *around, _ *loaded) { a.size = func() (int, int, bool) { return 30, 24, true } }, `note size: 30×24`},
		"no colours":    {env("NO_COLOR=1"), `ok colours: none: NO_COLOR`},
		"all colours":   {env("COLORTERM=truecolor"), `ok colours: 16 million`},
		"POSIX":         {env("LC_ALL=C"), `note locale: LC_ALL is C.*C.UTF-8`},
		"no locale":     {env("LANG="), `note locale: none of LC_ALL`},
		"another UTF-8": {env("LC_CTYPE=de_DE.utf8"), `ok locale: UTF-8, by LC_CTYPE`},
		"tmux":          {env("TMUX=x"), `note tmux: tmux 3.4.*extended-keys on`},
		"an old tmux": {func(_ *testing.T, a *around, _ *loaded) {
			a.environ = append(a.environ, "TMUX=x")
			a.run = a.printing("tmux 2.8", nil)
		}, `note tmux: tmux 2.8, which has no extended-keys`},
		"SSH":   {env("SSH_CONNECTION=x"), `ok SSH: `},
		"WSL 1": {func(_ *testing.T, a *around, _ *loaded) { a.kernel = func() string { return "4.4.0-19041-Microsoft" } }, `note WSL: version 1.*wsl --set-version`},
		"WSL 2": {func(_ *testing.T, a *around, _ *loaded) {
			a.kernel = func() string { return "5.15-microsoft-standard-WSL2" }
		}, `ok WSL: version 2`},

		"no means": {held(func(c *confined) { c.means, c.reason = sandbox.None, "this kernel has no Landlock" }), `wrong means: none: this kernel has no Landlock.*install bubblewrap`},
		"chosen none": {func(t *testing.T, a *around, l *loaded) {
			l.prepared.settings.Sandbox.Means = sandbox.None
			held(func(c *confined) { c.means = sandbox.None })(t, a, l)
		}, `note means: none`},
		"a fault":             {held(func(c *confined) { c.fault, c.trial = "sandbox.means is bwrap, and it isn't there", nil }), `wrong means: sandbox.means is bwrap.*No command runs until then`},
		"a network's fault":   {held(func(c *confined) { c.fault, c.trial = "sandbox.network is false, and nothing can cut it", nil }), `wrong means: .*"network": true`},
		"untried":             {held(func(c *confined) { c.trial, c.untried = nil, "the disk is full" }), `wrong a command: .*the disk is full`},
		"nothing starts":      {held(func(c *confined) { c.trial.failure = "EPERM" }), `wrong a command: none can run: EPERM`},
		"no end":              {held(func(c *confined) { c.trial.everything = false }), `wrong a command: .*didn't come to its end`},
		"a leak":              {held(func(c *confined) { c.trial.outside = true }), `wrong writing outside: a command wrote outside`},
		"nothing is writable": {held(func(c *confined) { c.trial.inside = false }), `wrong writing inside: `},
		"a signal":            {held(func(c *confined) { c.trial.signalled = true }), `wrong signals: `},
		"Landlock alone":      {held(func(c *confined) { c.trial.protected, c.bwrap = true, "" }), `note protected places: .*install bubblewrap`},
		"Landlock for now":    {held(func(c *confined) { c.trial.protected = true }), `ok protected places: .*bubblewrap is taken`},
		"Landlock by choice": {func(t *testing.T, a *around, l *loaded) {
			l.prepared.settings.Sandbox.Means = sandbox.Landlock
			held(func(c *confined) { c.trial.protected = true })(t, a, l)
		}, `note protected places: .*sandbox.means. out`},
		"a hook by bwrap":     {held(func(c *confined) { c.means, c.trial.protected = sandbox.Bubblewrap, true }), `wrong protected places: `},
		"a cut network":       {held(func(c *confined) { c.network = false }), `ok network: .*it is cut: TCP, UDP and a socket`},
		"an open network":     {held(func(c *confined) { c.network, c.trial.reached = false, []string{"udp"} }), `wrong network: .*by udp`},
		"an untried network":  {held(func(c *confined) { c.network, c.trial.unreached = false, "no loopback" }), `note network: .*no loopback`},
		"a root that is gone": {config(`{"sandbox": {"writablePaths": ["~/nope"]}}`), `note writable: .*has ~/nope, which isn't there`},
		"a gap":               {held(func(c *confined) { c.gaps = []string{"the network is open: sandbox.network false cuts both"} }), `note gap: the network is open.*"network": false`},
		"an old Landlock":     {func(_ *testing.T, a *around, _ *loaded) { a.landlock = func() (int, string) { return 2, "" } }, `note Landlock: version 2, which can't hold cutting files to nothing, signals.*6.2 for the first`},
		"Landlock is off": {func(_ *testing.T, a *around, _ *loaded) {
			a.landlock = func() (int, string) { return 0, "the kernel has it and it is off" }
			a.text = func(string) string { return "capability,yama" }
		}, `note Landlock: .*boot with lsm=landlock,capability,yama`},
		"no Landlock": {func(_ *testing.T, a *around, _ *loaded) {
			a.landlock = func() (int, string) { return 0, "the kernel has none" }
		}, `note Landlock: .*5.13`},
		"no bubblewrap":       {held(func(c *confined) { c.bwrap = "" }), `note bubblewrap: isn't installed.*install`},
		"a broken bubblewrap": {held(func(c *confined) { c.bwrapFault = "No permissions" }), `note bubblewrap: .*doesn't work here: No permissions`},
		"AppArmor": {func(t *testing.T, a *around, l *loaded) {
			held(func(c *confined) { c.bwrapFault = "No permissions" })(t, a, l)
			a.text = func(path string) string {
				return map[string]string{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"}[path]
			}
		}, `note user namespaces: kernel.apparmor_restrict_unprivileged_userns is 1.*profile`},
		"something else": {func(t *testing.T, a *around, l *loaded) {
			held(func(c *confined) { c.bwrapFault = "No permissions" })(t, a, l)
			without("/.dockerenv")(t, a, l)
		}, `note user namespaces: .*dmesg`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, l := healthy(t)
			if c.change != nil {
				c.change(t, a, l)
			}
			a.load = func() *loaded { return l }
			want := regexp.MustCompile("(?m)^" + c.want)
			var all strings.Builder
			for _, f := range a.examine() {
				fmt.Fprintf(&all, "%s %s: %s; %s\n", f.Level, f.What, f.Why, f.Todo)
				if f.Level != levelOK && f.Why == "" {
					t.Errorf("nothing is said of %s", f.What)
				}
			}
			if !want.MatchString(all.String()) {
				t.Errorf("no row is %s:\n%s", want, all.String())
			}
		})
	}
}

// On a machine on which all is well there is nothing to do.
func TestDoctorIsContent(t *testing.T) {
	t.Parallel()
	a, l := healthy(t)
	a.user = os.Getuid()
	a.load = func() *loaded { return l }
	for _, f := range a.examine() {
		if f.Level != levelOK && f.What != "user" {
			t.Errorf("%+v", f)
		}
	}
}

// The page has a row for each finding that there is, and for no other.
func TestDocsHaveEveryFinding(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("doctor*.go")
	must(t, err)
	var code, docs []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(t, err)
		for _, found := range regexp.MustCompile(`\bs\.(?:ok|note|wrong)\("([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(code, found[1]) {
				code = append(code, found[1])
			}
		}
	}
	for _, row := range readPage(t, "docs/doctor.md").under("## The findings").rows() {
		docs = append(docs, strings.Trim(row[0], "`"))
	}
	agree(t, "finding", "docs/doctor.md", code, docs)
}
