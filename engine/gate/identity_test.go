package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// scene is a directory with a PATH of its own, which is never the machine's.
type scene struct {
	t    testing.TB
	root string // links resolved
	env  []string
}

func newScene(t testing.TB, files ...string) scene {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := scene{t, root, []string{"PATH=" + root + "/first:" + root + "/bin", "HOME=" + root + "/home"}}
	for _, dir := range []string{"first", "bin", "home", "work"} {
		s.must(os.MkdirAll(s.at(dir), 0o755))
	}
	for _, name := range files {
		s.write(name, "echo "+name+"\n")
	}
	return s
}

func (s scene) at(name string) string { return filepath.Join(s.root, name) }

func (s scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s scene) write(name, content string) {
	s.t.Helper()
	s.must(os.MkdirAll(filepath.Dir(s.at(name)), 0o755))
	s.must(os.WriteFile(s.at(name), []byte(content), 0o755))
}

func (s scene) bind(line string) Identity {
	all, _ := Segments(line)
	return bind(Plan{Class: Run, Command: line, Directory: s.at("work")}, all, s.env, nil)
}

// bound lists what is bound that is there, relative to the scene, and what isn't with a ! before it; programs in bin
// without their directory. Programs that aren't there are left out.
func (s scene) bound(line string) string {
	var out []string
	for _, f := range s.bind(line).files {
		name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(filepath.Clean(f.path), s.root+"/"), "work/"), "bin/")
		if f.stamp == (stamp{}) {
			if f.path == "" {
				continue
			}
			name = "!" + name
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func TestWhatIsBound(t *testing.T) {
	t.Parallel()
	s := newScene(t, "bin/git", "bin/bash", "bin/sh", "bin/env", "bin/sudo", "bin/timeout", "bin/xargs", "bin/find", "bin/python3", "bin/node", "bin/perl", "bin/ruby", "bin/php", "bin/awk", "bin/sed", "bin/make", "bin/npm", "bin/just",
		"bin/go", "bin/deno", "bin/bun", "bin/lua", "bin/cat", "bin/echo", "bin/npx", "bin/uv", "bin/java",
		"work/x.sh", "work/x.py", "work/x.js", "work/x.pl", "work/x.rb", "work/x.php", "work/x.awk", "work/x.sed", "work/x.mk", "work/x.go", "work/y.go", "work/x.ts", "work/x.lua", "work/x.jar", "work/Makefile", "work/package.json", "work/justfile", "work/deno.json",
		"work/sub/x.sh", "work/sub/Makefile", "work/sub/deep/x.sh", "work/mod/__main__.py", "work/one.py", "work/app/index.js", "work/ignore", "work/data.csv", "work/a b.sh", "work/tools/git", "home/h.sh",
		"work/node_modules/.bin/eslint", "work/.venv/bin/activate", "work/.venv/bin/pytest", "work/setup.js")
	s.write("work/env.py", "#!/usr/bin/env -S FOO=1 python3 -u\n")
	s.write("work/own", "#!"+s.at("bin/lua")+" -i\n")
	s.must(os.Symlink("x.sh", s.at("work/link")))
	for _, row := range []struct{ line, want string }{
		{"git status", "git"},
		{"git status | cat && echo done", "git cat echo"},
		{"cd sub", ""},
		{"export X=1; test -f a", ""},
		{"nosuch", ""},
		{"./x.sh", "x.sh"},
		{"r=1 ./x.sh", "x.sh"},
		{"cd sub && ./x.sh", "sub/x.sh"},
		{"(cd sub; make); ./x.sh", "make !sub/GNUmakefile !sub/makefile sub/Makefile x.sh"},
		{"cd sub; cd deep; bash x.sh", "bash sub/deep/x.sh"},
		{"env -C sub ./x.sh", "env x.sh sub/x.sh"},
		{"bash x.sh arg", "bash x.sh"},
		{"bash -eu -o pipefail x.sh", "bash x.sh"},
		{"bash 'a b.sh'", "bash a b.sh"},
		{"bash -c 'bash x.sh'", "bash x.sh"},
		{"sudo -u root timeout 5 env A=1 bash x.sh", "sudo timeout env bash x.sh"},
		{"sh -c \"sh -c './x.sh'\"", "sh x.sh"},
		{"echo x.sh | xargs bash", "echo xargs bash x.sh"},
		{"find . -exec bash x.sh {} \\;", "find bash x.sh"},
		{"X=x.sh; bash $X", "bash x.sh"},
		{"bash $X", "bash"},
		{"$X y", ""},
		{"bash ~/h.sh; bash $HOME/h.sh", "bash home/h.sh"},
		{"bash $PWD/x.sh", "bash x.sh"},
		{"bash /proc/self/cwd/x.sh", "bash x.sh"},
		{"bash /dev/stdin", "bash"},
		{"docker exec c bash x.sh", ""},
		{"sh -c '{ bash; } < x.sh'", "sh bash x.sh"},
		{"bash x.s?", "bash x.sh"},
		{"bash link", "bash link"},
		{"source x.sh; . ./link", "x.sh link"},
		{"bash < x.sh", "bash x.sh"},
		{"{ bash; } < x.sh", "bash x.sh"},
		{"cat x.sh | sed s/a/b/ | bash", "cat sed bash x.sh"},
		{"bash <(cat x.sh)", "bash cat x.sh"},
		{"eval \"$(cat x.sh)\"", "cat x.sh"},
		{"cat x.sh", "cat"},
		{"python3 x.py data.csv", "python3 x.py"},
		{"python3 -u x.py data.csv", "python3 x.py"},
		{"python3 -W ignore x.py", "python3 ignore x.py"},
		{"python3 -Wignore -X dev x.py data.csv", "python3 !dev x.py"},
		{"python3 -c 'print(1)' x.py", "python3"},
		{"python3 -m one", "python3 one.py !one/__init__.py !one/__main__.py"},
		{"python3 -um mod data.csv", "python3 !mod.py !mod/__init__.py mod/__main__.py"},
		{"python3 -m a.b", "python3 !a.py !a/__init__.py !a/b.py !a/b/__main__.py"},
		{"python3 mod", "python3 mod mod/__main__.py"},
		{"node x.js data.csv", "node x.js"},
		{"node -r ./setup.js x.js data.csv", "node setup.js x.js"},
		{"node --import ./setup.js x", "node setup.js !x x.js"},
		{"node app", "node app app/index.js"},
		{"node -e 'x' data.csv", "node"},
		{"perl -w -Mstrict x.pl data.csv", "perl x.pl"},
		{"perl -pi -e 's/a/b/' data.csv", "perl"},
		{"ruby -Ilib x.rb data.csv", "ruby x.rb"},
		{"php -f x.php", "php x.php"},
		{"lua x.lua", "lua x.lua"},
		{"java -jar x.jar data.csv", "java x.jar"},
		{"awk -f x.awk data.csv", "awk x.awk"},
		{"sed -n -f x.sed data.csv", "sed x.sed"},
		{"sed -n p data.csv", "sed"},
		{"make -f x.mk all", "make x.mk !GNUmakefile !makefile Makefile"},
		{"make -C sub", "make !GNUmakefile !makefile Makefile !sub/GNUmakefile !sub/makefile sub/Makefile"},
		{"npm test", "npm package.json !.npmrc"},
		{"cd sub && npm run x", "npm !sub/package.json package.json !sub/.npmrc"},
		{"just", "just justfile !Justfile !.justfile"},
		{"go run x.go y.go data.csv", "go x.go y.go"},
		{"deno run -A x.ts", "deno x.ts deno.json !deno.jsonc"},
		{"bun x.ts", "bun x.ts package.json"},
		{"./env.py", "env.py /usr/bin/env python3"},
		{"./own", "own lua"},
		{"PATH=tools:$PATH git status", "git tools/git"},
		{"export PATH=\"$PWD/tools:$PATH\"; git status", "git tools/git"},
		{"env PATH=./tools git status", "env git tools/git"},
		{"BASH_ENV=x.sh bash -c true", "bash x.sh"},
		{"ENV=./x.sh sh x.awk", "sh x.awk x.sh"},
		{"env PYTHONSTARTUP=x.py python3 one.py", "env x.py python3 one.py"},
		{"export BASH_ENV=$PWD/x.sh; bash one.py", "x.sh bash one.py"},
		{"NODE_OPTIONS='--require ./setup.js' node x.js", "node x.js setup.js"},
		{"NODE_OPTIONS=--import=./setup node x.js", "node x.js !setup setup.js"},
		{"RUBYOPT=-r./x.rb ruby one.py", "ruby one.py x.rb"},
		{"PERL5OPT=-d x=y perl x.pl", "perl x.pl"},
		{"npx eslint", "npx node_modules/.bin/eslint"},
		{"uv run x.py", "uv x.py"},
		{". .venv/bin/activate && pytest", ".venv/bin/activate .venv/bin/pytest"},
	} {
		if got := s.bound(row.line); got != row.want {
			t.Errorf("%s\n  binds %q,\n  want  %q", row.line, got, row.want)
		}
	}
}

func TestChangesAreFound(t *testing.T) {
	t.Parallel()
	long := time.Now().Add(-time.Hour)
	for _, row := range []struct {
		name, line string
		change     func(scene)
		want       string // a part of the sentence; "" where it is no change
	}{
		{"nothing", "bash x.sh", func(scene) {}, ""},
		{"touched", "bash x.sh", func(s scene) { s.must(os.Chtimes(s.at("work/x.sh"), long, long)) }, ""},
		{"same content, new file", "bash x.sh", func(s scene) { s.replace("work/x.sh", "echo work/x.sh\n") }, ""},
		{"content", "bash x.sh", func(s scene) { s.write("work/x.sh", "rm -rf ~\n") }, "x.sh was changed after it was approved: nothing was run"},
		{"same size and times", "bash x.sh", (scene).forge, "x.sh was changed after it was approved"},
		{"within a wrapper", "timeout 5 sh -c 'bash x.sh'", (scene).forge, "x.sh was changed"},
		{"fed", "cat x.sh | bash", (scene).forge, "x.sh was changed"},
		{"replaced by rename", "./x.sh", func(s scene) { s.replace("work/x.sh", "echo WORK/x.sh\n") }, "./x.sh was changed"},
		{"removed", "bash x.sh", func(s scene) { s.must(os.Remove(s.at("work/x.sh"))) }, "x.sh is gone"},
		{"comes", "bash new.sh", func(s scene) { s.write("work/new.sh", "") }, "/work/new.sh now, and was not there"},
		{"comes before", "make", func(s scene) { s.write("work/GNUmakefile", "") }, "GNUmakefile now, and was not there"},
		{"link elsewhere", "bash link", func(s scene) {
			s.write("work/other.sh", "echo work/x.sh\n")
			s.must(os.Remove(s.at("work/link")))
			s.must(os.Symlink("other.sh", s.at("work/link")))
		}, "/work/other.sh now, and was "},
		{"behind a link", "bash link", (scene).forge, "link was changed"},
		{"earlier in the PATH", "git status", func(s scene) { s.write("first/git", "echo bin/git\n") }, "/first/git now, and was "},
		{"name that comes", "tool", func(s scene) { s.write("bin/tool", "") }, "/bin/tool now, and was not there"},
		{"name that goes", "git status", func(s scene) { s.must(os.Chmod(s.at("bin/git"), 0o644)) }, "git is gone"},
		{"earlier match", "bash ?.sh", func(s scene) { s.write("work/a.sh", "echo work/x.sh\n") }, "/work/a.sh now"},
		{"the directory of a module", "python3 -m pytest", func(s scene) { s.write("work/pytest.py", "") }, "pytest.py now"},
		{"interpreter", "./own", func(s scene) { s.write("bin/lua", "other") }, "/bin/lua was changed"},
		{"pipe in its place", "bash x.sh", func(s scene) {
			s.must(os.Remove(s.at("work/x.sh")))
			s.must(syscall.Mkfifo(s.at("work/x.sh"), 0o600))
		}, "x.sh was changed"},
		{"a file beside it", "python3 mod", func(s scene) { s.write("work/mod/data", "") }, ""},
		{"names that aren't printed", "bash 'a\x1b[2J.sh'", func(s scene) { s.write("work/a\x1b[2J.sh", "") }, `"a\x1b[2J.sh" is "`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, "bin/git", "bin/bash", "bin/sh", "bin/timeout", "bin/cat", "bin/lua", "bin/make", "bin/python3", "work/x.sh", "work/Makefile", "work/mod/__main__.py")
			s.must(os.Symlink("x.sh", s.at("work/link")))
			s.write("work/own", "#!"+s.at("bin/lua")+"\n")
			was := s.bind(row.line)
			if why := was.Changed(); why != "" {
				t.Fatalf("before: %s", why)
			}
			row.change(s)
			if why := was.Changed(); (why == "") != (row.want == "") || !strings.Contains(why, row.want) {
				t.Errorf("%q, want %q", why, row.want)
			}
		})
	}
}

