package gate

import (
	"slices"
	"strings"
)

// rateProgram rates one program with its arguments: by what its options make of it where it is known to read only, by
// its verb where it has verbs, else by its name. A program that isn't known is moderate.
func rateProgram(program string, args []string, s Segment) rating {
	if asksAbout(args) && (hasVerbs(program) || isInterpreter(program)) {
		return low() // node --version
	}
	if r, ok := rateReader(program, args); ok {
		return r
	}
	if r, ok := rateVerb(program, args); ok {
		return r
	}
	if isInterpreter(program) {
		return moderate("it runs what it is given")
	}
	if r, ok := rateNetwork(program, args, s); ok {
		return r
	}
	if r, ok := rateFiles(program, args); ok {
		return r
	}
	if r, ok := rateSystem(program, args); ok {
		return r
	}
	return moderate("what " + program + " does isn't known")
}

// asksAbout reports whether the only argument asks a program for its version or its help.
func asksAbout(args []string) bool {
	return len(args) == 1 && slices.Contains([]string{"--version", "-version", "-V", "--help", "version"}, args[0])
}

// rateFiles rates programs that change files: moderate, and high where what they destroy isn't seen in the line (a
// directory, a pattern) or where the file is one that the system or later commands rely on.
func rateFiles(program string, args []string) (rating, bool) {
	switch program {
	case "rm", "grm", "unlink":
		if has(args, "rR", "", "--recursive") {
			return high("it deletes whole directories, which can't be undone"), true
		}
		if len(bareArguments(args)) > 0 && slices.ContainsFunc(args, func(a string) bool { return strings.ContainsAny(a, "*?~$") }) {
			return high("it deletes whatever a pattern finds, which can't be undone"), true
		}
		return moderate("it deletes files"), true
	case "rmdir", "mkdir", "touch", "ln", "mv", "cp", "install", "split", "csplit", "tee", "patch", "dos2unix", "unix2dos", "gzip", "gunzip", "bzip2",
		"bunzip2", "xz", "unxz", "zstd", "zip", "7z", "ar", "mkfifo", "mktemp", "rename", "ditto", "chattr", "setfacl", "xattr", "cpio", "ed", "ex", "vi", "vim", "nvim", "nano",
		"prettier", "black", "ruff", "eslint", "clang-format", "rustfmt", "sponge":
		for _, a := range args {
			if program != "mkdir" && (rawDisk(a) || sensitive(a)) && program != "cp" || a == args[len(args)-1] && sensitive(a) {
				return high("it changes " + a + ", which the system or later commands rely on"), true
			}
		}
		return moderate("it changes files"), true
	case "chmod", "chown", "chgrp":
		if has(args, "R", "", "--recursive") {
			return high("it changes who may use whole directories"), true
		}
		if program == "chmod" && slices.ContainsFunc(args, setsIdentity) {
			return high("it lets others run a file as its owner"), true
		}
		return moderate("it changes who may use a file"), true
	case "dd", "ddrescue", "dcfldd":
		if writesDisk(program, args, nil) {
			return high("it overwrites a disk"), true
		}
		return moderate("it copies blocks into a file"), true
	case "shred", "srm", "wipe", "truncate", "wipefs", "blkdiscard", "badblocks":
		return high("it destroys what a file holds"), true
	case "unzip", "tar", "gtar", "bsdtar":
		return rateArchive(program, args), true
	case "make", "gmake", "ninja", "cmake", "meson", "bazel", "gradle", "gradlew", "mvn", "ant", "just", "task", "rake", "tox", "nox", "pytest", "jest",
		"vitest", "mocha", "tsc", "gcc", "g++", "cc", "clang", "clang++", "ld", "as", "rustc", "javac", "java", "ctest", "webpack", "vite", "pre-commit":
		return moderate("it builds or runs what the project says"), true
	}
	return rating{}, false
}

// setsIdentity reports whether a mode gives a file its owner's or group's identity.
func setsIdentity(mode string) bool {
	octal := len(mode) >= 4 && strings.Trim(mode, "01234567") == ""
	return octal && mode[len(mode)-4] != '0' && mode[len(mode)-4] != '1' || strings.Contains(mode, "+s") || strings.Contains(mode, "=s")
}

