package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// probe is a program that tries to get out of its sandbox by system calls that no shell has. It prints "got NAME" for each
// that went through.
func probe(what string, args []string) {
	tries := map[string]func([]string) map[string]error{"process": probeProcess, "file": probeFile, "mount": probeMounts}
	for name, err := range tries[what](args) {
		if err == nil {
			fmt.Println("got " + name)
		} else {
			fmt.Println("no " + name + ": " + err.Error())
		}
	}
}

// call is a system call's error.
func call(number uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, errno := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

// readable says whether a file can be read.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Read(make([]byte, 1))
	return err
}

// writable says whether a file can be opened for writing. Nothing is written.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		f.Close()
	}
	return err
}

// probeProcess tries to signal, trace, read and limit a process; the second argument is one of its threads.
func probeProcess(args []string) map[string]error {
	pid, _ := strconv.Atoi(args[0])
	tid, _ := strconv.Atoi(args[1])
	proc := "/proc/" + args[0]
	var info [128]byte // siginfo, of a signal 0 by SI_QUEUE
	*(*int32)(unsafe.Pointer(&info[8])) = -1
	address := uintptr(unsafe.Pointer(&info))
	vector := unix.Iovec{Base: &info[0], Len: 8}
	remote := unix.RemoteIovec{Base: 0x400000, Len: 8}
	got := map[string]error{
		"kill": unix.Kill(pid, 0), "kill by a thread": unix.Kill(tid, 0), "tgkill": unix.Tgkill(pid, tid, 0), "tkill": call(unix.SYS_TKILL, uintptr(tid), 0),
		"sigqueue": call(unix.SYS_RT_SIGQUEUEINFO, uintptr(pid), 0, address), "tgsigqueue": call(unix.SYS_RT_TGSIGQUEUEINFO, uintptr(pid), uintptr(tid), 0, address),
		"ptrace seize": call(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(pid)), "ptrace seize a thread": call(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(tid)),
		"environ": readable(proc + "/environ"), "mem": writable(proc + "/mem"), "mem of a thread": writable("/proc/" + args[1] + "/mem"),
		"root": readable(proc + "/root/etc/passwd"), "cwd": readable(proc + "/cwd/."), "exe": readable(proc + "/exe"),
		"oom": writable(proc + "/oom_score_adj"), "comm": writable(proc + "/comm"), "autogroup": writable(proc + "/autogroup"),
		"prlimit": unix.Prlimit(pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}, nil),
	}
	_, got["process_vm_readv"] = unix.ProcessVMReadv(pid, []unix.Iovec{vector}, []unix.RemoteIovec{remote}, 0)
	_, got["process_vm_writev"] = unix.ProcessVMWritev(pid, []unix.Iovec{vector}, []unix.RemoteIovec{remote}, 0)
	if fd, err := unix.PidfdOpen(pid, 0); err == nil {
		got["pidfd_send_signal"] = unix.PidfdSendSignal(fd, 0, nil, 0)
		_, got["pidfd_getfd"] = unix.PidfdGetfd(fd, 0, 0)
		got["setns"] = unix.Setns(fd, unix.CLONE_NEWNS)
	}
	if fd, err := unix.Open("/proc/"+args[1], unix.O_DIRECTORY, 0); err == nil {
		got["pidfd_send_signal by /proc"] = unix.PidfdSendSignal(fd, 0, nil, 0)
	}
	var pipe [2]int
	_ = unix.Pipe(pipe[:])
	_, got["F_SETOWN"] = unix.FcntlInt(uintptr(pipe[0]), unix.F_SETOWN, pid)
	_, got["F_SETOWN of a thread"] = unix.FcntlInt(uintptr(pipe[0]), unix.F_SETOWN, tid)
	owner := [2]int32{0, int32(tid)}
	got["F_SETOWN_EX"] = call(unix.SYS_FCNTL, uintptr(pipe[0]), unix.F_SETOWN_EX, uintptr(unsafe.Pointer(&owner)))
	got["FIOSETOWN"] = unix.IoctlSetPointerInt(pipe[0], fioSetOwn, pid)
	return got
}