// forge changes work/x.sh and sets its time back.
func (s scene) forge() {
	info, err := os.Stat(s.at("work/x.sh"))
	s.must(err)
	s.write("work/x.sh", "echo WORK/x.sh\n")
	s.must(os.Chtimes(s.at("work/x.sh"), info.ModTime(), info.ModTime()))
}

// replace puts another file in a file's place.
func (s scene) replace(name, content string) {
	s.write(name+".new", content)
	s.must(os.Rename(s.at(name+".new"), s.at(name)))
}

// A write through a mapping that was made before leaves no new time on the file.
func TestChangeThroughAMappingIsFound(t *testing.T) {
	t.Parallel()
	s := newScene(t, "bin/bash", "work/x.sh")
	f, err := os.OpenFile(s.at("work/x.sh"), os.O_RDWR, 0)
	s.must(err)
	defer f.Close()
	memory, err := syscall.Mmap(int(f.Fd()), 0, 4, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	s.must(err)
	defer func() { s.must(syscall.Munmap(memory)) }()
	memory[0] = 'e' // the page is written to: the next time comes with the disk's
	was := s.bind("bash x.sh")
	memory[0] = 'E'
	if was.Changed() == "" {
		t.Error("not found")
	}
}

func TestNothingIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := newScene(t, "bin/bash")
	s.must(syscall.Mkfifo(s.at("work/pipe"), 0o600))
	s.must(syscall.Mkfifo(s.at("bin/tool"), 0o755))
	for _, line := range []string{"bash pipe", "./pipe", "tool", "bash < pipe", "cat pipe | bash", "bash pipe/*", "bash /dev/tty", "bash /proc/kmsg", "bash /dev/zero", "/proc/self/exe", "bash .", "./", "bash ''", "bash /dev/fd/0"} {
		if why := s.bind(line).Changed(); why != "" {
			t.Errorf("%s: %s", line, why)
		}
	}
}

