package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wisp/engine"
	"wisp/engine/audit"
	"wisp/engine/sandbox"
)

// toldFindings is what `wisp doctor --json` prints.
type toldFindings struct {
	Version  string
	Findings []finding
}

// doctor runs wisp doctor --json, and sees that what it prints is whole.
func (p *machine) doctor() (status int, all []finding) {
	p.t.Helper()
	status, stdout, stderr := p.run("", "doctor", "--json")
	return status, findingsOf(p.t, stdout, stderr)
}

func findingsOf(t *testing.T, stdout, stderr string) []finding {
	t.Helper()
	var told toldFindings
	if err := json.Unmarshal([]byte(stdout), &told); err != nil || told.Version != version || stderr != "" || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("%v, stderr %q: %s", err, stderr, stdout)
	}
	for _, f := range told.Findings {
		level := slices.Contains([]string{levelOK, levelNote, levelWrong}, f.Level)
		if f.Area == "" || f.What == "" || f.Why == "" || !level || f.Level == levelOK && f.Todo != "" || f.Level == levelWrong && f.Todo == "" {
			t.Errorf("a finding isn't whole: %+v", f)
		}
	}
	return told.Findings
}

// row returns the first finding of that subject.
func row(t *testing.T, all []finding, what string) finding {
	t.Helper()
	at := slices.IndexFunc(all, func(f finding) bool { return f.What == what })
	if at < 0 {
		t.Fatalf("nothing is said of %s: %+v", what, all)
	}
	return all[at]
}

func hasWrong(all []finding) bool {
	return slices.ContainsFunc(all, func(f finding) bool { return f.Level == levelWrong })
}

// snapshot is all that a directory holds, with times.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		text, _ := os.ReadFile(path)
		fmt.Fprintln(&b, path, info.Mode(), info.ModTime(), string(text))
		return err
	}))
	return b.String()
}

// On a machine without a wisp nothing is wrong, and nothing is made: not wisp's home, not a directory for hooks in a repository
// that has none.
func TestDoctorOfANewcomer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = slices.DeleteFunc(p.env, func(entry string) bool { return strings.HasPrefix(entry, "WISP_HOME=") })
	write(t, filepath.Join(p.dir, ".git/HEAD"), "ref: refs/heads/main\n")
	root := filepath.Dir(p.dir)
	before := snapshot(t, root)
	status, all := p.doctor()
	if status != statusOK || hasWrong(all) {
		t.Errorf("status %d: %+v", status, all)
	}
	if after := snapshot(t, root); after != before {
		t.Errorf("it changed something:\n%s\n%s", before, after)
	}
	areas := []string{}
	for _, f := range all {
		if !slices.Contains(areas, f.Area) {
			areas = append(areas, f.Area)
		}
	}
	if want := []string{"place", "engine", "guard", "sandbox", "models", "terminal"}; !slices.Equal(areas, want) {
		t.Errorf("areas %v, want %v", areas, want)
	}
	for _, what := range []string{"a command", "writing inside", "writing outside", "signals"} {
		if f := row(t, all, what); f.Level != levelOK {
			t.Errorf("%+v", f)
		}
	}
	if f := row(t, all, "home"); !strings.Contains(f.Why, filepath.Join(root, ".local/state/wisp")+" (by HOME)") {
		t.Errorf("%+v", f)
	}
}

// What is wrong is said, with what to do; the status says that there is something to do, and once it is done, that there isn't.
func TestDoctorOfAnOpenHome(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.config("{}")
	must(t, os.Chmod(p.home, 0o755))
	status, all := p.doctor()
	f := row(t, all, "modes of home")
	if status != statusFailed || f.Level != levelWrong {
		t.Fatalf("status %d: %+v", status, f)
	}
	status, stdout, _ := p.run("", "doctor")
	if status != statusFailed || !strings.Contains(stdout, "do: "+f.Todo) || !strings.Contains(stdout, "1 thing is wrong") {
		t.Errorf("status %d: %s", status, stdout)
	}
	words := strings.Fields(f.Todo)
	must(t, os.Chmod(words[len(words)-1], 0o700)) // what it says
	if status, all := p.doctor(); status != statusOK {
		t.Errorf("status %d: %+v", status, all)
	}
}

