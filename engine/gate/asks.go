package gate

import (
	"slices"
	"strings"
)

// Programs that change things, told only to say something: what an archive holds, whether a process is there, whether a script
// parses.

// asks reports whether a program that may change something is only asked, with these arguments.
func asks(program string, args []string) bool {
	switch program {
	case "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "lzma", "unlzma", "zstd", "unzstd", "lz4", "brotli":
		return has(args, "ltc", "STMBDCF", "--list", "--test", "--stdout", "--to-stdout") && !has(args, "o", "STMBDCF", "--output", "--rm", "--train", "--patch-from", "--filelist", "--output-dir-flat", "--output-dir-mirror", "--suffix")
	case "tar", "gtar", "bsdtar", "unzip", "ar", "7z", "7za", "7zz", "7zr", "unrar", "jar", "cpio", "zip":
		return listsArchive(program, args)
	case "black", "isort", "rustfmt", "clang-format", "ruff", "prettier", "shfmt", "patch":
		return onlyChecks(program, args)
	case "openssl":
		return readsCertificate(args)
	case "tmux":
		return len(args) > 0 && (strings.HasPrefix(args[0], "list-") || isOneOf(args[0], "ls", "lsw", "lsp", "lsc", "has", "has-session", "info", "show", "show-options", "showw", "show-window-options", "display-message", "capture-pane", "capturep")) &&
			!slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "#(") || strings.HasSuffix(a, ";") }) && (!strings.HasPrefix(args[0], "capture") || slices.Contains(args, "-p"))
	case "screen":
		return len(args) == 1 && isOneOf(args[0], "-ls", "-list")
	case "kill":
		return len(args) > 0 && (isOneOf(args[0], "-l", "-L", "--list", "--table", "-0") || len(args) > 2 && isOneOf(args[0], "-s", "-n", "--signal") && args[1] == "0")
	case "alias":
		return !slices.ContainsFunc(args, func(a string) bool { return strings.ContainsAny(a, "=$`") })
	case "trap":
		return len(args) == 0 || isOneOf(args[0], "-p", "-l")
	case "history":
		return len(args) == 0 || len(args) == 1 && strings.Trim(args[0], "0123456789") == ""
	case "hash", "bind", "complete", "enable":
		return len(args) == 0 || len(args) == 1 && (isOneOf(args[0], "-p", "-l") && program != "hash" || args[0] == "-l")
	}
	return asksInterpreter(program, args) || asksSystem(program, args)
}

// asksInterpreter reports whether an interpreter only says whether a script parses, or runs a module that only reads.
func asksInterpreter(program string, args []string) bool {
	switch {
	case len(args) < 2:
		return false
	case isOneOf(program, "sh", "bash", "dash", "zsh", "ksh", "mksh"):
		return (args[0] == "-n" || args[0] == "-nv") && bareFiles(args[1:])
	case program == "node" && len(args) == 2:
		return (args[0] == "--check" || args[0] == "-c") && bareFiles(args[1:])
	case program == "php" && len(args) == 2:
		return args[0] == "-l" && bareFiles(args[1:])
	case !strings.HasPrefix(program, "python") || args[0] != "-m":
		return false
	}
	rest := args[2:]
	switch args[1] {
	case "json.tool": // the second file is what it writes
		return strange(rest, "h", "", "--sort-keys", "--json-lines", "--no-ensure-ascii", "--tab", "--compact", "--no-indent", "--indent") == "" && len(plainArguments(rest, "")) < 2 && !slices.Contains(rest, "--indent")
	case "ast", "tokenize", "dis", "platform", "calendar", "this", "sysconfig":
		return bareFiles(rest)
	case "pip":
		return rateProgram("pip", rest, Segment{}).level == Low
	}
	return false
}

