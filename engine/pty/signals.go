package pty

import (
	"fmt"
	"strings"
	"syscall"
)

// signalOf is a signal by its name.
func signalOf(name string) (syscall.Signal, error) {
	switch strings.TrimPrefix(strings.ToLower(name), "sig") {
	case "int":
		return syscall.SIGINT, nil
	case "term":
		return syscall.SIGTERM, nil
	case "hup":
		return syscall.SIGHUP, nil
	case "quit":
		return syscall.SIGQUIT, nil
	case "kill":
		return syscall.SIGKILL, nil
	case "usr1":
		return syscall.SIGUSR1, nil
	case "usr2":
		return syscall.SIGUSR2, nil
	case "winch":
		return syscall.SIGWINCH, nil
	case "tstp":
		return syscall.SIGTSTP, nil
	case "cont":
		return syscall.SIGCONT, nil
	}
	return 0, fmt.Errorf("there is no signal %q: there are int, term, hup, quit, kill, usr1, usr2, winch, tstp and cont", name)
}
