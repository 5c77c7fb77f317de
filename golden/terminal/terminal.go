// Package terminal drives a program on a real pseudo-terminal and reads its screen through a terminal emulator. It is
// for tests: a person's fingers and eyes.
//
// A program started here leads a session of its own, with the pseudo-terminal as its controlling terminal. All that it
// writes goes to the emulator and is kept as it came. Keys are typed as a terminal would send them in the modes that the
// program has set. Nothing here sleeps or takes silence for an answer: a test waits for a condition on the screen, and
// where it doesn't come within [Limit], the test fails and prints the screen.
//
// A frame under synchronized output is seen whole or not at all. Without it, what is seen may be part of one.
//
// What the emulator doesn't do: it doesn't reflow. A narrower screen cuts its rows (as xterm does) and leaves the
// scrollback alone; a lower one pushes rows into the scrollback until the cursor's stays; a higher one gets blank rows
// below. A character of several runes that falls between two reads of the pseudo-terminal is drawn in parts. Deleting
// lines at the top of the screen puts them into the scrollback, which xterm does for scrolling alone.
package terminal

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"wisp/engine/pty/pair"
)

// The bounds of a test.
const (
	Limit          = 20 * time.Second // for whatever is waited for
	rawBytes       = 64 << 20         // of what was written, kept; the newest
	scrollbackRows = 200_000          // kept; the newest
)

// Options say what is started, and on which terminal.
type Options struct {
	// Args are the program and its arguments.
	Args []string
	// Dir is where it starts; "" for the test's own directory.
	Dir string
	// Env is its environment; nil for the test's own. TERM=xterm-256color and COLORTERM=truecolor hold in both, where
	// Env doesn't say otherwise.
	Env []string
	// Columns and Rows are the terminal's size; 80 and 24 where they are 0.
	Columns, Rows int
	// Dark is the answer to a question for the background (OSC 11): dark, light, or none where it is nil.
	Dark *bool
	// Answers says that the terminal answers the other questions (modes, version, attributes, the cursor's place) and
	// has the kitty keyboard, as a modern one. Otherwise it is mute and old.
	Answers bool
}

// Terminal is a program under way in a terminal. Its methods are for the test's goroutine; [Terminal.Screen] and
// [Terminal.Raw] for any.
type Terminal struct {
	t       testing.TB
	options Options
	cmd     *exec.Cmd
	master  *os.File
	given   unix.Termios // as the program found it
	sending chan sent
	ended   chan struct{} // closed when the program has ended
	status  int           // its exit status, or minus the signal; once ended is closed
	silent  chan struct{} // closed when nothing more can be written
	closing sync.Once

	mu       sync.Mutex
	changed  *sync.Cond // on mu
	version  int        // grows with each change of what is seen
	raw      []byte
	parts    []byte // the start of a control sequence whose end hasn't come
	late     bool   // the limit of the wait that is under way is over
	emulator emulator
}

// Start starts a program. It is killed, and waited for, when the test ends.
func Start(t testing.TB, o Options) *Terminal {
	t.Helper()
	c, slave := makeTerminal(t, o)
	c.cmd = exec.Command(o.Args[0], o.Args[1:]...)
	c.cmd.Dir = o.Dir
	usual := []string{"TERM=xterm-256color", "COLORTERM=truecolor"}
	if c.cmd.Env = append(usual, o.Env...); o.Env == nil {
		c.cmd.Env = append(c.cmd.Environ(), usual...)
	}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = slave, slave, slave
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err := c.cmd.Start()
	slave.Close()
	if err != nil {
		c.master.Close()
		t.Fatal(err)
	}
	var work sync.WaitGroup
	work.Go(c.wait)
	work.Go(c.read)
	work.Go(c.collect)
	work.Go(c.send)
	t.Cleanup(func() {
		syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
		c.HangUp()
		work.Wait()
	})
	return c
}

// Open makes a terminal for a program in the test's own process, and returns the program's end of it. Where that runs, the
// test ends it before it ends itself. There is no process here: [Terminal.Pid], [Terminal.Signal] and [Terminal.Exit]
// aren't for it, and nobody tells it of a new size.
func Open(t testing.TB, o Options) (c *Terminal, program *os.File) {
	t.Helper()
	c, program = makeTerminal(t, o)
	var work sync.WaitGroup
	work.Go(c.read)
	work.Go(c.collect)
	work.Go(c.send)
	t.Cleanup(func() {
		c.HangUp()
		program.Close()
		work.Wait()
	})
	return c, program
}

// makeTerminal makes a terminal that nothing runs on, and returns the program's end of it.
func makeTerminal(t testing.TB, o Options) (c *Terminal, slave *os.File) {
	t.Helper()
	if o.Columns == 0 || o.Rows == 0 {
		o.Columns, o.Rows = 80, 24
	}
	c = &Terminal{t: t, options: o, sending: make(chan sent, 256), ended: make(chan struct{}), silent: make(chan struct{})}
	c.changed = sync.NewCond(&c.mu)
	c.emulator.open(o)
	return c, c.openPty()
}

// openPty makes the pseudo-terminal and returns the program's end. A close of ours ends a read.
func (c *Terminal) openPty() (slave *os.File) {
	c.t.Helper()
	var err error
	c.master, slave, err = pair.Open(true)
	c.must(err)
	c.setSize(c.options.Columns, c.options.Rows)
	c.given = c.termios()
	return slave
}

func (c *Terminal) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// wait waits for the program.
func (c *Terminal) wait() {
	c.cmd.Wait()
	if s, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		c.status = -int(s.Signal())
	} else {
		c.status = c.cmd.ProcessState.ExitCode()
	}
	close(c.ended)
}

