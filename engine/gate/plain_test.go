package gate

import (
	"os"
	"testing"
)

// What changes what a program runs isn't covered by the star at the end of a rule that allows.
func TestArgumentsThatChangeWhatRuns(t *testing.T) {
	t.Parallel()
	const rules = "shell make test *: allow; shell npm test *: allow; shell npm run *: allow; shell git *: allow; shell cargo *: allow; shell go test *: allow; shell pytest *: allow; shell gcc *: allow; shell just *: allow"
	verdicts(t, []verdictRow{
		{rules, AskFirst, []string{
			"make test SHELL=./x", "make test --eval='x:;y'", "make test -f other", "make test -fother", "make test --fil=other", "make test -C sub", "make test CC=evil", "make test 'X=$(shell y)'", "make test FOO=./x", "SHELL=./x make test", "FOO=./x make test", "MAKEFLAGS=--eval=x make test", "env PYTHON=./x make test", "export GO=./x; make test",
			"git -c core.pager=x log", "git --exec-path=x log", "git clone --template=x y", "npm test --script-shell=./x", "npm test --script-shell ./x", "npm run a --prefix other", "npm_config_script_shell=./x npm test", "cargo test --config x", "cargo --config x test", "cargo test --manifest-path=x/Cargo.toml", "go test -exec ./x ./...", "go test -overlay=f", "GOFLAGS=-toolexec=./x go test",
			"pytest -p evil", "pytest -c other.ini", "gcc -wrapper x a.c", "gcc -fplugin=x a.c", "NODE_OPTIONS='--require ./x' npm test", "just --shell ./x a", "just X=./y a", "GIT_CONFIG_COUNT=1 git log",
		}},
		{rules, Allow, []string{
			"make test", "make test V=1", "make test TESTS=TestFoo", "make test -j4", "V=1 make test", "MAKEFLAGS=-j4 make test", "FOO=bar make test", "git log --oneline", "npm test -- --watch", "npm run a -- --prefix x", "cargo test --release", "go test -run X -count=1 -v ./...", "GOFLAGS=-mod=vendor go test ./...", "CGO_ENABLED=0 GOOS=linux go test ./...",
			"pytest -p no:cacheprovider -k foo", "gcc -O2 -Wall -o a a.c", "NODE_OPTIONS=--max-old-space-size=4096 npm test", "CI=1 npm test", "GIT_TERMINAL_PROMPT=0 git status", "GIT_AUTHOR_NAME='x y' git commit -m x", "npm_config_loglevel=error npm test",
		}},
		{"shell make *: allow; shell make * -f *: allow", Allow, []string{"make test -f other"}},
	})
}

// The shell's own grammar around commands that a rule allows isn't asked for.
func TestPlainConstructs(t *testing.T) {
	t.Parallel()
	const rules = "shell *: ask; shell git *: allow; shell tee *: allow"
	verdicts(t, []verdictRow{
		{rules, Allow, []string{
			"x=1; git log", "[[ -f a ]] && git status", "[ -f a ] && git status", "test -f a && git status", "set -euo pipefail; git status", "export CI=1; git log", "exec 2>&1; git log", "git log | tee /dev/null", "cd sub && git log", "f() { git log; }; f", "f() { git log \"$1\"; }; f x", "for i in 1 2; do git show $i; done",
			"for f in *.md; do git log $f; done", "if git diff --quiet; then git log; fi", "while read l; do git log $l; done < a", "/usr/bin/git status", "x=$(git log -1); git show \"$x\"", "git log || true", "command -v git && git log", "{ git log; git status; } 2>&1", "git log; exit 1", "local x=1", "declare -a x=(a b)", "unset x; git log", "case x in x) git log;; esac",
		}},
		{rules, AskFirst, []string{"ls", "echo x", "git log; ls", "f() { ls; }; f", "export PATH=/tmp; git log", "cd .. && git log", "exec ls", "./git log", "git() { ls; }; git log", "(f() { git log; }); f", "f() { eval \"$1\"; }; f x"}},
		{"shell *: deny; shell git *: allow", Allow, []string{"cd sub && git log", "x=1; git log"}},
		{"shell *: deny; shell git *: allow", Deny, []string{"ls", "x=1; ls"}},
	})
}

