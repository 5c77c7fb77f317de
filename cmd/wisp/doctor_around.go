package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"wisp/cmd/place"
	"wisp/engine"
)

// around is what the doctor sees of the machine: functions, so that a test can be any machine. None of them changes anything, and
// each that may be slow ends with its context or a bound of its own.
type around struct {
	os, arch string
	user     int
	environ  []string
	now      func() time.Time
	self     func() (string, error)                                                // this program
	size     func() (columns, rows int, ok bool)                                   // of the terminal
	kernel   func() string                                                         // its release
	stat     func(path string) (os.FileInfo, error)                                // of what a link leads to
	list     func(dir string) ([]os.DirEntry, error)                               //
	text     func(path string) string                                              // of a small file of the system's; "" for none
	writes   func(path string) error                                               // whether a file, or a new one in a directory, can be written
	disk     func(path string) (disk, error)                                       //
	find     func(name string) string                                              // a program in the PATH; "" for none
	run      func(ctx context.Context, dir string, argv ...string) (string, error) // what it prints
	landlock func() (version int, why string)
	adopts   func() error // whether this process could be given its orphans
	holders  func(home string) []engine.Holder
	confine  func(l *loaded) confined
	load     func() *loaded
}

// disk is what is known of the disk under a path.
type disk struct {
	free     uint64 // bytes
	network  string // the kind of file system, where another machine has it
	readOnly bool
	noExec   bool
}

// loaded is the configuration as a session started here would read it.
type loaded struct {
	where    place.Places
	mine     document // the person's file
	mineErr  error
	prepared prepared
	config   engine.Config
	err      error // why no session could start; most of the rest is empty then
	shellErr error
}

// here is this machine.
func here() *around {
	a := &around{
		os: runtime.GOOS, arch: runtime.GOARCH, user: os.Getuid(), environ: os.Environ(), now: time.Now, self: os.Executable,
		size: sizeOfTerminal, kernel: kernelRelease, stat: os.Stat, list: os.ReadDir, text: smallFile, writes: mayWrite, disk: diskOf,
		landlock: landlockVersion, adopts: mayAdopt, holders: engine.Holders,
	}
	a.find = func(name string) string {
		path, err := exec.LookPath(name)
		if err != nil {
			return "" // one in the working directory too: a project may have put it there
		}
		return path
	}
	a.run = a.runProgram
	a.confine = a.tryOut
	a.load = a.loadHere
	return a
}

// env is a variable of the environment.
func (a *around) env(name string) string {
	for _, entry := range slices.Backward(a.environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// inside says whether this runs as a command of a wisp's, and so in its sandbox.
func (a *around) inside() bool { return a.env("WISP_SESSION") != "" }

// loadHere reads the configuration.
func (a *around) loadHere() *loaded {
	l := &loaded{}
	if l.where, l.err = place.Find(a.env); l.err != nil {
		return l
	}
	l.mine, l.mineErr = readDocument(l.where.Configuration)
	if l.prepared, l.err = prepare(options{}); l.err != nil {
		return l
	}
	l.config, l.err = wire(options{})
	_, l.shellErr = findShell(l.prepared.configuration.Shell, a.env("SHELL"))
	return l
}

// mostPrinted bounds what is read of a program that is asked for its version.
const mostPrinted = 4 << 10

// runProgram runs a program to its end, or kills its group when ctx ends. The keys of wisp's own providers aren't in its environment.
func (a *around) runProgram(ctx context.Context, dir string, argv ...string) (string, error) {
	out := bounded{most: mostPrinted}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.Dir, cmd.Env = &out, &out, dir, commandEnv(a.environ, nil)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.WaitDelay = 200 * time.Millisecond
	if err := cmd.Start(); err != nil {
		return "", err
	}
	kill := context.AfterFunc(ctx, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err := cmd.Wait()
	kill()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return strings.TrimSpace(out.text.String()), err
}

// sizeOfTerminal is that of the terminal, whichever of the three standard files is one.
func sizeOfTerminal() (columns, rows int, ok bool) {
	for fd := range 3 {
		if columns, rows, err := term.GetSize(fd); err == nil {
			return columns, rows, true
		}
	}
	return 0, 0, false
}

func kernelRelease() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Release[:])
}

// smallFile reads one of /proc or /sys.
func smallFile(path string) string {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostPrinted))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// missing says whether an error is that nothing is there.
func missing(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// nearest is the path, or the first above it that is there.
func (a *around) nearest(path string) string {
	for {
		if _, err := a.stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

// shellWord is a path as a shell takes it, for a command that a person is told.
func shellWord(path string) string {
	plain := func(r rune) bool {
		return r == '/' || r == '.' || r == '-' || r == '_' || r == '+' || r == ':' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// cause is what the system said, without the path that is said already.
func cause(err error) string {
	var of *os.PathError
	if errors.As(err, &of) {
		return of.Err.Error()
	}
	return err.Error()
}

// few lists at most twelve of many.
func few(all []string) string {
	const most = 12
	if len(all) > most {
		return strings.Join(all[:most], ", ") + " and " + count(len(all)-most, "more", "more")
	}
	return strings.Join(all, ", ")
}
