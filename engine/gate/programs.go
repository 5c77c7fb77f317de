package gate

import (
	"slices"
	"strings"
)

// rateProgram rates one program with its arguments: by what its options make of it where it is known to read only, by
// its verb where it has verbs, else by its name. A program that isn't known is moderate.
func rateProgram(program string, args []string, s Segment) rating {
	r, known := rateKnown(program, args, s)
	switch {
	case !known:
		r = rateUnknown(program, args)
		r.strange = true
	case r.level > Low && asksAbout(program, args):
		return low() // node --version
	case r.level == Low:
		if found := suspicious(program, args); found != "" {
			return escapes(found)
		}
	}
	if r.level == Moderate && addressOpen(s) {
		return high("the address that it is given may carry data out")
	}
	return r
}

// rateKnown rates the programs that a table has; ok is false for any other.
func rateKnown(program string, args []string, s Segment) (rating, bool) {
	if r, ok := rateReader(program, args); ok {
		return r, true
	}
	if asks(program, args) {
		return low(), true
	}
	if resetsDatabase(args) {
		return high("it deletes a database, or takes its schema back"), true
	}
	if r, ok := rateVerb(program, args); ok {
		return r, true
	}
	if isInterpreter(program) {
		if publishes(program, args) {
			return high("it publishes what it builds"), true
		}
		return rateCode(s), true
	}
	for _, rated := range [...]func() (rating, bool){
		func() (rating, bool) { return rateNetwork(program, args, s) },
		func() (rating, bool) { return rateFiles(program, args, s) },
		func() (rating, bool) { return rateSystem(program, args) },
		func() (rating, bool) { return rateDatabase(program, args, s.Text) },
		func() (rating, bool) { return rateKeys(program, args) },
	} {
		if r, ok := rated(); ok {
			return r, true
		}
	}
	return rating{}, false
}

// addressOpen reports whether an argument is an address that another command's output is put into.
func addressOpen(s Segment) bool {
	own := s.words
	if s.own > 0 {
		own = own[:min(s.own, len(own))]
	}
	for _, one := range own[min(1, len(own)):] {
		if one.open && strings.Contains(one.text, "://") && substitutes(one.text) {
			return true
		}
	}
	return false
}

// asksAbout reports whether the only argument asks a program that is known for its version or its help. What starts others, and
// what raises privilege, isn't among them.
func asksAbout(program string, args []string) bool {
	if len(args) != 1 {
		return false
	}
	if _, starts := wrapperOf(program); starts {
		return false
	}
	tool := hasVerbs(program) || isInterpreter(program) || builds(program)
	switch args[0] {
	case "--version", "-version", "--help":
		return true
	case "-V":
		return tool || isOneOf(program, "ssh", "curl", "wget", "psql", "rsync", "mysql")
	case "version":
		return hasVerbs(program)
	case "-v":
		switch program {
		case "ruby", "node", "perl", "php", "lua", "npm", "pnpm", "yarn", "mvn", "gradle", "make", "gcc", "clang":
			return true
		}
	}
	return false
}