// A broken configuration is when it is needed. It is held to the network that the file may have cut.
func TestDoctorOfABrokenConfiguration(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"{\n\"sandbox\": {\"network\": \"no\"}}":         "config.json, line 2: sandbox.network must be true or false",
		"{\n\n\"shell\": ":                               `config.json, line 3, after "shell"`,
		"{\"a\\u001b[2Jb\": 1}":                          "there is no setting",
		`{"permission": {"shell": {"rm *": "perhaps"}}}`: `permission.shell: "rm *" must be`,
	} {
		p := newPlace(t)
		p.config(content)
		status, all := p.doctor()
		if f := row(t, all, "configuration"); status != statusFailed || f.Level != levelWrong || !strings.Contains(f.Why, want) || strings.Contains(f.Why, "\x1b") {
			t.Errorf("status %d: %+v", status, f)
		}
		row(t, all, "strict")
		if f := row(t, all, "network"); f.Level != levelOK || !strings.Contains(f.Why, "it is cut") {
			t.Errorf("%+v", f)
		}
	}
}

// Without a home and in a directory that is gone it says so, and what it can besides.
func TestDoctorNowhere(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = []string{asWisp + "=1", "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0"}
	status, all := p.doctor()
	if f := row(t, all, "home"); status != statusFailed || f.Level != levelWrong {
		t.Errorf("status %d: %+v", status, f)
	}
	row(t, all, "locale")
	p = newPlace(t)
	p.wrap = "rmdir \"$PWD\""
	status, all = p.doctor()
	if f := row(t, all, "directory"); status != statusFailed || f.Level != levelWrong {
		t.Errorf("status %d: %+v", status, f)
	}
}

// A home that can't be written is wrong. Root may write anywhere, but where the kernel keeps its own.
func TestDoctorOfAReadOnlyHome(t *testing.T) {
	t.Parallel()
	const home, dir = "/proc/sys/kernel", "/proc/sys/vm"
	p := newPlace(t)
	p.dir, p.env = dir, append(p.env, "WISP_HOME="+home)
	status, all := p.doctor()
	if f := row(t, all, "writing to home"); status != statusFailed || f.Level != levelWrong || !strings.Contains(f.Why, home+" can't be written") {
		t.Errorf("status %d: %+v", status, f)
	}
	if f := row(t, all, "writing here"); f.Level != levelNote {
		t.Errorf("%+v", f)
	}
}

// Secrets are named and never shown, wherever they stand; a name that a terminal acts upon is shown harmless.
func TestDoctorShowsNoSecret(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.dir = filepath.Join(p.dir, "a\x1b[2Jb")
	must(t, os.Mkdir(p.dir, 0o755))
	p.env = append(p.env, "GH_TOKEN=zq81kd02mcls", "OPENAI_API_KEY=qq77wm01xx9", "OPENAI_BASE_URL=http://127.0.0.1:1/qq77wm01xx9")
	p.config(`{"hooks": {"shellEnv": "echo DEPLOY_TOKEN=pp66vk29al3; echo zq81kd02mcls >&2; exit 3"}, "providers": {"box": {"baseUrl": "http://me:hh55rt83ne1@127.0.0.1:1"}}}`)
	_, all := p.doctor()
	_, stdout, _ := p.run("", "doctor")
	for _, secret := range []string{"zq81kd02mcls", "qq77wm01xx9", "pp66vk29al3", "hh55rt83ne1", "\x1b"} {
		if strings.Contains(fmt.Sprint(all, stdout), secret) {
			t.Errorf("%q is shown: %s", secret, stdout)
		}
	}
	if f := row(t, all, "masked variables"); !strings.Contains(f.Why, "GH_TOKEN") {
		t.Errorf("%+v", f)
	}
	if f := row(t, all, "provider keys"); !strings.Contains(f.Why, "OPENAI_API_KEY") {
		t.Errorf("%+v", f)
	}
	if f := row(t, all, "hooks.shellEnv"); f.Level != levelWrong || !strings.Contains(f.Why, "exit 3") {
		t.Errorf("%+v", f)
	}
}