// bareFiles reports whether all of these are names of files: no options, and nothing that is known only when it runs.
func bareFiles(args []string) bool {
	return !slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-") || strings.ContainsAny(a, "$`") || strings.HasPrefix(a, "/dev/")
	})
}

// asksSystem reports whether a program that changes the machine is only asked what is there.
func asksSystem(program string, args []string) bool {
	first, second := "", ""
	if len(args) > 0 {
		first = args[0]
	}
	if len(args) > 1 {
		second = args[1]
	}
	switch program {
	case "sysctl": // a name alone, or all
		return len(args) > 0 && strange(args, "anNbeX", "", "--all", "--names", "--values") == "" && !slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "=") })
	case "fdisk", "parted", "sfdisk", "gdisk":
		return isOneOf(first, "-l", "--list") && !strings.HasPrefix(second, "-")
	case "swapon":
		return len(args) == 0 || isOneOf(first, "-s", "--summary") || strings.HasPrefix(first, "--show")
	case "losetup":
		return len(args) == 0 || isOneOf(first, "-a", "-l", "--all", "--list") && len(args) == 1
	case "zpool", "zfs":
		return isOneOf(first, "list", "status", "get", "iostat")
	case "btrfs":
		return isOneOf(second, "show", "df", "usage", "list")
	case "diskutil", "launchctl":
		return isOneOf(first, "list", "info", "print", "activity")
	case "defaults":
		return isOneOf(first, "read", "read-type", "domains", "find")
	case "tune2fs":
		return first == "-l" && len(args) == 2
	case "mdadm":
		return isOneOf(first, "--detail", "-D", "--examine", "-E", "-Q", "--query") && len(bareArguments(args)) == len(args)-1
	case "cryptsetup":
		return isOneOf(first, "status", "isLuks")
	case "iptables", "ip6tables":
		return has(args, "LS", "t", "--list", "--list-rules") && !has(args, "ADIRFZNXPE", "t", "--append", "--delete", "--insert", "--replace", "--flush", "--zero", "--new-chain", "--delete-chain", "--policy", "--rename-chain")
	case "ufw", "csrutil":
		return first == "status"
	case "spctl":
		return first == "--status"
	case "nft":
		return first == "list"
	case "pfctl":
		return first == "-s" && len(args) == 2
	case "auditctl", "at", "atq":
		return first == "-l" && len(args) == 1 || program == "atq"
	case "efibootmgr":
		return len(args) == 0 || first == "-v" && len(args) == 1
	case "mount":
		return len(args) == 0 || first == "-l" && len(args) == 1
	case "passwd":
		return isOneOf(first, "-S", "--status")
	case "crontab":
		return has(args, "l", "u", "--list") && !has(args, "re", "u", "--remove", "--edit")
	case "service":
		return first == "--status-all" || second == "status" && len(args) == 2
	case "fsck":
		return first == "-N"
	}
	return false
}

// onlyChecks reports whether a formatter only says what it would change. One whose settings are code isn't among them.
func onlyChecks(program string, args []string) bool {
	switch program {
	case "black", "isort", "rustfmt":
		return has(args, "", "", "--check", "--diff")
	case "clang-format":
		return !has(args, "i", "")
	case "shfmt":
		return has(args, "ld", "i", "--list", "--diff") && !has(args, "w", "i", "--write")
	case "patch":
		return has(args, "C", "pidFBVYzrDo", "--dry-run", "--check") && !has(args, "o", "pidFBVYzrD", "--output")
	case "ruff":
		return len(args) > 0 && (args[0] == "check" && !has(args, "o", "", "--fix", "--fix-only", "--add-noqa", "--output-file", "--unsafe-fixes") || args[0] == "format" && has(args, "", "", "--check", "--diff") ||
			isOneOf(args[0], "rule", "linter", "version", "config", "help"))
	}
	return false
}

// listsArchive reports whether a program for archives only says what one holds, or prints it. Of tar, only options that are known
// to write and run nothing count; an archive on another machine is fetched by a program.
func listsArchive(program string, args []string) bool {
	mode := ""
	if len(args) > 0 {
		mode = args[0]
	}
	switch program {
	case "ar":
		mode = strings.TrimPrefix(mode, "-")
		return mode != "" && (mode[0] == 't' || mode[0] == 'p') && strings.Trim(mode, "tpvOV") == "" && !slices.ContainsFunc(args[1:], func(a string) bool { return a[:min(1, len(a))] == "@" || strings.HasPrefix(a, "--") })
	case "7z", "7za", "7zz", "7zr", "unrar":
		return isOneOf(mode, "l", "t", "v", "lb", "lt", "vb", "vt") && (program == "unrar" || mode == "l" || mode == "t") && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-o") || strings.HasPrefix(a, "-w") })
	case "jar":
		return mode == "--list" || strings.Contains(mode, "t") && strings.Trim(mode, "-tvf") == "" && !slices.ContainsFunc(args, func(a string) bool { return a[:min(1, len(a))] == "@" || strings.HasPrefix(a, "-J") })
	case "zip":
		return mode == "-sf"
	case "unzip":
		return has(args, "lptvZ", "Pdx")
	case "cpio":
		return has(args, "t", "FEHCI", "--list") && strange(args, "itvnBc0", "FEHCI", "--list", "--quiet", "--null", "--verbose") == "" && !slices.ContainsFunc(valuesOf(args, "FI"), remoteName)
	}
	args = dashed(args)
	prints := has(args, "x", "fCTXbHgKN", "--extract", "--get") && has(args, "O", "fCTXbHgKN", "--to-stdout")
	return (prints || has(args, "t", "fCTXbHgKN", "--list")) && strangeTar(args) == "" && !slices.ContainsFunc(bundled(args), remoteName) && !slices.ContainsFunc(valuesOf(args, "f", "--file"), remoteName) &&
		(prints || !has(args, "xcruAd", "fCTXbHgKN", "--extract", "--get"))
}

// dashed are tar's arguments with a dash before the letters that stand first: tar tzf x.
func dashed(args []string) []string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return args
	}
	return append([]string{"-" + args[0]}, args[1:]...)
}

// bundled is the word that may be the archive of letters that stand together: tar tfv host:x.
func bundled(args []string) []string {
	if len(args) > 1 && strings.Contains(args[0], "f") && !strings.HasPrefix(args[0], "--") {
		return args[1:2]
	}
	return nil
}

// strangeTar returns the first of tar's options that isn't known to write and run nothing where it lists or prints.
func strangeTar(args []string) string {
	return strange(args, "txOvzjJZaikSPpRnUmhBlo", "fCXbHKN", "--list", "--extract", "--get", "--to-stdout", "--verbose", "--file", "--gzip", "--gunzip", "--bzip2", "--xz", "--zstd", "--lzma", "--auto-compress", "--uncompress",
		"--exclude", "--exclude-from", "--directory", "--wildcards", "--no-wildcards", "--strip-components", "--strip", "--full-time", "--utc", "--numeric-owner", "--show-transformed-names", "--transform",
		"--null", "--ignore-case", "--anchored", "--no-anchored", "--quoting-style", "--occurrence", "--ignore-zeros", "--absolute-names", "--warning", "--force-local", "--no-recursion", "--totals", "--block-number", "--exclude-vcs", "--no-same-owner")
}

// readsCertificate reports whether openssl prints a digest, a certificate or the like and is given nothing to sign, write or load.
func readsCertificate(args []string) bool {
	if len(args) == 0 {
		return false
	}
	switch args[0] {
	case "version", "ciphers", "list", "errstr", "prime", "help":
		return strange(args[1:], "avbdfopVs", "", "-tls1_2", "-tls1_3", "-digest-algorithms", "-cipher-algorithms", "-commands") == ""
	case "dgst", "sha1", "sha224", "sha256", "sha384", "sha512", "md5":
		return strange(args[1:], "rc", "", "-sha1", "-sha224", "-sha256", "-sha384", "-sha512", "-md5", "-hex", "-binary", "-sha3-256", "-blake2b512") == ""
	case "x509", "req", "crl", "verify", "asn1parse", "pkcs7":
		return strange(args[1:], "", "", "-noout", "-text", "-in", "-inform", "-subject", "-issuer", "-dates", "-startdate", "-enddate", "-fingerprint", "-serial", "-hash", "-purpose", "-ext", "-pubkey", "-checkend", "-email", "-ocsp_uri",
			"-sha1", "-sha256", "-nameopt", "-verify", "-modulus", "-CAfile", "-CApath", "-untrusted", "-show_chain", "-i", "-check", "-pubin", "-print_certs", "-nextupdate", "-lastupdate", "-crlnumber", "-purpose") == "" &&
			(slices.Contains(args, "-noout") || isOneOf(args[0], "verify", "asn1parse"))
	}
	return false
}
