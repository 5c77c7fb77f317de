package pty

import (
	"os"
	"path/filepath"
	"testing"
)

// R069: a shell that is typed at is none, however it is spelt.
func TestBareShell(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"bash", "sh", "zsh -i", "fish", "dash", "bash -l", "bash -il", "bash --norc", "bash --login --posix", "bash -", "bash --", "bash -o vi", "bash +x",
		"sh -s", "sh -s a b", "bash -i -s", "bash --rcfile x -i", "fish -C 'cd x'", "bash -x -i", "ksh93", "nu", "pwsh", "osh", "rbash",
		"/bin/bash", "/bin/../bin/sh -i", "./../../bin/sh", "/usr/bin/env bash", "\\bash", "'ba'sh", `b""ash`, "$'bash'",
		"env sh", "env -i bash", "env A=1 -u B bash", "env -S 'bash -i'", "A=1 bash", "exec fish", "exec -a x sh", "exec -l bash", "command bash", "builtin exec bash",
		"nice zsh", "nice -n 5 zsh", "nohup bash", "time bash", "timeout 5 bash", "setsid bash", "stdbuf -o0 bash", "strace bash", "flock f bash", "rlwrap bash",
		"ssh-agent bash", "taskset 1 bash", "ionice -c 3 bash", "xargs bash", "find . -exec bash \\;", "unbuffer bash",
		"busybox sh", "busybox ash -i", "toybox sh", "sudo bash", "sudo -u bob bash", "sudo -i", "sudo -s", "sudo -iu bob", "sudo --login", "sudo -u bob -s", "doas -s",
		"sudo su", "sudo su -", "su", "su -", "su - bob", "su bob", "su -l", "su -s /bin/sh bob", "runuser -l bob", "run0", "pkexec", "pkexec bash",
		"script", "script log", "script -q log", "nsenter -t 1 -m", "nsenter -t 1 -m bash", "unshare -r", "unshare -r sh", "chroot /x", "chroot /x sh", "fakeroot",
		"setarch", "newgrp x", "sg x", "login", "screen", "tmux", "tmux new -s x", "nix develop", "poetry shell", "machinectl shell x",
		"docker exec -it x bash", "docker exec -it x sh -l", "kubectl exec -it x -- sh", "docker run -it x bash", "podman exec x /bin/sh",
		"bash -c bash", "bash -c 'ls; exec bash'", "sh -c \"sh -c 'zsh -i'\"", "eval bash", "ls; bash", "ls && bash", "true | bash; bash", "(bash)", "{ bash; }", "if true; then bash; fi",
		"while :; do bash; done", "f() { bash; }; f", "echo $(bash)", "bash || true", "! bash", "bash &",
		"$SHELL", "$SHELL -i", "${SHELL}", `"$SHELL" -l`, "exec $SHELL", "exec $0", "$x", "x=bash; $x", "`echo bash`", "$(which bash)", "env $SHELL",
		"bash </dev/tty", "bash < /dev/stdin", "bash <&0", "bash /dev/stdin", "bash /dev/tty", ". /dev/stdin", "source /dev/tty", "cat | bash", "cat - | sh", "tee log | bash",
		"cat /dev/tty | sh", "bash-5.2", "zsh5", "zsh-5.9 -i",
		"bash <(cat)", `eval "$(cat)"`, `while read -r l; do eval "$l"; done`, `sh -c "$(cat)"`, "xargs -I{} sh -c {}", `read x; bash -c "$x"`, "source <(cat)",
	} {
		if BareShell(command) == "" {
			t.Errorf("%s passes", command)
		}
	}
	for _, command := range []string{
		`bash -c "echo 1"`, "bash script.sh", "sh -x script.sh a b", "bash -euo pipefail -c 'make'", "bash -lc 'npm init'", "zsh -ic 'ls'", "fish -c ls", "./configure", "bash ./x -i",
		"python3", "python3 -i", "node", "psql", "gdb ./a", "vim", "less x", "top", "ssh host", "ssh -t host", "ssh host bash", "ssh -t host sudo -i", "mosh host", "telnet x", "sqlite3 x.db",
		"sudo ls", "sudo -u bob ls", "sudo -v", "sudo -s ls", "su -c 'ls' bob", "su bob -c ls", "su - bob -c 'make'", "su bob script.sh", "runuser -u bob ls",
		"script -c 'npm init' log", "nsenter -t 1 -m ls", "unshare -r ls", "chroot /x ls", "docker exec -it x psql", "docker run -it x", "kubectl exec -it x -- psql",
		"tmux ls", "screen -ls", "nix develop -c make", "echo bash", "git commit -m bash", "which bash", "man bash", "ls /bin/bash", "bash <x.sh", "echo ls | bash", "bash <<E\nls\nE",
		"bash <<<ls", "curl https://x | bash", "env", "env A=1 node", "exec node", "nice python3", "npm create vite", "npx create-next-app", "rails new x", "make menuconfig",
		"read -s x", "git add -p", "git rebase -i", "echo $HOME", "cat $x", "busybox vi x", "watch ls", "bash --version", "sh --help", "read name; echo $name", "source .venv/bin/activate; python3",
	} {
		if why := BareShell(command); why != "" {
			t.Errorf("%s: %s", command, why)
		}
	}
}

// A link is what it leads to.
func TestBareShellByLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.Symlink("/bin/bash", filepath.Join(dir, "tool")))
	must(t, os.Symlink("tool", filepath.Join(dir, "second")))
	must(t, os.Symlink("/bin/ls", filepath.Join(dir, "lister")))
	p := place{directory: dir, path: "/usr/bin:" + dir}
	for command, bare := range map[string]bool{
		filepath.Join(dir, "tool"): true, "./tool": true, "./second -i": true, "tool": true, "env tool": true, "exec ./tool -l": true,
		"./tool -c 'echo 1'": false, "tool x.sh": false, "lister": false, "./lister": false, "./nothing": false,
	} {
		if why := bareShell(command, p); (why != "") != bare {
			t.Errorf("%s: %q", command, why)
		}
	}
	if BareShell(filepath.Join(dir, "tool")) == "" {
		t.Error("an absolute link passes")
	}
}