// rateArchive rates tar and unzip, which list, unpack and run.
func rateArchive(program string, args []string) rating {
	if program == "unzip" {
		if has(args, "lptvZ", "") {
			return low()
		}
		return moderate("it unpacks files")
	}
	if found := option(args, "IF", "fCbXT", "--to-command", "--use-compress-program", "--checkpoint-action", "--rsh-command", "--info-script", "--new-volume-script"); found != "" {
		return escapes(found)
	}
	lists := has(args, "t", "fCbXT", "--list")
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") { // tar tzf x
		lists = strings.Contains(args[0], "t")
	}
	if lists && !has(args, "xcruA", "fCbXT", "--extract", "--create", "--delete", "--append", "--update") {
		return low()
	}
	return moderate("it packs or unpacks files")
}

// rateSystem rates programs that change the machine: its processes, services, disks, people and packages.
func rateSystem(program string, args []string) (rating, bool) {
	// Higher privilege first: whatever it runs is judged besides, as a segment of its own.
	switch program {
	case "sudo", "doas", "su", "runuser", "pkexec", "run0", "chroot", "unshare", "nsenter", "setpriv", "capsh", "sg", "newgrp", "visudo", "sudoedit":
		return high("it raises or changes privilege"), true
	case "shutdown", "reboot", "halt", "poweroff", "init", "telinit":
		return high("it stops the machine"), true
	case "kill": // by number: a process that somebody has looked at
		if slices.Contains(args, "-1") && len(args) > 1 || slices.Contains(args, "1") {
			return high("it ends every process, or the first"), true
		}
		if has(args, "lL", "", "--list") {
			return low(), true
		}
		return moderate("it ends processes"), true
	case "killall", "pkill", "xkill", "skill":
		return high("it ends processes by name, whoever started them"), true
	case "mount", "umount":
		if program == "mount" && len(args) == 0 {
			return low(), true
		}
		return high("it changes what the file system is made of"), true
	case "fdisk", "sfdisk", "sgdisk", "parted", "cryptsetup", "lvremove", "vgremove", "pvremove", "lvcreate", "mdadm", "zpool", "zfs", "btrfs", "swapoff", "swapon",
		"mkswap", "losetup", "diskutil", "hdiutil", "tune2fs", "resize2fs", "fsck", "mke2fs", "debugfs":
		return high("it changes disks"), true
	case "useradd", "userdel", "usermod", "groupadd", "groupdel", "groupmod", "adduser", "deluser", "passwd", "chpasswd", "chsh", "chfn", "gpasswd", "vipw":
		return high("it changes who may log in"), true
	case "iptables", "ip6tables", "nft", "ufw", "firewall-cmd", "pfctl", "setenforce", "csrutil", "spctl", "insmod", "rmmod", "modprobe", "kexec", "sysctl",
		"setcap", "auditctl", "aa-disable", "update-grub", "grub-install", "efibootmgr", "nvram", "dscl", "launchctl", "defaults":
		return high("it changes how the machine protects itself or starts"), true
	case "crontab":
		if has(args, "l", "u", "--list") {
			return low(), true
		}
		return high("it changes what runs later"), true
	case "at", "batch", "systemd-run":
		return high("it runs something later, out of sight"), true
	case "dropdb", "dropuser":
		return high("it deletes a database"), true
	// A statement in the arguments is looked at by its words; one from a file or the input isn't seen: moderate.
	case "psql", "mysql", "mariadb", "sqlite3", "mongo", "mongosh", "redis-cli", "clickhouse-client", "cqlsh", "duckdb":
		all := strings.ToLower(strings.Join(args, " "))
		for _, verb := range []string{"drop ", "delete ", "truncate ", "flushall", "flushdb", "dropdatabase", "remove(", ".shell", ".system", "deletemany"} {
			if strings.Contains(all, verb) {
				return high("it deletes data or runs a program"), true
			}
		}
		return moderate("it may change a database"), true
	case "gpg", "openssl", "ssh-keygen", "ssh-add", "security", "pass", "keyctl", "vault", "op":
		return moderate("it handles keys"), true
	case "history", "logger", "wall", "write", "bind", "enable", "hash", "alias", "complete", "trap", "mapfile", "readarray", "disown", "bg", "fg", "renice":
		return moderate("it changes the state of the shell or of processes"), true
	}
	if strings.HasPrefix(program, "mkfs") || strings.HasPrefix(program, "newfs") {
		return high("it makes a file system, which destroys what was there"), true
	}
	return rating{}, false
}

