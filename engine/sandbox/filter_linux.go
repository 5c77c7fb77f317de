package sandbox

import (
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// filter is what the system calls of a command are held against. Files are Landlock's; here are sockets, for Landlock holds
// neither UDP nor multipath TCP; signals to wisp, for it holds those only since Linux 6.12, and never those to the thread that
// starts the command; and limits on what other programs may use, by which they can be ended too.
type filter struct {
	network         bool   // sockets may be made
	scoped          bool   // signals are kept inside by other means too
	pid, tid, group uint32 // wisp's own, and the thread's that starts the command
}

// numbers are the system calls of one architecture that the filter knows. 0: it has none of that name.
type numbers struct {
	arch                                    uint32
	kill, tkill, tgkill, queue, queueThread uint32
	socket, socketcall                      uint32
	prlimit, ioctl, fcntl, fcntl64          uint32
}

// The calls whose numbers are the same on every architecture.
const (
	pidfdSendSignal = 424
	ioUringSetup    = 425
)

// The requests to ioctl and fcntl that are refused. All but the last name who is sent a signal when a file is ready.
const (
	fioSetOwn  = 0x8901
	siocSetPgp = 0x8902
	setOwn     = unix.F_SETOWN
	setOwnEx   = unix.F_SETOWN_EX
	typeIn     = 0x5412 // TIOCSTI: as if it had been typed at the terminal
)

// x32Bit marks the calls of x32, a second set of numbers within x86-64's.
const x32Bit = 0x40000000

// numbersOf returns an architecture's own calls, and those of the older one whose programs it runs too.
func numbersOf(arch string) []numbers {
	switch arch {
	case "amd64":
		return []numbers{
			{arch: unix.AUDIT_ARCH_X86_64, kill: 62, tkill: 200, tgkill: 234, queue: 129, queueThread: 297, socket: 41, prlimit: 302, ioctl: 16, fcntl: 72},
			{arch: unix.AUDIT_ARCH_I386, kill: 37, tkill: 238, tgkill: 270, queue: 178, queueThread: 335, socket: 359, socketcall: 102,
				prlimit: 340, ioctl: 54, fcntl: 55, fcntl64: 221},
		}
	case "arm64":
		return []numbers{
			{arch: unix.AUDIT_ARCH_AARCH64, kill: 129, tkill: 130, tgkill: 131, queue: 138, queueThread: 240, socket: 198, prlimit: 261, ioctl: 29, fcntl: 25},
			{arch: unix.AUDIT_ARCH_ARM, kill: 37, tkill: 238, tgkill: 268, queue: 178, queueThread: 363, socket: 281, socketcall: 102,
				prlimit: 369, ioctl: 54, fcntl: 55, fcntl64: 221},
		}
	case "riscv64":
		return []numbers{{arch: unix.AUDIT_ARCH_RISCV64, kill: 129, tkill: 130, tgkill: 131, queue: 138, queueThread: 240, socket: 198,
			prlimit: 261, ioctl: 29, fcntl: 25}}
	}
	return nil
}

// filterFault says why system calls can't be filtered on an architecture; "" where they can.
func filterFault(arch string) string {
	if numbersOf(arch) == nil {
		return "wisp doesn't know the system calls of " + arch
	}
	return ""
}

// Offsets into seccomp_data: the call's number, the architecture, and the low half of each argument.
const (
	dataNumber = 0
	dataArch   = 4
	dataArgs   = 16
)

// install puts the filter on the calling thread, which must have no_new_privs.
func install(f filter) error {
	program := f.program(numbersOf(runtime.GOARCH))
	if len(program) == 0 {
		return nil
	}
	p := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&p)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return fault("seccomp", errno)
	}
	return nil
}

// program is the filter in the kernel's machine code. A call of an architecture that isn't known is refused where the network
// is off, for it could be a socket's.
func (f filter) program(all []numbers) []unix.SockFilter {
	if len(all) == 0 {
		return nil
	}
	var p assembly
	for _, n := range all {
		body := f.calls(n)
		p.load(dataArch)
		p.unless(n.arch, len(body))
		p = append(p, body...)
	}
	if f.network {
		p.end(unix.SECCOMP_RET_ALLOW)
	} else {
		p.end(refuse(unix.EPERM))
	}
	return p
}

