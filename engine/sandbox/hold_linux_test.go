package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestMain is also a program that tries system calls, for the commands of some tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "sockets" {
		trySockets(os.Args[2])
		os.Exit(0)
	}
	if len(os.Args) > 3 && os.Args[1] == "probe" {
		probe(os.Args[2], os.Args[3:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// trySockets says for each kind of socket whether it can be made.
func trySockets(path string) {
	try := func(name string, family, kind, protocol int) int {
		fd, err := unix.Socket(family, kind, protocol)
		fmt.Printf("%s %v\n", name, err)
		return fd
	}
	try("tcp", unix.AF_INET, unix.SOCK_STREAM, 0)
	try("tcp6", unix.AF_INET6, unix.SOCK_STREAM, 0)
	try("mptcp", unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP)
	try("udp", unix.AF_INET, unix.SOCK_DGRAM, 0)
	try("icmp", unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP)
	try("raw", unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_RAW)
	try("packet", unix.AF_PACKET, unix.SOCK_RAW, 0)
	try("vsock", unix.AF_VSOCK, unix.SOCK_STREAM, 0)
	if fd := try("unix", unix.AF_UNIX, unix.SOCK_STREAM, 0); fd >= 0 {
		fmt.Printf("connect %v\n", unix.Connect(fd, &unix.SockaddrUnix{Name: path}))
	}
	var params [120]byte
	_, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 4, uintptr(unsafe.Pointer(&params)), 0)
	fmt.Printf("io_uring %v\n", errno != 0)
	_, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	fmt.Printf("pair %v\n", err)
	_, err = net.Interfaces()
	fmt.Printf("interfaces %v\n", err)
}

// Without the network no socket is made that leads anywhere, of any kind, by a child either; and this process keeps its own.
func TestNetworkOff(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must(t, err)
	for name, find := range both(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			path := filepath.Join(s.dir, "docker.sock")
			l, err := net.Listen("unix", path)
			must(t, err)
			defer l.Close()
			for _, on := range []bool{false, true} {
				s.profile.Network = on
				r := s.in(t, find(s.profile), "sh -c '"+self+" sockets "+path+"'")
				for line := range strings.Lines(r.out) {
					what, got, _ := strings.Cut(strings.TrimSpace(line), " ")
					want := map[bool]string{false: "permission denied", true: "<nil>"}[on]
					switch {
					case what == "pair" || what == "interfaces":
						want = "<nil>"
					case what == "io_uring" && !on:
						want = "true"
					case on && (what == "io_uring" || what == "icmp" || what == "vsock" || what == "raw" || what == "packet" || what == "mptcp"):
						continue // as the machine has it
					}
					if got != want {
						t.Errorf("network %v: %s: %s, want %s", on, what, got, want)
					}
				}
				if n := strings.Count(r.out, "\n"); n < 11 {
					t.Errorf("%q", r.out)
				}
			}
			c, err := net.Dial("unix", path)
			must(t, err)
			c.Close()
		})
	}
}

// No command signals or looks into this process, a process outside, or a command beside it; its own it does.
func TestSignals(t *testing.T) {
	t.Parallel()
	for name, find := range both(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			b := find(s.profile)
			outside := exec.Command("sleep", "60")
			must(t, outside.Start())
			beside := exec.Command("sleep", "60")
			must(t, b.Visit(run, Stay{Typed: true}).Start(beside))
			defer func() {
				for _, c := range []*exec.Cmd{outside, beside} {
					if err := c.Process.Signal(unix.SIGTERM); err != nil { // wisp reaches into the sandbox
						t.Error(err)
					}
					c.Wait()
				}
			}()
			pids := []int{os.Getpid()}
			if b.now().scopes() || b.choice().pids {
				pids = append(pids, outside.Process.Pid, beside.Process.Pid, -unix.Getpgrp())
			}
			for _, pid := range pids {
				p := strconv.Itoa(pid)
				r := s.in(t, b, "kill -s CONT -- "+p+" && echo reached; kill -0 -- "+p+" && echo reached")
				if strings.Contains(r.out, "reached") {
					t.Errorf("%d: %s", pid, r.out)
				}
			}
			self := strconv.Itoa(os.Getpid())
			r := s.in(t, b, "cat /proc/"+self+"/environ /proc/"+self+"/mem /proc/"+self+"/maps | head -c 1; ls /proc/"+self+"/fd/ /proc/"+self+"/root/")
			if len(r.out) > 0 && !strings.Contains(r.out, "denied") && !strings.Contains(r.out, "No such") {
				t.Errorf("this process was looked into: %q", r.out)
			}
		})
	}
}

