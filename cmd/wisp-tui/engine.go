package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"wisp/cmd/place"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui"
)

// engine is the engine's process. It has a session of its own: a key that is a signal, and a stop of the face, aren't its.
type engine struct {
	command *exec.Cmd
	face    *protocol.Face
	words   *words
}

// How long an engine may take to end when its lines have ended, and how long what it left may hold its standard error.
const (
	endPatience  = 2 * time.Second
	leftPatience = 200 * time.Millisecond
)

// start starts the engine: the wisp beside this program or on the path, or the person's own command.
func start(o options) (*engine, error) {
	var command *exec.Cmd
	if o.engine != "" {
		command = exec.Command("/bin/sh", append([]string{"-c", o.engine + ` "$@"`, "wisp-tui"}, o.forward...)...)
	} else {
		path, err := wisp()
		if err != nil {
			return nil, err
		}
		command = exec.Command(path, append([]string{"chat", "--json"}, o.forward...)...)
	}
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e := &engine{command: command, words: &words{}}
	command.Stderr = e.words
	command.WaitDelay = leftPatience
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("the engine can't be started: %v", err)
	}
	e.face = protocol.NewFace(out, in)
	return e, nil
}

// wisp finds the engine's program.
func wisp() (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "wisp")
		if info, err := os.Stat(beside); err == nil && info.Mode()&0o111 != 0 {
			return beside, nil
		}
	}
	path, err := exec.LookPath("wisp")
	if err != nil {
		return "", errors.New("there is no wisp beside wisp-tui, nor on the path: build both with `make build`, or name an engine with --engine")
	}
	return path, nil
}

func (e *engine) forFace() tui.Engine { return tui.Engine{Face: e.face, End: e.end} }

// end waits until the process has ended, and kills one that goes on.
func (e *engine) end() tui.Death {
	kill := time.AfterFunc(endPatience, func() { syscall.Kill(-e.command.Process.Pid, syscall.SIGKILL) })
	err := e.command.Wait()
	killed := !kill.Stop()
	e.face.Close()
	how := e.command.ProcessState.String()
	if killed {
		how = "it said nothing more and went on, and was killed"
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		how = err.Error()
	}
	return tui.Death{How: how, Words: e.words.last()}
}

// The bounds of what is kept of an engine's standard error.
const (
	keptWords = 4 << 10
	keptLines = 10
)

// words keeps the end of what an engine says on its standard error.
type words struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p...)
	if n := len(w.text) - keptWords; n > 0 {
		w.text = append(w.text[:0], w.text[n:]...)
	}
	return len(p), nil
}

// last is its last lines, harmless.
func (w *words) last() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := strings.TrimSpace(phrase.Inert(string(w.text)))
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	return lines[max(len(lines)-keptLines, 0):]
}

// editor runs the person's, named as a shell reads it.
func editor(env func(string) string) func(path string) error {
	command := place.Editor(env)
	return func(path string) error {
		run := exec.Command("/bin/sh", "-c", command+` "$@"`, "wisp-tui", path)
		run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
		return run.Run()
	}
}