// calls is the part for one architecture. It ends with a verdict for every call.
func (f filter) calls(n numbers) assembly {
	var p assembly
	p.load(dataNumber)
	if n.arch == unix.AUDIT_ARCH_X86_64 {
		p = append(p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, Jf: 1, K: x32Bit})
		p.end(refuse(unix.ENOSYS))
	}
	if !f.network {
		p.call(f.sockets(), n.socket)
		p.call(assembly{ended(refuse(unix.EACCES))}, n.socketcall) // its arguments can't be seen
		p.call(assembly{ended(refuse(unix.ENOSYS))}, ioUringSetup) // it makes sockets past this
	}
	// The thread that starts the command is in its sandbox until it ends, a moment later, and so within the reach of its signals,
	// which end all of wisp. SIGURG is how Go's runtime stops a goroutine; it does no harm.
	targets := []uint32{f.tid}
	if !f.scoped {
		targets = append(targets, f.pid, -f.group, ^uint32(0))
	}
	p.call(argumentIs(0, targets...), n.kill, n.queue)
	p.call(append(assembly{}.loaded(dataArgs+2*8).skipIf(uint32(unix.SIGURG), argumentIs(0, f.pid)), ended(unix.SECCOMP_RET_ALLOW)), n.tgkill, n.queueThread)
	p.call(argumentIs(0, f.pid, f.tid), n.tkill)
	p.call(assembly{ended(refuse(unix.ENOSYS))}, pidfdSendSignal) // whom it is for can't be seen, and programs do without it
	p.call(f.owners(), n.fcntl, n.fcntl64)
	p.call(argumentIs(1, fioSetOwn, siocSetPgp, typeIn), n.ioctl)
	p.call(othersLimits(), n.prlimit)
	p.end(unix.SECCOMP_RET_ALLOW)
	return p
}

// owners refuses to name wisp as the one who is sent a signal when a file is ready, or one who can't be seen.
func (f filter) owners() assembly {
	wisp := argumentIs(2, f.pid, f.tid, -f.group)
	var p assembly
	p.load(dataArgs + 1*8)
	p.unless(setOwn, len(wisp))
	p = append(p, wisp...)
	return append(p, argumentIs(1, setOwnEx)...)
}

// othersLimits refuses to set what another process may use: of the processor, of memory. A process sets its own as 0.
func othersLimits() assembly {
	var p assembly
	p.load(dataArgs)
	p.unless(0, 1)
	p.end(unix.SECCOMP_RET_ALLOW)
	for half := range uint32(2) { // the new limits are at an address of 64 bits; none is 0
		p.load(dataArgs + 2*8 + 4*half)
		p.unless(0, 1)
		p = append(p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: 1})
		p.end(refuse(unix.EPERM))
	}
	p.end(unix.SECCOMP_RET_ALLOW)
	return p
}

// sockets lets only those be made that ask the kernel about its own network: getaddrinfo and others look so which addresses
// there are. Pairs of sockets, which join nothing but relatives, are another call.
func (f filter) sockets() assembly {
	var p assembly
	p.load(dataArgs)
	p.unless(unix.AF_NETLINK, 1)
	p.end(unix.SECCOMP_RET_ALLOW)
	p.end(refuse(unix.EACCES))
	return p
}

// argumentIs refuses a call whose argument is one of the values.
func argumentIs(argument int, values ...uint32) assembly {
	var p assembly
	p.load(uint32(dataArgs + 8*argument))
	for _, v := range values {
		p.unless(v, 1)
		p.end(refuse(unix.EPERM))
	}
	p.end(unix.SECCOMP_RET_ALLOW)
	return p
}

// refuse is the verdict that lets a call fail.
func refuse(errno unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(errno) }

// assembly is a program in the making.
type assembly []unix.SockFilter

// load takes a word of the call's data.
func (p *assembly) load(offset uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

// unless skips so many instructions where the word is another.
func (p *assembly) unless(word uint32, skip int) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: uint8(skip), K: word})
}

// end gives a verdict.
func (p *assembly) end(verdict uint32) { *p = append(*p, ended(verdict)) }

func ended(verdict uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: verdict}
}

// call adds what is done with the calls of those numbers; the word loaded is the number, and body ends with verdicts.
func (p *assembly) call(body assembly, numbers ...uint32) {
	numbers = slices.DeleteFunc(numbers, func(n uint32) bool { return n == 0 })
	for i, n := range numbers {
		if left := len(numbers) - 1 - i; left > 0 {
			*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: uint8(left), K: n})
			continue
		}
		p.unless(n, len(body))
		*p = append(*p, body...)
	}
}

// loaded is the program with a word loaded.
func (p assembly) loaded(offset uint32) assembly {
	p.load(offset)
	return p
}

// skipIf runs body unless the word loaded is the one.
func (p assembly) skipIf(word uint32, body assembly) assembly {
	p = append(p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: uint8(len(body)), K: word})
	return append(p, body...)
}
