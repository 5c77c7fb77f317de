package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"wisp/engine"
	"wisp/engine/proc"
	"wisp/engine/sandbox"
)

// confined is what holds commands here, and what became of commands that tried to get out.
type confined struct {
	means         sandbox.Means
	reason, fault string
	network       bool // commands may make sockets
	roots, gaps   []string
	bwrap         string // the program, where the sandbox looks for it; "" for none
	bwrapFault    string // why it doesn't work
	trial         *tried // nil: nothing was tried
	untried       string // why not
}

// tried is what commands did that tried.
type tried struct {
	failure    string  // why none could run
	seconds    float64 // that one took which does nothing
	inside     bool    // it wrote in the directory
	outside    bool    // it wrote outside
	protected  bool    // it wrote a git hook in the directory
	signalled  bool    // it reached wisp with a signal
	reached    []string
	unreached  string // why the network couldn't be tried; "" where it was, or is open
	everything bool   // the second command ran to its end
}

// tryPatience bounds each command of the trial.
const tryPatience = time.Second

// tryOut looks at the session's sandbox and tries its means out, by the path that every command takes, in a directory made for it:
// nothing of the person's is touched, whatever the sandbox lets through.
func (a *around) tryOut(l *loaded) confined {
	box := engine.Sandbox(l.config)
	c := confined{network: box.Network(), roots: box.Roots(), bwrap: bubblewrap(a)}
	dir, err := os.MkdirTemp("", "wisp-doctor-")
	if err != nil {
		c.untried = err.Error()
		c.take(box)
		return c
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err == nil {
		err = errors.Join(os.MkdirAll(filepath.Join(dir, "in/.git/hooks"), 0o700), os.Mkdir(filepath.Join(dir, "out"), 0o700))
	}
	if err != nil {
		c.untried = err.Error()
		c.take(box)
		return c
	}
	byBwrap := tried{}
	if c.bwrap != "" {
		byBwrap, c.bwrapFault = a.tryMeans(l.config, dir, sandbox.Bubblewrap)
	}
	box.Prepare(func(*exec.Cmd, func() error) error { // it was tried already
		if c.bwrapFault != "" {
			return errors.New(c.bwrapFault)
		}
		return nil
	})
	c.take(box)
	switch {
	case c.fault != "":
		c.untried = "no command can run"
	case c.means == sandbox.Bubblewrap:
		c.trial = &byBwrap
	default:
		t, _ := a.tryMeans(l.config, dir, c.means)
		c.trial = &t
	}
	return c
}

// take takes what the box says of itself. The gaps go first: they look at the directories, on which the means depends.
func (c *confined) take(box *sandbox.Box) {
	c.gaps = box.Gaps()
	c.means, c.reason, c.fault = box.Means(), box.Reason(), box.Fault()
}

// bubblewrap is the program where the sandbox looks for it: not the PATH, which a project may have changed.
func bubblewrap(a *around) string {
	for _, dir := range []string{"/usr/bin", "/usr/local/bin", "/bin", "/run/current-system/sw/bin"} {
		if info, err := a.stat(dir + "/bwrap"); err == nil && info.Mode()&0o111 != 0 && a.os == "linux" {
			return dir + "/bwrap"
		}
	}
	return ""
}

// escape is what the second command tries. It says a word for each that it could.
const escape = `( echo x >inside ) 2>/dev/null && echo inside
( echo x >"$OUT/outside" ) 2>/dev/null && echo outside
( echo x >.git/hooks/made ) 2>/dev/null && echo protected
kill -0 "$WISP" 2>/dev/null && echo signalled
[ -z "$SELF" ] || "$SELF" ` + reachName + ` "$TCP" "$UDP" "$SOCKET"
echo end`

// tryMeans runs the commands by one means. fault is why they can't run by it.
func (a *around) tryMeans(c engine.Config, dir string, means sandbox.Means) (t tried, fault string) {
	c.Directory, c.Temporary, c.Configuration, c.Person, c.Shell = filepath.Join(dir, "in"), nil, "", "", "/bin/sh"
	c.Home, c.Settings.Sandbox.Means, c.Settings.Sandbox.Writable = filepath.Join(dir, "home"), means, nil
	c.Env = []string{"PATH=/usr/bin:/bin", "OUT=" + filepath.Join(dir, "out"), "WISP=" + strconv.Itoa(os.Getpid()), "GORACE=atexit_sleep_ms=0"}
	var l listeners
	if !c.Settings.Sandbox.Network && means != sandbox.None {
		self, err := a.self()
		if err == nil {
			l, err = listen(filepath.Join(dir, "in"))
			defer l.close()
		}
		if err != nil {
			t.unreached = err.Error()
		} else {
			c.Env = append(c.Env, "SELF="+self, "TCP="+l.tcp, "UDP="+l.udp, "SOCKET="+l.unix)
		}
	}
	trial := engine.NewTrial(c)
	defer trial.Close()
	ctx := context.Background()
	first := trial.Run(ctx, "true", tryPatience)
	if t.failure = failed(first); t.failure != "" {
		return t, strings.TrimPrefix(strings.TrimPrefix(t.failure, "sandbox.means is bwrap, and "), "bubblewrap doesn't work here: ")
	}
	second := trial.Run(ctx, escape, tryPatience)
	said := strings.Fields(second.Stdout.Text)
	has := func(word string) bool { return slices.Contains(said, word) }
	there := func(path string) bool { _, err := os.Lstat(filepath.Join(dir, path)); return err == nil }
	t.seconds, t.everything = first.Seconds, has("end")
	t.inside, t.outside = has("inside") && there("in/inside"), has("outside") || there("out/outside")
	t.protected, t.signalled = has("protected") || there("in/.git/hooks/made"), has("signalled")
	for _, way := range []string{"tcp", "udp", "unix"} {
		if has(way) {
			t.reached = append(t.reached, way)
		}
	}
	os.Remove(filepath.Join(dir, "in/inside")) // for another means
	os.Remove(filepath.Join(dir, "out/outside"))
	os.Remove(filepath.Join(dir, "in/.git/hooks/made"))
	return t, ""
}

// failed says why a command that does nothing didn't end well; "" where it did.
func failed(o proc.Outcome) string {
	switch {
	case o.Failure != "":
		return o.Failure
	case o.TimedOut:
		return fmt.Sprintf("a command that does nothing hadn't ended after %s", tryPatience)
	case o.ExitStatus != 0:
		return fmt.Sprintf("a command that does nothing ended with exit %d: %s", o.ExitStatus, firstLine(o.Stderr.Text))
	}
	return ""
}

// listeners are what a command tries to reach.
type listeners struct {
	tcp, udp, unix string // "" where this process couldn't reach it either
	open           []io.Closer
}

// listen makes them, and sees that this process reaches each.
func listen(dir string) (listeners, error) {
	var l listeners
	if tcp, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.tcp, l.open = tcp.Addr().String(), append(l.open, tcp)
	}
	if udp, err := net.ListenPacket("udp", "127.0.0.1:0"); err == nil {
		l.udp, l.open = udp.LocalAddr().String(), append(l.open, udp)
	}
	if unix, err := net.Listen("unix", filepath.Join(dir, "s")); err == nil {
		l.unix, l.open = filepath.Join(dir, "s"), append(l.open, unix)
	}
	mine := reaches(l.tcp, l.udp, l.unix)
	if len(mine) == 0 {
		return l, errors.New("this machine has no loopback that wisp itself could reach")
	}
	return l, nil
}

func (l listeners) close() {
	for _, one := range l.open {
		one.Close()
	}
}

// reachName is the hidden command that says what of the network it reaches, for wisp doctor to run in the sandbox.
const reachName = "reach-the-network"

// reach is that command: a TCP address, a UDP address, and the path of a socket, each "" for none.
func reach(args []string) int {
	if len(args) != 3 {
		return statusUsage
	}
	for _, way := range reaches(args[0], args[1], args[2]) {
		fmt.Println(way)
	}
	return statusOK
}

func reaches(tcp, udp, unix string) []string {
	var ways []string
	for _, one := range [][2]string{{"tcp", tcp}, {"udp", udp}, {"unix", unix}} {
		if one[1] == "" {
			continue
		}
		conn, err := net.DialTimeout(one[0], one[1], tryPatience/4)
		if err != nil {
			continue
		}
		if _, err := conn.Write([]byte("x")); err == nil {
			ways = append(ways, one[0])
		}
		conn.Close()
	}
	return ways
}