// No rule about everything covers what makes git, or wisp, run something later.
func TestWhatNoRuleAllows(t *testing.T) {
	t.Parallel()
	verdicts(t, []verdictRow{
		{"shell *: allow", AskFirst, []string{
			"cp x .git/hooks/pre-commit", "ln -s ../../docs .git/hooks/pre-commit", "echo x > .git/hooks/y", "tee .git/hooks/a", "install -m755 x .git/hooks/", "mv x .git/hooks/", "cat .git/config | tee .git/hooks/x", "git config core.hooksPath x", "git config --global alias.x '!y'", "git config alias.co checkout", "git config set core.hooksPath x", "git -C sub config core.sshCommand x",
			"git config -e", "git config \"$X\" y", "git config --global filter.x.clean y", "git config include.path x", "cp x \"$WISP_HOME/config.json\"", "echo x > $WISP_HOME/config.json", "cat \"$WISP_HOME/approvals.json\"", "rm ${WISP_HOME}/approvals.json", "X=$WISP_HOME; cp a $X/config.json", "cp docs/a.md hooks/pre-commit", "echo x > hooks/y", "ln -s ../../docs hooks/z",
		}},
		{"shell *: allow", Allow, []string{"git config user.name x", "git config --get core.hooksPath", "git config core.hooksPath", "git config pull.rebase true", "cat .git/config", "git add .gitignore", "cp x $OUT/y"}},
		{"", Deny, []string{
			`rm -rf "$UNSET"/`, "rm -rf $UNSET/*", `rm -rf "${UNSET}"/`, "rm -rf /$UNSET", `rm -rf "$A$B"/*`, "rm -rf ${X%/}/*", "rm -rf ~/$X", "find $X/ -delete", "tmux send-keys -t 0 y Enter", "tmux send -t 0 y", "tmux send-k y", "tmux a \\; send-keys y", "tmux paste-buffer", "screen -S x -X stuff y", "xdotool type y", "kitty @ send-text y",
			"ln -s $(which wisp) w; ./w approvals", "ln -s /usr/bin/wisp w && ./w chat", "cp \"$(command -v wisp)\" /tmp/ww; /tmp/ww ask x", "go build -o ww ./cmd/wisp && ./ww ask",
		}},
		{"", AskFirst, []string{"rm -rf ${X:?}/*", "rm -rf $X", "X=build; rm -rf $X/*", "X=$(mktemp -d); rm -rf \"$X\"/*", "for d in a b; do rm -rf $d/*; done", "rm -rf sub/$X", "rm -rf $OUT/*", "tmux ls", "screen -ls"}},
	})
}

// A link to wisp and a copy of it are wisp, whatever they are called.
func TestWispByAnotherName(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	own := g.home + "/bin/wisp"
	must(os.MkdirAll(g.home+"/bin", 0o755))
	must(os.WriteFile(own, []byte("the program"), 0o755))
	must(os.WriteFile(g.work+"/copy", []byte("the program"), 0o755))
	must(os.WriteFile(g.work+"/another", []byte("the PROGRAM"), 0o755))
	must(os.Link(own, g.work+"/hard"))
	must(os.Symlink(own, g.work+"/soft"))
	for line, want := range map[string]string{
		"./copy ask x": "wisp chat|ask|acp|mcp", "./hard approvals list": "wisp approvals *", "./soft": "wisp chat|ask|acp|mcp", "copy chat": "wisp chat|ask|acp|mcp", "nohup ./copy mcp &": "wisp chat|ask|acp|mcp", "X=./soft; $X approvals": "wisp approvals *",
		"./another ask x": "", "./copy doctor": "", "cat copy": "",
	} {
		v := New(Config{Home: g.home, Programs: []string{own}, Mode: YesMode}).Check(t.Context(), Request{Origin: Model, Env: []string{"PATH=" + g.work}, Plan: Plan{Class: Run, Command: line, Directory: g.work}})
		if v.Rule != want {
			t.Errorf("%s: %+v, want %q", line, v, want)
		}
	}
}

// An answer for a script of the project is for what the project's file says then.
func TestAnswerEndsWithTheProjectsFile(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ line, file, again string }{
		{"npm test", "package.json", "npm test -- --watch"}, {"npm run build", "package.json", "npm run build"}, {"yarn lint", "package.json", "yarn lint"}, {"npm test", ".npmrc", "npm test"}, {"make test", "Makefile", "make test"}, {"composer test", "composer.json", "composer test"}, {"just test", "justfile", "just test"},
		{"npm install x", "", "npm install y"},
	} {
		s := newScene(t, "bin/npm", "bin/yarn", "bin/make", "bin/composer", "bin/just", "work/package.json", "work/Makefile", "work/composer.json", "work/justfile")
		p := &person{answer: Answer{Scope: Session}}
		g := New(Config{Ask: p.ask})
		ask := func(line string) int {
			g.Check(t.Context(), Request{Origin: Model, Turn: 1, Env: s.env, Plan: Plan{Class: Run, Command: line, Directory: s.at("work")}})
			return len(p.asked)
		}
		if first, second := ask(row.line), ask(row.again); first != 1 || second != 1 {
			t.Errorf("%s is asked for %d times, then %d", row.line, first, second-first)
		}
		s.write("work/"+"package.json", "changed")
		if row.file != "" {
			s.write("work/"+row.file, "changed")
		}
		if now, want := ask(row.again), 2; row.file != "" && now != want || row.file == "" && now != 1 {
			t.Errorf("%s is asked for %d times once %s has changed", row.line, now, row.file)
		}
	}
}
