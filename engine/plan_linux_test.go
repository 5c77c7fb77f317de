package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wisp/engine/gate"
	"wisp/engine/proc"
	"wisp/engine/sandbox"
	"wisp/tools"
)

// planPlace is a repository with a few files, for what plan mode clears to be run in.
func planPlace(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.txt": "one\ntwo\n", "b.txt": "three\n", "sub/c.txt": "four\n", "run.sh": "echo ran > made\n", "list": "a.txt\nb.txt\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first"}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return dir
}

// stateOf is all that a person could find changed below a directory.
func stateOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if d.Type().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = fmt.Sprintf("%d %q", info.ModTime().UnixNano(), content)
		} else if d.Type()&fs.ModeSymlink != 0 {
			text, _ = os.Readlink(path)
		}
		fmt.Fprintf(&b, "%s %s %s\n", path, info.Mode(), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// deeds are commands that change something, and looks such that don't: each alone, and with what makes some of them write.
func deeds() []string {
	return []string{
		"touch made", "rm a.txt", "echo x > a.txt", "echo x >> a.txt", ": > a.txt", "mkdir made", "rmdir sub", "mv a.txt z.txt", "cp a.txt z.txt", "ln -s a.txt z",
		"sed -i s/one/uno/ a.txt", "sed -n 'w made' a.txt", "sed 's/one/uno/w made' a.txt", "tee made < a.txt", "sort -o b.txt a.txt", "awk '{print > \"made\"}' a.txt", "awk 'BEGIN{system(\"touch made\")}'",
		"find . -name a.txt -delete", "find . -name a.txt -exec rm {} +", "find . -fprint made", "chmod 600 a.txt", "truncate -s 0 a.txt", "dd if=a.txt of=made", "install a.txt made",
		"git add .", "git commit --allow-empty -m x", "git checkout -q -b other", "git config user.name b", "git diff --output=made HEAD", "git -c core.pager='touch made' log", "git stash", "git tag made",
		"git branch made", "git rm -q a.txt", "git mv a.txt z.txt", "git init made", "git archive -o made HEAD", "git bundle create made HEAD", "git gc", "git update-ref refs/heads/made HEAD", "git notes add -m x",
		"git reflog expire --expire=now --all", "git remote add made x", "git worktree add made", "git reset --hard -q", "git clean -fdq", "git apply p", "git format-patch -1", "git log --output=made -1",
		"sh run.sh", "bash ./run.sh", "./run.sh", ". ./run.sh", "python3 -c 'open(\"made\",\"w\")'", "perl -e 'open F,\">made\"'", "tar -cf made a.txt", "gzip a.txt", "split a.txt", "csplit a.txt 1", "patch < p", "ed a.txt",
		"tar --to-command='touch made' -xf a.tar", "xargs touch < list", "xargs -a list touch", "curl -o made file:///dev/null", "wget -O made x", "rsync -a a.txt made", "shuf -o made a.txt", "uniq a.txt made", "comm a.txt b.txt > made",
		"cat <<E > made\nx\nE", "printf x | tee made", "exec 3> made", "cat < a.txt <> made", "echo x &> made", "echo x >| made", "env > made", "script -c true made", "logger x > made", "mktemp -p .", "mkfifo made", "mknod made p",
		"diff a.txt b.txt > made", "xxd -r b.txt made", "openssl rand -out made 4", "go build -o made .", "make -f run.sh", "npm init -y", "unzip -o a.zip", "base64 -d a.txt > made", "strings a.txt > made", "jq . a.txt > made", "date > made",
		"rg --pre 'touch made' x", "less -o made a.txt", "more a.txt > made", "vi -c 'w made' -c q a.txt", "ex -sc 'w made|q' a.txt", "nl a.txt > made", "tree -o made", "file -C -m a.txt", "sqlite3 made 'create table x(y)'", "ssh-keygen -f made -N ''",
	}
}

func looks() []string {
	return []string{
		"cat a.txt", "ls -la", "git status", "git diff", "git log -1", "grep -r one .", "wc -l a.txt", "head -1 a.txt", "find . -name '*.txt'", "sed -n 1p a.txt", "sort a.txt", "git show HEAD:a.txt", "diff a.txt a.txt", "stat a.txt", "echo done",
	}
}

// dressed puts a command into what runs it another way.
func dressed(chance *rand.Rand, line string) string {
	quoted := "'" + strings.ReplaceAll(line, "'", `'\''`) + "'"
	simple := !strings.ContainsAny(line, "<>|\n&")
	for range chance.IntN(3) {
		ways := []string{
			"sh -c " + quoted, "bash -c " + quoted, "eval " + quoted, "(" + line + "\n)", "{ " + line + "\n}", "true && " + line, "cat a.txt; " + line, "x=$(" + line + "\n)",
			"if true; then " + line + "\nfi", "for i in 1; do " + line + "\ndone", "cat <(" + line + "\n)", "cat b.txt | sh -c " + quoted, "f() { " + line + "\n}; f", "cd sub && cd .. && " + line, "sh <<'EOT'\n" + line + "\nEOT", "! " + line, line + " &\nwait",
			"timeout 5 sh -c " + quoted, "nice sh -c " + quoted, "env X=1 sh -c " + quoted, "setsid -w sh -c " + quoted, "nohup sh -c " + quoted + " 2>/dev/null", "xargs -I{} sh -c " + quoted + " < b.txt", "find . -maxdepth 0 -exec sh -c " + quoted + " \\;",
		}
		if simple {
			ways = append(ways, "env "+line, "command "+line, "time "+line, "nice "+line, "timeout 5 "+line, "X=1 "+line, "\\"+line, "builtin "+line, "stdbuf -o0 "+line)
		}
		line = ways[chance.IntN(len(ways))]
		quoted = "'" + strings.ReplaceAll(line, "'", `'\''`) + "'"
		simple = false
	}
	return line
}

// TestPlanChangesNothing has plan mode judge commands that change something, dressed in wrappers by chance, and runs what it
// clears: nothing may be changed. They run in a sandbox that would let them write in their directory, so that this is the
// gate's merit alone; then as a session would run them.
func TestPlanChangesNothing(t *testing.T) {
	t.Parallel()
	dir := planPlace(t)
	box := sandbox.Find(sandbox.Landlock, sandbox.Profile{Directory: dir, Never: []string{filepath.Join(t.TempDir(), "wisp")}})
	r := proc.New(proc.Config{Mark: t.Name(), Sandbox: box})
	t.Cleanup(r.Close)
	plan := gate.New(gate.Config{Mode: gate.PlanMode, Home: "/nowhere"})
	person := gate.New(gate.Config{Unsafe: true})
	chance := rand.New(rand.NewPCG(4, 4))
	before := stateOf(t, dir)
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "LANG=C.UTF-8"}
	run := func(line string) (cleared bool) {
		p := gate.Plan{Tool: "shell", Class: gate.Run, Command: line, Shell: "/bin/sh", Directory: dir}
		v := plan.Check(t.Context(), gate.Request{Plan: p, Origin: gate.Model})
		if v.Cleared == nil {
			return false
		}
		bare := person.Check(t.Context(), gate.Request{Plan: p, Origin: gate.Person})
		if bare.Cleared == nil {
			return true
		}
		for i, c := range []gate.Cleared{*bare.Cleared, *v.Cleared} {
			r.Run(context.Background(), proc.Job{Cleared: c, Env: append(env, "GIT_OPTIONAL_LOCKS=0"), Spool: filepath.Join(t.TempDir(), "spool")})
			if after := stateOf(t, dir); after != before {
				t.Fatalf("plan mode cleared %q, which changed something (%d)", line, i)
			}
		}
		return true
	}
	for _, line := range deeds() {
		if run(line) {
			t.Errorf("plan mode cleared %q", line)
		}
	}
	for _, line := range looks() {
		if !run(line) {
			t.Errorf("plan mode refused %q, which only reads", line)
		}
	}
	for range 400 {
		line := dressed(chance, deeds()[chance.IntN(len(deeds()))])
		if run(line) {
			t.Errorf("plan mode cleared %q", line)
		}
	}
	for range 100 {
		run(dressed(chance, looks()[chance.IntN(len(looks()))]))
	}
}