// The thread that restricts itself is used for nothing else, however many start at once.
func TestThreads(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	b := Find(Landlock, s.profile)
	var wg sync.WaitGroup
	fails := make([]error, 8)
	for i := range fails {
		wg.Go(func() {
			for n := range 20 {
				cmd := exec.Command("/bin/sh", "-c", "echo x > "+s.outside+"/new")
				if err := run(cmd, func() error { return b.Visit(run, Stay{}).Start(cmd) }); err == nil {
					fails[i] = errors.New("a command wrote outside")
				}
				mine := filepath.Join(s.outside, fmt.Sprint(i, "-", n))
				if err := os.WriteFile(mine, nil, 0o644); err != nil {
					fails[i] = fmt.Errorf("this process is in the sandbox: %w", err)
				}
			}
		})
	}
	wg.Wait()
	must(t, errors.Join(fails...))
}

// What can't be had is an error, and nothing runs.
func TestMissingMeans(t *testing.T) {
	t.Parallel()
	p := Profile{Directory: t.TempDir(), Network: true}
	ran := filepath.Join(p.Directory, "ran")
	for name, b := range map[string]*Box{
		"landlock":     find(Landlock, p, machine{linux: true}),
		"bwrap":        find(Bubblewrap, p, machine{linux: true, landlock: 7}),
		"broken bwrap": find(Bubblewrap, p, machine{linux: true, landlock: 7, bwrap: "/bin/false"}),
		"seatbelt":     find(Seatbelt, p, machine{linux: true, landlock: 7}),
		"a word":       find("jail", p, machine{linux: true, landlock: 7}),
		"no network":   find(None, Profile{Directory: p.Directory}, machine{linux: true, landlock: 7}),
		"nothing":      find(Auto, Profile{Directory: p.Directory}, machine{linux: true}),
		"no filter":    find(Landlock, Profile{Directory: p.Directory}, machine{linux: true, landlock: 7, filterFault: "x"}),
	} {
		cmd := exec.Command("/bin/sh", "-c", ": > "+ran)
		err := run(cmd, func() error { return b.Visit(run, Stay{}).Start(cmd) })
		var fault *Error
		if !errors.As(err, &fault) || fault.Reason != b.Fault() {
			t.Errorf("%s: %v, fault %q", name, err, b.Fault())
		}
		if _, err := os.Stat(ran); err == nil {
			t.Fatalf("%s: it ran", name)
		}
	}
}

func BenchmarkBare(b *testing.B) {
	for b.Loop() {
		must(b, exec.Command("/bin/sh", "-c", "true").Run())
	}
}

// BenchmarkMeans is a shell that does nothing inside each means; the difference to BenchmarkBare is what it costs.
func BenchmarkMeans(b *testing.B) {
	s := newScene(b)
	for name, find := range there(b) {
		box := find(s.profile)
		for _, network := range []bool{true, false} {
			box.profile.Network = network
			b.Run(fmt.Sprintf("%s/network=%v", strings.ReplaceAll(name, " ", "-"), network), func(b *testing.B) {
				for b.Loop() {
					cmd := exec.Command("/bin/sh", "-c", "true")
					cmd.Dir = s.work
					v := box.Visit(run, Stay{})
					must(b, v.Start(cmd))
					must(b, cmd.Wait())
					if c := v.Changed(false); len(c) > 0 {
						b.Fatal(c)
					}
				}
			})
		}
	}
}