// A wisp that runs is told of, and one that was killed isn't.
func TestDoctorFindsOthers(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	w := p.engine("--model=scripted:tour")
	w.send("! true")
	w.wait(says("event", "command.typed"))
	_, all := p.doctor()
	if f := row(t, all, "other wisps"); f.Level != levelNote || !strings.Contains(f.Why, fmt.Sprintf("process %d", w.cmd.Process.Pid)) {
		t.Errorf("%+v", f)
	}
	w.cmd.Process.Kill()
	<-w.ended
	status, all := p.doctor()
	if f := row(t, all, "other wisps"); status != statusOK || f.Level != levelOK {
		t.Errorf("status %d: %+v", status, f)
	}
}

// The newest file of a log that is too long to be read whole is verified by itself.
func TestDoctorOfALongAudit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := audit.Open(audit.Config{Path: path, Now: time.Now, MaxBytes: 2000})
	must(t, err)
	for range 25 {
		_, err := log.Append(audit.Event{Kind: audit.TurnStopped, Details: audit.TurnStoppedDetails{}})
		must(t, err)
	}
	must(t, log.Close())
	var s sheet
	newest(path, &s)
	if s.rows[0].Level != levelOK || !strings.Contains(s.rows[0].Why, "the newest file holds") {
		t.Fatalf("%+v", s.rows)
	}
	text, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, []byte(strings.Replace(string(text), `"pid":`, `"pid":1`, 1)), 0o600))
	s = sheet{}
	newest(path, &s)
	if s.rows[0].Level != levelWrong || !strings.Contains(s.rows[0].Why, path) {
		t.Errorf("%+v", s.rows)
	}
}

// A means that doesn't work is found out by trying it, and one that holds nothing too.
func TestDoctorTriesTheSandbox(t *testing.T) {
	t.Parallel()
	a, l := healthy(t)
	a.self = os.Executable
	l.config = engine.Config{Now: clock, Home: l.where.Home, Directory: l.prepared.directory, Shell: "/bin/sh", Settings: engine.Defaults()}
	l.config.Settings.Sandbox.Means = sandbox.None
	c := a.tryOut(l)
	if c.means != sandbox.None || c.trial == nil || !c.trial.outside || !c.trial.signalled || !c.trial.protected {
		t.Errorf("without a sandbox: %+v, %+v", c, c.trial)
	}
	l.config.Settings.Sandbox = engine.SandboxSettings{Means: sandbox.Seatbelt, Network: true}
	if c = a.tryOut(l); c.fault == "" || c.trial != nil {
		t.Errorf("another system's: %+v", c)
	}
	without("bwrap")(t, a, l)
	l.config.Settings = engine.Defaults()
	c = a.tryOut(l)
	var s sheet
	a.kernelMeans(c, &s)
	if f := row(t, s.rows, "bubblewrap"); c.bwrap != "" || f.Level != levelNote || !strings.Contains(f.Why, "isn't installed") {
		t.Errorf("without bubblewrap: %+v, %+v", c, f)
	}
}

func TestDoctorUsage(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, args := range [][]string{{"--all"}, {"home"}, {"--json=2"}} {
		if status, stdout, stderr := p.run("", append([]string{"doctor"}, args...)...); status != statusUsage || stdout != "" || !strings.Contains(stderr, "`wisp doctor`") {
			t.Errorf("%v: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
	if status, stdout, _ := p.run("", "doctor", "--help"); status != statusOK || !strings.Contains(stdout, "--json") {
		t.Errorf("--help: status %d, %q", status, stdout)
	}
}
