package gate

import (
	"strings"
	"testing"
)

// What names a protected file and could write is at least moderate, and says so; what only looks like it doesn't.
func TestProtectedNames(t *testing.T) {
	t.Parallel()
	for want, lines := range map[string][]string{
		".git/hooks": {
			"cp x .git/hooks/pre-commit", "echo x > .git/hooks/x", "cp x .GIT/Hooks/x", "cp x ./.git/./hooks/x", "cp x a/../.git/hooks", "cp x sub/.git/hooks/y", "mv .git/hooks y", "install -m755 x -t .git/hooks", "cp -t.git/hooks x", "ln -s x .git/hooks/y",
			"cd .git && cp x hooks/y", "cd .git/hooks; touch pre-commit", "tee .git/hooks/x < y", "sed -i s/a/b/ .git/hooks/x", "tar -C .git/hooks -xf x", "cp x .git/ho*/y", "cp x .gi?/hooks", "cp x .git/{hooks,x}/y", "rsync a .git/hooks/", "dd if=a of=.git/hooks/x",
			"python3 -c 'open(\".git/hooks/x\",\"w\")'", "H=.git/hooks; cp x $H/y", "chmod +x .git/hooks/x", "rm .git/*", "cp x .git/$X/y", "cp x /home/x/src/.git/hooks/y", "cp x ~/src/.git/hooks/y", "cp x y.git/hooks/z", "cp x .git/modules/m/hooks/y", "vim -c 'w .git/hooks/x'",
			"awk '{print > \".git/hooks/x\"}' y", "env cp x .git/hooks/y", "sh -c 'cp x .git/hooks/y'", "docker run -v $PWD/.git/hooks:/x y", "curl -o .git/hooks/x https://y",
		},
		".git/config": {"cp x .git/config", "cp x .GIT/CONFIG", "echo x >> .git/config", "git config -f .git/config core.pager x", "sed -i s/a/b/ ./.git//config", "ln -f x .git/config", "cd .git; tee config < x"},
		".git":        {"mv .git x", "rm -rf .git", "cp -r x .git", "ln -s x .Git", "cp x $(git rev-parse --git-dir)/hooks/y", "cp x \"$(git rev-parse --git-path hooks)/y\""},
		".wisp":       {"cp x .wisp/config.json", "rm -rf .wisp", "echo x > .WISP/y", "mkdir -p sub/.wisp", "tee ~/.wisp/approvals.json < x"},
		"start":       {"echo x >> ~/.bashrc", "cp x $HOME/.zshrc", "cp x ~/.BASHRC", "tee /home/x/.profile < y", "cp x ../.bash_profile", "cp x ~/.config/fish/config.fish", "sudo tee -a /etc/profile < x", "cp x ~/.zsh*"},
		"": {
			"cat .git/config", "ls .git/hooks", "grep x ~/.bashrc", "diff .git/hooks/a b", "git add .", "git commit -m x", "git --git-dir=.git commit -m x", "cp x .github/hooks/y", "cp x .gitignore", "cp x hooks/y", "cp x git/config", "cp x .gitconfig.d/y", "cp x .git/info/exclude", "touch a.git",
			"cp x config", "cp x .wispy", "cp x wisp/y", "cp x src/.bashrc", "cp x * y", "cp x $DIR/config", "git clone https://x/y.git", "cd .git; ls hooks", "echo .git/hooks",
		},
	} {
		for _, line := range lines {
			found, told, level := "", false, Unrated
			for _, s := range New(Config{Home: "/home/x"}).judge(Plan{Class: Run, Command: line, Directory: "/home/x/src"}) {
				found, level = first(found, s.protected), max(level, s.level)
				told = told || s.level > Moderate || strings.Contains(strings.Join(s.reasons, " "), "no command may change")
			}
			switch {
			case want == "start" && (found == "" || level < Moderate), want != "start" && found != want:
				t.Errorf("%q names %q, want %q", line, found, want)
			case want != "" && (level < Moderate || !told):
				t.Errorf("%q is %v, and doesn't say why", line, level)
			}
		}
	}
}

func TestProtectedNamesOfWisp(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{"cp x /srv/wisp/y": true, "rm -rf /srv/WISP": true, "cp x /srv/wisp2": false, "cp x ../../../srv/wisp/y": true} {
		all, _ := Segments(line)
		if got := ProtectedName(all[0], "/home/x/src", "/home/x", []string{"/srv/wisp/"}); (got != "") != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}