// probeFile tries to open a file for writing past the calls that are watched most.
func probeFile(args []string) map[string]error {
	path := args[0]
	got := map[string]error{"io_uring": ringOpen(path), "truncate": unix.Truncate(path, 0), "O_PATH": throughPath(path), "handle": throughHandle(path)}
	var how unix.OpenHow
	how.Flags, how.Resolve = unix.O_WRONLY, unix.RESOLVE_NO_MAGICLINKS
	_, got["openat2"] = unix.Openat2(unix.AT_FDCWD, path, &how)
	_, got["O_TMPFILE"] = unix.Open(filepath.Dir(path), unix.O_TMPFILE|unix.O_WRONLY, 0o600)
	_, got["proc root"] = unix.Open("/proc/self/root"+path, unix.O_WRONLY, 0)
	_, got["proc task root"] = unix.Open("/proc/thread-self/root"+path, unix.O_WRONLY, 0)
	_, got["dots"] = unix.Open("/proc/self/cwd/"+strings.Repeat("../", 20)+path, unix.O_WRONLY, 0)
	return got
}

// throughPath opens a file anew for writing by a descriptor that says only where it is.
func throughPath(path string) error {
	fd, err := unix.Open(path, unix.O_PATH, 0)
	if err != nil {
		return err
	}
	return writable("/proc/self/fd/" + strconv.Itoa(fd))
}

// throughHandle opens a file by its handle, which leads past the mounts, from each directory over it.
func throughHandle(path string) error {
	h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, path, 0)
	for dir := filepath.Dir(path); err == nil && dir != "/"; dir = filepath.Dir(dir) {
		at, e := unix.Open(dir, unix.O_DIRECTORY, 0)
		if e != nil {
			return e
		}
		if _, e = unix.OpenByHandleAt(at, h, unix.O_WRONLY); e == nil {
			return nil
		}
		if filepath.Dir(dir) == "/" {
			return e
		}
	}
	return err
}

// ringOpen opens a file for writing by io_uring.
func ringOpen(path string) error {
	const openat = 18
	var params struct {
		entries, cqEntries, flags, cpu, idle, features, wq uint32
		reserved                                           [3]uint32
		sq, cq                                             [10]uint32
	}
	fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 4, uintptr(unsafe.Pointer(&params)), 0)
	if errno != 0 {
		return errno
	}
	ring, err := unix.Mmap(int(fd), 0, int(params.sq[6]+params.entries*4)+4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	entries, err := unix.Mmap(int(fd), 0x10000000, int(params.entries)*64, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	name := append([]byte(path), 0)
	at := int32(unix.AT_FDCWD)
	entries[0] = openat
	*(*int32)(unsafe.Pointer(&entries[4])) = at
	*(*uintptr)(unsafe.Pointer(&entries[16])) = uintptr(unsafe.Pointer(&name[0]))
	*(*uint32)(unsafe.Pointer(&entries[28])) = unix.O_WRONLY
	*(*uint32)(unsafe.Pointer(&ring[params.sq[6]])) = 0 // the array: the first entry
	*(*uint32)(unsafe.Pointer(&ring[params.sq[1]])) = 1 // its tail
	if err := call(unix.SYS_IO_URING_ENTER, fd, 1, 1, 1); err != nil {
		return err
	}
	result := *(*int32)(unsafe.Pointer(&ring[params.cq[5]+8]))
	if result < 0 {
		return unix.Errno(-result)
	}
	return nil
}

// probeMounts tries, in namespaces of its own where it can have them, to see a protected file without the mount that protects it.
// The arguments are the file and a directory over it.
func probeMounts(args []string) map[string]error {
	file, dir := args[0], args[1]
	below, _ := filepath.Rel(dir, file)
	got := map[string]error{}
	for name, flags := range map[string]int{"open_tree": unix.OPEN_TREE_CLONE, "open_tree of all": unix.OPEN_TREE_CLONE | unix.AT_RECURSIVE, "open_tree as it is": 0} {
		fd, err := unix.OpenTree(unix.AT_FDCWD, dir, uint(flags))
		if err == nil {
			_, err = unix.Openat(fd, below, unix.O_WRONLY, 0)
		}
		got[name] = err
	}
	clear := &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	got["mount_setattr"] = unix.MountSetattr(unix.AT_FDCWD, file, 0, clear)
	got["mount_setattr of all"] = unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, clear)
	got["remount"] = unix.Mount("", file, "", unix.MS_REMOUNT|unix.MS_BIND, "")
	got["umount"] = unix.Unmount(file, unix.MNT_DETACH)
	for name, flags := range map[string]uintptr{"bind": unix.MS_BIND, "bind of all": unix.MS_BIND | unix.MS_REC} {
		if got[name] = unix.Mount(dir, "/mnt", "", flags, ""); got[name] == nil {
			got[name] = writable(filepath.Join("/mnt", below))
		}
	}
	got["handle"] = throughHandle(file)
	return got
}
