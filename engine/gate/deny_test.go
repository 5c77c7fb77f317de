package gate

import (
	"testing"
)

// deniedRows are lines by the rule of the default deny list that they break, in a session in /home/x/src.
var deniedRows = map[string][]string{
	"rm -rf /": {
		"rm -rf /", "rm -fr /", "rm -r -f /", "rm -Rf /", "rm --recursive --force /", "rm -rf -- /", "rm / -rf", "rm -rf --no-preserve-root /", "rm -rf //", "rm -rf /.", "rm -rf /./", "rm -rf /..", "rm -rf /tmp/..",
		"rm -rf /*", "rm -rf /.*", "rm -rf /*/*", "rm -rf /?*", "rm -rf /[!.]*", "rm -rf /{*,.*}", "rm -rf x /", `rm -rf "/"`, `r\m -rf /`, "/bin/rm -rf /", `\rm -rf /`, "$'\\x72m' -rf /", "RM -rf /",
		"rm -rf ~", "rm -rf ~/", "rm -rf ~/*", "rm -rf $HOME", "rm -rf \"$HOME\"", "rm -rf ${HOME}/", "rm -rf $HOME/*", "rm -rf ~x", "rm -rf /home/x", "rm -rf /home/x/.", "rm -rf ..", "rm -rf ../*", "rm -rf ../../..",
		"cd / && rm -rf *", "cd /; rm -rf .", "cd /; rm -rf ./*", "(cd / && rm -rf *)", "cd && rm -rf *", "cd ~; rm -rf .", "cd ../.. ; cd ..; rm -rf *", "pushd /; rm -rf *", "env -C / rm -rf *", "rm -rf $PWD/..",
		"sudo rm -rf /", "env rm -rf /", "nohup rm -rf / &", "busybox rm -rf /", "command rm -rf /", "exec rm -rf /", "timeout 5 rm -rf /", "sh -c 'rm -rf /'", "bash -lc \"rm -rf /\"", "eval rm -rf /", "su -c 'rm -rf /'",
		"echo $(rm -rf /)", "echo `rm -rf /`", "true && rm -rf /", "if true; then rm -rf /; fi", "f() { rm -rf /; }; f", "echo 'rm -rf /' | sh", "sh <<< 'rm -rf /'", "sh <<E\nrm -rf /\nE", "trap 'rm -rf /' EXIT",
		"echo / | xargs rm -rf", "printf '/\\n' | xargs rm -rf", "xargs rm -rf <<< /", "echo / | xargs -I{} rm -rf {}", "find / | xargs rm -rf", "find / -type f | xargs rm -f", "parallel rm -rf ::: /", "ssh host 'rm -rf /'",
		"find / -delete", "find / -type f -delete", "find /* -delete", "find -L / -delete", "find ~ -delete", "find / -exec rm -rf {} +", "find / -exec rm {} \\;", "find / -exec sh -c 'rm -rf \"$1\"' _ {} \\;", "cd / && find -delete", "find .. -delete",
		"X=/; rm -rf $X", "X=rm; $X -rf /", "for d in /*; do rm -rf $d; done", "rm -rf ${X:-/}", "X='rm -rf /'; $X", "$(which rm) -rf /", "`command -v rm` -rf /", "$EMPTY rm -rf /", "rm$IFS-rf$IFS/", "{rm,-rf,/}",
		"mv ~ /dev/null", "mv /* /dev/null", "rsync -a --delete empty/ /", "rsync -a --delete empty/ ~/",
		"python3 -c 'import shutil; shutil.rmtree(\"/\")'", "python3 -c 'import os; os.system(\"rm -rf /\")'", "perl -e 'system(\"rm -rf /\")'", "node -e 'fs.rmSync(\"/\",{recursive:true})'", "awk 'BEGIN{system(\"rm -rf /\")}'", "git -c alias.x='!rm -rf /' x",
	},
	"write to a raw disk": {
		"dd if=/dev/zero of=/dev/sda", "dd of=/dev/nvme0n1 if=x bs=1M", "sudo dd of=/dev/sda < x", "dd of=/dev/../dev/sda", "dd of=/dev//sda", "echo x > /dev/sda", "cat x >> /dev/sda1", ": > /dev/vda", "cat x | tee /dev/sda", "tee -a /dev/sdb < x",
		"cat x | sudo tee /dev/sda >/dev/null", "shred /dev/sda", "shred -n 1 -v /dev/sdb", "mkfs.ext4 /dev/sda1", "mkfs -t xfs /dev/sdb", "mkfs /dev/sdb", "mke2fs /dev/sda", "wipefs -a /dev/sda", "blkdiscard /dev/nvme0n1", "cp x /dev/nvme0n1", "cp x /dev/disk/by-id/y",
		"mv x /dev/sda", "install x /dev/sda", "pv x > /dev/rdisk2", "ddrescue a /dev/sda", "mkswap /dev/sdb2", "sfdisk /dev/sda < x", "sgdisk --zap-all /dev/sda", "parted /dev/sda mklabel gpt", "badblocks -w /dev/sda", "curl -o /dev/sda x", "cat x > /dev/mem",
		"hdparm --security-erase p /dev/sda", "nvme format /dev/nvme0n1", "cryptsetup luksFormat /dev/sda2", "pvcreate /dev/sdb", "zpool create t /dev/sdb", "qemu-img convert x /dev/sda", "diskutil eraseDisk JHFS+ x disk2", "truncate -s 0 /dev/sda", "sed -i s/a/b/ /dev/sda",
		"D=/dev/sda; dd of=$D", "D=/dev/sda; cat x > $D", "sh -c 'cat x > /dev/sda'", "{ cat x; } > /dev/sda", "python3 -c 'open(\"/dev/sda\",\"wb\").write(b\"x\")'", "exec 3> /dev/sda",
	},
	":(){ :|:& };:": {
		":(){ :|:& };:", "f(){ f|f& };f", "f() { f & f & }; f", "function b { b | b & }; b", "bomb() { bomb | bomb & }; bomb", "a(){ b|b& }; b(){ a|a& }; a", "f() { (f &); f; }; f", "sh -c ':(){ :|:& };:'", "while true; do sh x & done", "for ((;;)); do x & done",
		"sh -c '$0 | $0 &'", "python3 -c 'import os\nwhile True: os.fork()'", "perl -e 'fork while 1'", "ruby -e 'loop { fork }'", "f() { f | cat & f & }; f",
	},
	"wisp approvals *": {
		"wisp approvals", "wisp approvals allow x", "wisp --home x approvals clear", "./bin/wisp approvals list", "env A=1 wisp approvals x", "echo y | wisp approvals allow", "sh -c 'wisp approvals x'", "npx wisp approvals x", "wisp trust", "$(which wisp) approvals x",
	},
	"wisp chat|ask|acp|mcp": {
		"wisp", "wisp chat", "wisp ask 'do it'", "wisp acp", "wisp mcp", "wisp-tui", "./bin/wisp", "/usr/local/bin/wisp chat", "env wisp", "env -i wisp --yes", "nohup wisp chat &", "sh -c wisp", "echo hi | wisp", "npx wisp", "npx -y wisp chat", "go run ./cmd/wisp", "go run wisp/cmd/wisp-tui@latest",
		"exec wisp", "tmux new-session -d 'wisp chat'", "script -qc wisp /dev/null", "xargs wisp ask", "(wisp)", "W=wisp; $W chat", "python3 -c 'import os; os.system(\"wisp ask x\")'", "wisp --model x", "timeout 60 wisp ask x",
	},
	"": { // what only looks like it
		"rm -rf ./build", "rm -rf build/*", "rm -rf /tmp/x", "rm -rf /usr", "rm -rf ~/src/y", "rm -rf $HOME/.cache/y", "rm -rf /home/x/src/y", "rm -rf *", "rm -rf .git", "cd build && rm -rf *", "cd /tmp/y; rm -rf *", "rm /", "rm -f /tmp/*", "rm -rf $DIR/x", "rm -rf /home/y2/z",
		`echo "rm -rf /"`, "echo rm -rf /", "grep -r 'rm -rf /' .", "git commit -m 'rm -rf /'", "cat <<'E'\nrm -rf /\nE", "# rm -rf /", "printf '%s' 'rm -rf /'", "python3 -c 'print(\"rm -rf /\")'", "ls /", "du -sh /*", "find / -name x", "find / -name x -delete", "find . -delete", "find /tmp/x -delete",
		"ls / | xargs echo", "echo x | xargs rm -rf", "cd / && ls", "cd /; cd tmp/z; rm -rf *", "X=/tmp/y; rm -rf $X", "for d in a b; do rm -rf $d; done", "mv a /dev/null", "rsync -a --delete a/ b/", "python3 -c 'import shutil; shutil.rmtree(\"build\")'",
		"grep dd x", "dd if=a of=b.img", "dd if=/dev/sda of=x.img", "cat /dev/sda > x", "cp /dev/sda1 x", "echo x > /dev/null", "cat x > /dev/stderr", "fdisk -l /dev/sda", "parted /dev/sda print", "wipefs /dev/sda", "lsblk /dev/sda", "mkfs.ext4 disk.img", "shred x", "tee out.txt", "cp x /dev/shm/y",
		"echo '> /dev/sda'", "man dd", "vim mkfs.txt", "truncate -s 0 x", "echo /dev/sda", "file /dev/sda", "smartctl -a /dev/sda",
		"a | b &", "f() { g | h; }; f", "f() { f; }; f", "while true; do x; sleep 1; done", "while true; do x & wait; done", "for i in 1 2; do x & done", "echo ':(){ :|:& };:'", "python3 -c 'import os; os.fork()'", "git fork while", "a() { b & }; b() { c; }; a",
		"cat wisp.md", "wisp --version", "wisp --help", "wisp chat --help", "wisp-tui --version", "wisp doctor", "wisp threads", "wisp audit verify", "wisp permissions test 'rm x'", "go build ./cmd/wisp", "go test ./cmd/wisp", "cd wisp && ls", "grep -r wisp .", "which wisp", "ls approvals", "vim wisp/approvals.go", "./wispy", "git commit -m wisp",
	},
}

func TestDenyList(t *testing.T) {
	t.Parallel()
	for want, lines := range deniedRows {
		for _, line := range lines {
			all, err := Segments(line)
			if rule, why, _ := forbidden(all, "/home/x/src", "/home/x"); rule != want || (rule == "") != (why == "") {
				t.Errorf("%q: %q (%v), want %q", line, rule, err, want)
			}
		}
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"/": "/", "": "/", "//": "/", "/*": "/", "/a/*": "/a", "*": "/d", ".": "/d", "a": "/d/a", "../*/*": "/", "~": "/h", "~/a": "/h/a", "$HOME/*": "/h", "${HOME}": "/h", "$X": "$X", "$PWD": "/d", "~u": "/h", "/[a-z]*": "/", "/a*": "/a*", "/[a": "/[a",
	} {
		if got := place(target, "/d", "/h"); got != want {
			t.Errorf("%q: %q, want %q", target, got, want)
		}
	}
	if got := place("~/x", "", ""); got != "~/x" {
		t.Errorf("no home: %q", got)
	}
}