// rateFiles rates programs that change files: moderate, and high where what they destroy isn't seen in the line (a
// directory, a pattern) or where the file is one that the system or later commands rely on.
func rateFiles(program string, args []string, s Segment) (rating, bool) {
	switch program {
	case "rm", "grm", "unlink":
		if has(args, "rR", "", "--recursive") {
			return high("it deletes whole directories, which can't be undone"), true
		}
		if len(bareArguments(args)) > 0 && slices.ContainsFunc(args, func(a string) bool { return strings.ContainsAny(a, "*?~$") || a == "{}" }) || s.more {
			return high("it deletes whatever a pattern or another command finds, which can't be undone"), true
		}
		return moderate("it deletes files"), true
	case "rmdir", "mkdir", "touch", "ln", "mv", "cp", "install", "split", "csplit", "tee", "patch", "dos2unix", "unix2dos", "gzip", "gunzip", "bzip2",
		"bunzip2", "xz", "unxz", "zstd", "zip", "7z", "ar", "mkfifo", "mktemp", "rename", "ditto", "chattr", "setfacl", "xattr", "cpio", "ed", "ex", "vi", "vim", "nvim", "nano",
		"prettier", "black", "isort", "ruff", "clang-format", "rustfmt", "shfmt", "sponge", "7za", "7zz", "7zr", "unrar", "jar", "lzma", "lz4", "brotli", "unlzma", "unzstd",
		"ffmpeg", "convert", "magick", "pandoc", "emacs", "code":
		for _, a := range args {
			if program != "mkdir" && (rawDisk(a) || sensitive(a)) && program != "cp" || a == args[len(args)-1] && sensitive(a) {
				return high("it changes " + a + ", which the system or later commands rely on"), true
			}
		}
		if isOneOf(program, "cp", "install") && slices.Contains(args, "/dev/null") || program == "tee" && slices.Contains(s.reads, "/dev/null") {
			return high("it empties a file, which can't be undone"), true
		}
		if program == "setfacl" && has(args, "R", "mxMXg", "--recursive", "--restore") {
			return high("it changes who may use whole directories"), true
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
		if slices.Contains(args, "if=/dev/null") {
			return high("it empties a file, which can't be undone"), true
		}
		return moderate("it copies blocks into a file"), true
	case "shred", "srm", "wipe", "truncate", "wipefs", "blkdiscard", "badblocks":
		if program == "truncate" && !slices.ContainsFunc(valuesOf(args, "s", "--size"), func(size string) bool { return !strings.HasPrefix(size, "+") }) && !has(args, "r", "s", "--reference") {
			return moderate("it makes a file longer"), true
		}
		return high("it destroys what a file holds"), true
	case "unzip", "tar", "gtar", "bsdtar":
		return rateArchive(program, args), true
	}
	if publishes(program, args) {
		return high("it publishes what it builds"), true
	}
	if builds(program) {
		return moderate("it builds or runs what the project says"), true
	}
	return rating{}, false
}

// builds reports whether a program builds or runs what the project says.
func builds(program string) bool {
	switch program {
	case "make", "gmake", "ninja", "cmake", "meson", "bazel", "gradle", "gradlew", "mvn", "ant", "just", "task", "rake", "tox", "nox", "pytest", "jest",
		"vitest", "mocha", "tsc", "gcc", "g++", "cc", "clang", "clang++", "ld", "as", "rustc", "javac", "java", "ctest", "webpack", "vite", "pre-commit",
		"rspec", "rails", "artisan", "phpunit", "eslint", "golangci-lint", "kotlinc", "ghc", "stack", "cabal", "zig", "nim", "crystal", "dart", "flutter", "sbt", "mill", "lein", "mvnw", "mvnd", "luarocks":
		return true
	}
	return false
}

// setsIdentity reports whether a mode gives a file its owner's or group's identity.
func setsIdentity(mode string) bool {
	octal := len(mode) >= 4 && strings.Trim(mode, "01234567") == ""
	return octal && mode[len(mode)-4] != '0' && mode[len(mode)-4] != '1' || strings.Contains(mode, "+s") || strings.Contains(mode, "=s")
}

// rateArchive rates tar and unzip, which unpack and run; see asks for where they only list.
func rateArchive(program string, args []string) rating {
	if program == "unzip" {
		return moderate("it unpacks files")
	}
	args = dashed(args)
	if found := option(args, "IF", "CbXT", "--to-command", "--use-compress-program", "--checkpoint-action", "--rsh-command", "--info-script", "--new-volume-script"); found != "" {
		return escapes(found)
	}
	if has(args, "t", "CbXT", "--list") {
		return escapes(first(strangeTar(args), "archive on another machine"))
	}
	return moderate("it packs or unpacks files")
}

// rateSystem rates programs that change the machine: its processes, services, disks, people and packages.
func rateSystem(program string, args []string) (rating, bool) {
	// Higher privilege first: whatever it runs is judged besides, as a segment of its own.
	switch program {
	case "sudo", "doas", "su", "runuser", "pkexec", "run0", "sudo-rs", "dzdo", "chroot", "unshare", "nsenter", "setpriv", "capsh", "sg", "newgrp", "visudo", "sudoedit":
		return high("it raises or changes privilege"), true
	case "shutdown", "reboot", "halt", "poweroff", "init", "telinit":
		return high("it stops the machine"), true
	case "kill": // by number: a process that somebody has looked at
		if slices.Contains(args, "-1") && len(args) > 1 || slices.Contains(args, "1") {
			return high("it ends every process, or the first"), true
		}
		return moderate("it ends processes"), true
	case "killall", "pkill", "xkill", "skill":
		return high("it ends processes by name, whoever started them"), true
	case "mount", "umount":
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
		return high("it changes what runs later"), true
	case "nix-collect-garbage", "xbps-remove", "pkg_delete":
		return high("it removes what other programs may need"), true
	case "at", "batch", "systemd-run":
		return high("it runs something later, out of sight"), true
	case "history", "logger", "wall", "write", "bind", "enable", "hash", "alias", "complete", "trap", "mapfile", "readarray", "disown", "bg", "fg", "renice":
		return moderate("it changes the state of the shell or of processes"), true
	}
	if strings.HasPrefix(program, "mkfs") || strings.HasPrefix(program, "newfs") {
		return high("it makes a file system, which destroys what was there"), true
	}
	return rating{}, false
}