// TestPlanTools has plan mode judge every tool: those that edit are refused, whatever they are given.
func TestPlanTools(t *testing.T) {
	t.Parallel()
	dir := planPlace(t)
	g := gate.New(gate.Config{Mode: gate.PlanMode})
	arguments := []string{`{"path": "a.txt"}`, `{"path": "a.txt", "content": "x"}`, `{"path": "a.txt", "oldText": "one", "newText": "uno"}`, `{"pattern": "one"}`, `{"command": "echo x > a.txt"}`, `{"command": "touch made", "background": true}`, `{}`}
	before := stateOf(t, dir)
	for _, tool := range tools.All(tools.Machine{Shell: "/bin/sh"}) {
		for _, a := range arguments {
			call := tools.Call{ID: "c", Arguments: json.RawMessage(a), Directory: dir}
			p, err := tool.Plan(call)
			if err != nil {
				continue
			}
			v := g.Check(t.Context(), gate.Request{Plan: p, Origin: gate.Model})
			if v.Cleared == nil {
				continue
			}
			if p.Class != gate.Read {
				t.Errorf("plan mode cleared %s %s", tool.Spec().Name, a)
				continue
			}
			tool.Do(t.Context(), *v.Cleared, call)
		}
	}
	if after := stateOf(t, dir); after != before {
		t.Error("a reading tool changed something")
	}
	if !slices.Contains(toolNames(tools.All(tools.Machine{})), "shell") {
		t.Error("the tools have no shell: nothing was tried")
	}
}