// The line between moderate and high for the network is the direction: fetching changes nothing elsewhere, while a file,
// a substitution or a pipe that is sent may hold anything that can be read here.

// rateNetwork rates programs that reach other machines: high where they carry data out.
func rateNetwork(program string, args []string, s Segment) (rating, bool) {
	open := false
	for i, one := range s.words {
		open = open || i > 0 && one.open && strings.Contains(one.text, "(")
	}
	switch program {
	case "curl":
		if has(args, "TF", "oHXuAebcKdmwxrYyzEC", "--upload-file", "--form") || open {
			return high("it sends files or data out"), true
		}
		for i, a := range args {
			sends := strings.HasPrefix(a, "-d") || strings.HasPrefix(a, "--data") || strings.HasPrefix(a, "--json") || strings.HasPrefix(a, "--url-query")
			value := a
			if i+1 < len(args) {
				value += args[i+1]
			}
			if sends && strings.ContainsAny(value, "@$`") {
				return high("it sends files or data out"), true
			}
		}
		if slices.Contains(args, "DELETE") || slices.Contains(args, "-XDELETE") {
			return high("it asks a server to delete"), true
		}
		return moderate("it reaches the network"), true
	case "wget", "aria2c", "http", "https", "xh":
		if has(args, "", "", "--post-file", "--body-file") || open {
			return high("it sends files or data out"), true
		}
		return moderate("it reaches the network and may write files"), true
	case "scp", "rsync", "sftp", "rclone", "croc", "magic-wormhole", "wormhole":
		bare := bareArguments(args)
		if program == "rsync" && has(args, "", "", "--delete", "--del", "--delete-after", "--delete-excluded", "--remove-source-files") {
			return high("it deletes what the other side doesn't have"), true
		}
		if program == "rsync" && !slices.ContainsFunc(bare, remoteName) {
			return moderate("it copies files"), true
		}
		if len(bare) > 0 && !remoteName(bare[len(bare)-1]) && program != "sftp" && program != "rclone" {
			return moderate("it copies files from another machine"), true
		}
		return high("it carries files to another machine"), true
	case "nc", "ncat", "netcat", "socat", "telnet", "ftp", "lftp", "tftp", "mail", "mailx", "sendmail", "mutt", "ngrok", "cloudflared":
		return high("it opens a connection that data can leave by"), true
	case "ssh", "mosh", "autossh", "ssh-copy-id":
		if s.piped {
			return high("what is piped into it goes to another machine"), true
		}
		return moderate("it works on another machine"), true
	case "ping", "ping6", "dig", "nslookup", "host", "traceroute", "tracepath", "whois", "nmap", "mtr", "arp", "ip", "ifconfig", "route", "iwconfig", "ethtool", "nmcli", "networksetup", "ollama":
		if (program == "ip" || program == "ifconfig") && !slices.ContainsFunc(args, func(a string) bool {
			return slices.Contains([]string{"set", "add", "del", "delete", "flush", "up", "down", "replace", "change", "exec", "-batch", "-b"}, a)
		}) && (program == "ip" || len(args) < 2) {
			return low(), true
		}
		return moderate("it reaches or changes the network"), true
	}
	return rating{}, false
}

// remoteName reports whether a word names a file on another machine: host:path, or a URL.
func remoteName(word string) bool {
	colon, slash := strings.Index(word, ":"), strings.Index(word, "/")
	return colon > 0 && (slash < 0 || colon < slash)
}
