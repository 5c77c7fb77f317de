package gate

import (
	"path"
	"slices"
	"strings"
)

// writesDisk reports whether a command writes a disk beneath its file system: by a redirection, as the target of a
// copy, or with a program for disks. Reading from one, and listing what is on it, is none of it.
func writesDisk(program string, args []string, writes []string) bool {
	if slices.ContainsFunc(writes, rawDisk) {
		return true
	}
	switch program {
	case "dd", "dcfldd", "dc3dd":
		return slices.ContainsFunc(args, func(a string) bool {
			to, ok := strings.CutPrefix(a, "of=")
			return ok && rawDisk(to)
		})
	case "cp", "gcp", "mv", "install", "ddrescue", "pv", "rsync", "qemu-img", "scp":
		return len(args) > 0 && rawDisk(args[len(args)-1]) || slices.ContainsFunc(valuesOf(args, "t", "--target-directory"), rawDisk)
	case "curl", "wget":
		return slices.ContainsFunc(valuesOf(args, "oO", "--output", "--output-document"), rawDisk)
	case "tee", "sponge", "shred", "srm", "wipe", "wipefs", "mkswap", "blkdiscard", "fdisk", "gdisk", "sfdisk", "sgdisk", "cfdisk", "parted", "truncate", "badblocks", "debugfs",
		"pvcreate", "pvremove", "vgcreate", "zpool", "mdadm", "cryptsetup", "tune2fs", "resize2fs", "sed", "ed", "asr", "partclone.restore":
		return changesDisk(program, args) && slices.ContainsFunc(args, rawDisk)
	case "hdparm":
		return slices.ContainsFunc(args, func(a string) bool {
			return strings.HasPrefix(a, "--security-erase") || strings.HasPrefix(a, "--write-sector") || strings.HasPrefix(a, "--trim-sector")
		})
	case "nvme":
		return len(args) > 0 && slices.Contains([]string{"format", "sanitize", "write", "write-zeroes", "dsm"}, args[0])
	case "diskutil":
		return len(args) > 0 && (strings.HasPrefix(strings.ToLower(args[0]), "erase") || slices.Contains([]string{"partitiondisk", "zerodisk", "randomdisk", "secureerase", "reformat"}, strings.ToLower(args[0])))
	}
	return (strings.HasPrefix(program, "mkfs") || program == "mke2fs" || strings.HasPrefix(program, "newfs") || program == "mkntfs" || program == "mkdosfs") &&
		slices.ContainsFunc(args, rawDisk)
}

// changesDisk reports whether a program for disks is told to do more than show what is there.
func changesDisk(program string, args []string) bool {
	switch program {
	case "sed":
		return has(args, "i", "efl", "--in-place")
	case "badblocks":
		return has(args, "w", "bcdeiopst")
	case "zpool":
		return len(args) > 0 && (args[0] == "create" || args[0] == "add" || args[0] == "labelclear")
	case "mdadm":
		return has(args, "C", "", "--create", "--zero-superblock")
	case "cryptsetup":
		return slices.ContainsFunc(args, func(a string) bool { return a == "luksFormat" || a == "reencrypt" || a == "erase" || a == "luksErase" })
	case "debugfs":
		return has(args, "w", "")
	case "wipefs": // without an option it lists
		return has(args, "ao", "t", "--all", "--offset")
	case "tune2fs":
		return !has(args, "l", "")
	}
	return !slices.ContainsFunc(args, func(a string) bool {
		return slices.Contains([]string{"-l", "--list", "-p", "--print", "-i", "--info", "list", "print", "info"}, a)
	})
}

// codeWritesDisk reports whether the code in an interpreter's segment opens a disk for writing.
func codeWritesDisk(s Segment) bool {
	if !isInterpreter(s.Program) || isShell(s.Program) || !strings.Contains(s.Text, "/dev/") {
		return false
	}
	for _, after := range strings.Split(s.Text, "/dev/")[1:] {
		name, rest, _ := strings.Cut(strings.ReplaceAll(after, `"`, "'"), "'")
		if rawDisk("/dev/"+name) && (strings.Contains(strings.SplitN(rest, ")", 2)[0], "w") || strings.Contains(s.Text, "writeFile")) {
			return true
		}
	}
	return false
}

// valuesOf returns the values of options, as values does for words.
func valuesOf(args []string, short string, long ...string) []string {
	words := make([]word, 1, len(args)+1)
	for _, a := range args {
		words = append(words, word{text: a})
	}
	var out []string
	for _, one := range values(words, short, long...) {
		out = append(out, one.text)
	}
	return out
}

// rawDisk reports whether a path is a disk or the memory itself.
func rawDisk(name string) bool {
	name, ok := strings.CutPrefix(path.Clean(name), "/dev/")
	if !ok {
		return false
	}
	switch name {
	case "mem", "kmem", "port":
		return true
	}
	for _, prefix := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "dm-", "mapper/", "md", "sr", "nbd", "mtd", "pmem", "bcache", "zvol/"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