func TestLargeFileIsBoundByItsStamp(t *testing.T) {
	t.Parallel()
	s := newScene(t, "bin/bash", "work/x.sh")
	s.must(os.Truncate(s.at("work/x.sh"), 33<<20))
	was := s.bind("./x.sh")
	if f := was.files[0]; f.sum != "" || f.stamp.size != 33<<20 {
		t.Fatalf("%+v", f)
	}
	if why := was.Changed(); why != "" {
		t.Error(why)
	}
	f, err := os.OpenFile(s.at("work/x.sh"), os.O_WRONLY, 0)
	s.must(err)
	_, err = f.WriteAt([]byte("x"), 20<<20)
	s.must(err)
	s.must(f.Close())
	s.must(os.Chtimes(s.at("work/x.sh"), time.Unix(0, was.files[0].stamp.modified), time.Unix(0, was.files[0].stamp.modified)))
	if was.Changed() == "" {
		t.Error("not found")
	}
}

func TestBoundsOfWhatIsBound(t *testing.T) {
	t.Parallel()
	s := newScene(t, "bin/bash")
	var line strings.Builder
	for i := range maxBound + 1 {
		fmt.Fprintf(&line, "./%d;", i)
	}
	if why := s.bind(line.String()).Changed(); !strings.Contains(why, "more than 256 files") {
		t.Errorf("%q", why)
	}
	if b := s.bind(strings.Repeat("bash x.sh;", 300)); b.over || len(b.files) != 2 {
		t.Errorf("%d files of one name", len(b.files))
	}
	// The next is known by its stamp, once the bytes are used up.
	s.must(os.WriteFile(s.at("work/big"), nil, 0o755))
	s.must(os.Truncate(s.at("work/big"), 1<<20))
	left := int64(1 << 19)
	if f := look(s.at("work/big"), &left, nil); f.sum != "" || f.stamp.size != 1<<20 {
		t.Errorf("%+v", f)
	}
	for _, line := range append(hostileArguments(), "bash "+strings.Repeat("{a,b}", 6), strings.Repeat("cd a;", 300)+"./x", "bash "+strings.Repeat("*/", 500)+"x", strings.Repeat("PATH=a:$PATH;", 300)+"x") {
		if all, _ := Segments(line); len(bind(Plan{Class: Run, Command: line, Directory: s.at("work")}, all, s.env, nil).files) > maxBound {
			t.Errorf("%.40q binds too much", line)
		}
	}
	if b := bind(Plan{Class: Edit, Paths: []string{"/etc/passwd"}}, nil, nil, nil); b.files != nil || b.Changed() != "" || b.Sum() != "" || (Identity{}).Changed() != "" {
		t.Errorf("%+v", b)
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	s := newScene(t, "work/x.sh")
	s.env = []string{"PATH=/usr/bin:/bin"}
	if sum := s.bind("sh -c 'ls | cat'; env true").Sum(); sum != "" {
		t.Errorf("the system's programs count: %q", sum)
	}
	was := s.bind("sh x.sh").Sum()
	if was == "" || was != s.bind("sh x.sh").Sum() || was == s.bind("sh ./x.sh; sh y.sh").Sum() {
		t.Errorf("%q", was)
	}
	s.must(os.Chtimes(s.at("work/x.sh"), time.Unix(1, 0), time.Unix(1, 0)))
	s.replace("work/x.sh", "echo work/x.sh\n")
	if now := s.bind("sh x.sh").Sum(); now != was {
		t.Errorf("the same content has another sum")
	}
	s.forge()
	if now := s.bind("sh x.sh").Sum(); now == was || now == "" {
		t.Errorf("another content has the same sum: %q", now)
	}
}

func TestHashesAreKeptForProgramsOfTheSystem(t *testing.T) {
	t.Parallel()
	s := newScene(t, "work/x.sh")
	known := &sums{}
	all, _ := Segments("sh x.sh")
	plan := Plan{Class: Run, Command: "sh x.sh", Directory: s.at("work")}
	one := bind(plan, all, []string{"PATH=/bin"}, known)
	if len(known.by) != 1 || one.files[0].sum == "" {
		t.Fatalf("%d kept", len(known.by))
	}
	two := bind(plan, all, []string{"PATH=/bin"}, known)
	if two.files[0].file != one.files[0].file {
		t.Errorf("%+v, %+v", one.files[0], two.files[0])
	}
	for i := range maxSums + 1 {
		known.keep(stamp{inode: uint64(i)}, "x")
	}
	if len(known.by) > maxSums {
		t.Errorf("%d kept", len(known.by))
	}
}

func BenchmarkBind(b *testing.B) {
	s := newScene(b, "work/x.sh")
	s.env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
	s.must(os.Truncate(s.at("work/x.sh"), 30<<20))
	for name, line := range map[string]string{"git-status": "git status", "30MB": "./x.sh"} {
		all, _ := Segments(line)
		plan := Plan{Class: Run, Command: line, Directory: s.at("work")}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				bind(plan, all, s.env, nil)
			}
		})
		b.Run(name+"-kept", func(b *testing.B) {
			known := &sums{}
			for b.Loop() {
				bind(plan, all, s.env, known)
			}
		})
	}
}

func BenchmarkChanged(b *testing.B) {
	s := newScene(b, "work/x.sh")
	s.env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
	for name, line := range map[string]string{"git-status": "git status", "script": "bash x.sh"} {
		was := s.bind(line)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if why := was.Changed(); why != "" {
					b.Fatal(why)
				}
			}
		})
	}
}

func FuzzBind(f *testing.F) {
	for _, line := range []string{"cd a && ./b", "PATH='a:$PATH' x", "python3 -m a.b", "bash < 'x'", "cat x | sh", "node -r a b", "bash {a,b}?", "env -C a x", ". activate; b"} {
		f.Add(line)
	}
	s := newScene(f, "bin/bash", "work/x.sh")
	f.Fuzz(func(t *testing.T, line string) {
		if b := s.bind(line); len(b.files) > maxBound || b.Changed() != "" && !b.over || b.Sum() != s.bind(line).Sum() {
			t.Fatalf("%q: %s", line, b.Changed())
		}
	})
}
