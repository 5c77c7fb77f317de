package sandbox

import (
	"testing"

	"golang.org/x/sys/unix"
)

// verdict runs a program as the kernel would.
func verdict(t *testing.T, program []unix.SockFilter, arch, number uint32, args ...uint32) uint32 {
	t.Helper()
	data := map[uint32]uint32{dataNumber: number, dataArch: arch}
	for i, a := range args {
		data[uint32(dataArgs+8*i)] = a
		data[uint32(dataArgs+8*i+4)] = 0
	}
	word := uint32(0)
	for i := 0; i < len(program); i++ {
		switch p := program[i]; p.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			word = data[p.K]
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			met := word == p.K
			if p.Code&unix.BPF_JGE == unix.BPF_JGE {
				met = word >= p.K
			}
			if met {
				i += int(p.Jt)
			} else {
				i += int(p.Jf)
			}
		case unix.BPF_JMP | unix.BPF_JA:
			i += int(p.K)
		case unix.BPF_RET | unix.BPF_K:
			return p.K
		default:
			t.Fatalf("an instruction that nobody wrote: %+v", p)
		}
	}
	t.Fatal("the program has no end")
	return 0
}

// Every architecture's calls are met, the older ones' and x32's too, which a program can choose by itself.
func TestFilter(t *testing.T) {
	t.Parallel()
	const pid, tid, group = 4000, 4001, 3900
	minus := func(n uint32) uint32 { return -n }
	allow, deny, no, none := uint32(unix.SECCOMP_RET_ALLOW), refuse(unix.EPERM), refuse(unix.EACCES), refuse(unix.ENOSYS)
	for _, arch := range []string{"amd64", "arm64", "riscv64"} {
		all := numbersOf(arch)
		off := filter{pid: pid, tid: tid, group: group}.program(all)
		on := filter{network: true, scoped: true, pid: pid, tid: tid, group: group}.program(all)
		if len(off) > 180 || len(on) > 140 {
			t.Errorf("%s: %d instructions: every call of a command goes through them", arch, len(off))
		}
		for _, n := range all {
			for _, c := range []struct {
				name    string
				number  uint32
				args    []uint32
				off, on uint32
			}{
				{"read", 3, nil, allow, allow},
				{"inet", n.socket, []uint32{unix.AF_INET, unix.SOCK_STREAM}, no, allow},
				{"inet6", n.socket, []uint32{unix.AF_INET6}, no, allow},
				{"unix", n.socket, []uint32{unix.AF_UNIX}, no, allow},
				{"vsock", n.socket, []uint32{unix.AF_VSOCK}, no, allow},
				{"packet", n.socket, []uint32{unix.AF_PACKET}, no, allow},
				{"netlink", n.socket, []uint32{unix.AF_NETLINK}, allow, allow},
				{"io_uring", ioUringSetup, nil, none, allow},
				{"kill wisp", n.kill, []uint32{pid, 9}, deny, allow}, // where scopes hold it
				{"kill wisp's group", n.kill, []uint32{minus(group), 9}, deny, allow},
				{"kill all", n.kill, []uint32{minus(1), 9}, deny, allow},
				{"kill another", n.kill, []uint32{5000, 9}, allow, allow},
				{"kill its group", n.kill, []uint32{0, 9}, allow, allow},
				{"queue to wisp", n.queue, []uint32{pid, 9}, deny, allow},
				{"kill a thread of wisp's", n.tgkill, []uint32{pid, tid, 9}, deny, deny},
				{"stop a goroutine", n.tgkill, []uint32{pid, tid, uint32(unix.SIGURG)}, allow, allow},
				{"queue to a thread", n.queueThread, []uint32{pid, tid, 9}, deny, deny},
				{"kill its own thread", n.tgkill, []uint32{5000, 5001, 9}, allow, allow},
				{"kill the thread", n.tkill, []uint32{tid, 9}, deny, deny},
				{"raise", n.tkill, []uint32{5001, 6}, allow, allow},
				{"by pidfd", pidfdSendSignal, []uint32{3, 9}, none, none},
				{"kill the thread as a process", n.kill, []uint32{tid, 9}, deny, deny},
				{"own limits", n.prlimit, []uint32{0, 0, 77}, allow, allow},
				{"others' limits", n.prlimit, []uint32{pid, 0, 77}, deny, deny},
				{"reading others' limits", n.prlimit, []uint32{pid, 0, 0, 77}, allow, allow},
				{"typing at a terminal", n.ioctl, []uint32{0, typeIn, 77}, deny, deny},
				{"a terminal's size", n.ioctl, []uint32{0, unix.TIOCGWINSZ, 77}, allow, allow},
				{"who gets SIGIO, by ioctl", n.ioctl, []uint32{0, fioSetOwn, 77}, deny, deny},
				{"SIGIO to wisp", n.fcntl, []uint32{0, setOwn, pid}, deny, deny},
				{"SIGIO to the thread", n.fcntl, []uint32{0, setOwn, tid}, deny, deny},
				{"SIGIO to whom can't be seen", n.fcntl, []uint32{0, setOwnEx, 77}, deny, deny},
				{"SIGIO to itself", n.fcntl, []uint32{0, setOwn, 5000}, allow, allow},
				{"a lock", n.fcntl, []uint32{0, unix.F_SETLK, 77}, allow, allow},
			} {
				if got := verdict(t, off, n.arch, c.number, c.args...); got != c.off {
					t.Errorf("%s %#x, no network: %s: %#x, want %#x", arch, n.arch, c.name, got, c.off)
				}
				if got := verdict(t, on, n.arch, c.number, c.args...); got != c.on {
					t.Errorf("%s %#x: %s: %#x, want %#x", arch, n.arch, c.name, got, c.on)
				}
			}
			if n.socketcall != 0 && verdict(t, off, n.arch, n.socketcall, 1) != no {
				t.Errorf("%s: socketcall passes", arch)
			}
		}
		if verdict(t, off, unix.AUDIT_ARCH_MIPS, 1) != deny || verdict(t, on, unix.AUDIT_ARCH_MIPS, 1) != allow {
			t.Errorf("%s: an unknown architecture", arch)
		}
	}
	if got := verdict(t, filter{network: true}.program(numbersOf("amd64")), unix.AUDIT_ARCH_X86_64, x32Bit|41, unix.AF_INET); got != none {
		t.Errorf("x32: %#x", got)
	}
}
