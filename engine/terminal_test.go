package engine

import "testing"

func TestWantsTerminal(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"vim x": true, "less f": true, "fzf": true, "git log | less": true, "sudo nano /etc/hosts": true, "/usr/bin/vi x": true,
		"ssh host": true, "ssh host uptime": false, "python3": true, "python3 x.py": false, "top": true, "top -b -n 1": false,
		"ls": false, "echo vim": false, "grep less f": false, "((((": false, "cat x > vim": false,
	} {
		if got := wantsTerminal(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

func TestAttaches(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"vim x": true, "less f": true, "sudo -k true": true, "git rebase -i HEAD~2": true, "git rebase main": false, "ssh localhost": true, "ssh host uptime": true,
		"git commit": true, "git commit -m x": false, "git commit -am x": false, "git commit --amend": true, "git commit --amend --no-edit": false,
		"git add -p": true, "git add .": false, "git -C x add -p f": true, "git log": false, "git status": false, "git stash -p": true,
		"python3": true, "python3 x.py": false, "bash": true, "bash x.sh": false, "bash -c 'vim x'": true, "docker run -it x sh": true, "docker ps": false,
		"crontab -e": true, "crontab -l": false, "man ls": true, "cd x && vim y": true, "mine x": true, "yours x": false, "ls": false, "echo sudo": false,
		"make menuconfig": true, "make": false, "gh auth login": true, "git tag -a v1": true, "git tag -a v1 -m x": false,
	} {
		if got := attaches(line, []string{"mine"}); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