// read takes what the program writes, until nobody can write any more.
func (c *Terminal) read() {
	defer close(c.silent)
	defer c.emulator.close()
	b := make([]byte, 64<<10)
	for {
		n, err := c.master.Read(b)
		c.mu.Lock()
		if c.raw = append(c.raw, b[:n]...); len(c.raw) > 2*rawBytes {
			c.raw = slices.Clone(c.raw[len(c.raw)-rawBytes:])
		}
		c.parts = append(c.parts, b[:n]...)
		whole := wholeBytes(c.parts)
		c.emulator.Write(c.parts[:whole])
		c.emulator.settle()
		c.parts = append(c.parts[:0], c.parts[whole:]...)
		c.version++
		c.changed.Broadcast()
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// HangUp takes the terminal away, as a lost connection does: the program gets SIGHUP, and the end of its input.
func (c *Terminal) HangUp() { c.closing.Do(func() { c.master.Close() }) }

// Signal sends the program a signal; its children get none.
func (c *Terminal) Signal(s syscall.Signal) {
	c.t.Helper()
	c.must(c.cmd.Process.Signal(s))
}

// Pid is the program's process id, which is its session's too.
func (c *Terminal) Pid() int { return c.cmd.Process.Pid }

// Exit waits for the program's end, and until all that it wrote has been seen. It returns the exit status, or minus the
// signal that ended it. What still holds the terminal after the end fails the test: it could write over the shell.
func (c *Terminal) Exit() int {
	c.t.Helper()
	limit := time.After(Limit)
	select {
	case <-c.ended:
	case <-limit:
		c.t.Fatalf("the program doesn't end\n%s", c.Screen())
	}
	select {
	case <-c.silent:
	case <-limit:
		c.t.Fatalf("the program has ended, and something still holds its terminal\n%s", c.Screen())
	}
	return c.status
}

// Wait waits until what is seen is good, and returns it. A program that ends without it fails the test at once.
func (c *Terminal) Wait(what string, good func(Screen) bool) Screen {
	c.t.Helper()
	timer := time.AfterFunc(Limit, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.late = true
		c.changed.Broadcast()
	})
	defer timer.Stop()
	c.mu.Lock()
	c.late = false
	for {
		seen := c.version
		silent := c.over()
		if !c.emulator.synchronized || silent {
			s := c.screen()
			c.mu.Unlock()
			if good(s) {
				return s
			}
			c.mu.Lock()
		}
		switch {
		case silent:
			c.fail("the program ended before %s", what)
		case c.late:
			c.fail("never seen: %s", what)
		case seen == c.version:
			c.changed.Wait()
		}
	}
}

// over says whether nothing more can be written. The caller holds mu.
func (c *Terminal) over() bool {
	select {
	case <-c.silent:
		return true
	default:
		return false
	}
}

// fail ends the test with the screen and the newest of what was written. The caller holds mu.
func (c *Terminal) fail(format, what string) {
	c.t.Helper()
	const newest = 400
	s, tail := c.screen(), c.raw[max(len(c.raw)-newest, 0):]
	c.mu.Unlock()
	c.t.Fatalf(format+"\n%s\nwritten last: %q", what, s, tail)
}

// WaitText waits until a text stands on the screen, in one row.
func (c *Terminal) WaitText(text string) Screen {
	c.t.Helper()
	return c.Wait(fmt.Sprintf("%q", text), func(s Screen) bool { return s.Contains(text) })
}

// WaitGone waits until a text doesn't stand on the screen.
func (c *Terminal) WaitGone(text string) Screen {
	c.t.Helper()
	return c.Wait(fmt.Sprintf("the screen without %q", text), func(s Screen) bool { return !s.Contains(text) })
}

// WaitRaw waits until a text has been written, behind so many bytes of what was written before, and returns the number
// of bytes up to its end. It is for what leaves no trace on a screen.
func (c *Terminal) WaitRaw(text string, after int) int {
	c.t.Helper()
	end := 0
	c.Wait(fmt.Sprintf("%q written", text), func(Screen) bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := index(c.raw[min(after, len(c.raw)):], text)
		end = after + i + len(text)
		return i >= 0
	})
	return end
}

// Screen is what is seen now. It may be half a frame; [Terminal.Wait] shows whole ones where they are marked.
func (c *Terminal) Screen() Screen {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.screen()
}

// Raw is all that the program has written, or the newest 64 MB of it.
func (c *Terminal) Raw() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.raw)
}

// Cooked says whether the terminal edits lines and echoes by itself, as a shell's does; a program that reads keys has
// it raw. It can still be asked after the end.
func (c *Terminal) Cooked() bool {
	c.t.Helper()
	const edits = unix.ICANON | unix.ECHO | unix.ISIG
	return c.termios().Lflag&edits == edits
}

// Restored says whether the terminal's settings are those that the program found.
func (c *Terminal) Restored() bool {
	c.t.Helper()
	return c.termios() == c.given
}

// termios are the settings, read at our end, which has no others.
func (c *Terminal) termios() (now unix.Termios) {
	c.t.Helper()
	c.control(func(fd int) error {
		got, err := unix.IoctlGetTermios(fd, readTermios)
		if err == nil {
			now = *got
		}
		return err
	})
	return now
}

func (c *Terminal) setSize(columns, rows int) {
	c.t.Helper()
	c.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(columns), Row: uint16(rows)})
	})
}

func (c *Terminal) control(do func(fd int) error) {
	c.t.Helper()
	conn, err := c.master.SyscallConn()
	c.must(err)
	var fault error
	err = conn.Control(func(fd uintptr) { fault = do(int(fd)) })
	c.must(errors.Join(err, fault))
}
