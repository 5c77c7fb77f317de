package edit

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Mode is how a terminal treats keys.
type Mode int

// The modes. In all but Lent the terminal still ends printed lines by itself.
const (
	Given   Mode = iota // as it was found
	Typing              // each key comes by itself, Ctrl-C and Ctrl-Z too
	Working             // the same, but Ctrl-C and Ctrl-Z are signals; what is typed waits, unseen and unlost
	Lent                // each key comes as it is, pastes too, and what is written goes as it is: another program has it
)

// Terminal is the terminal whose modes are set. It must be given back on every way out: Set(Given).
type Terminal struct {
	// NoSuspend says that Ctrl-Z shall do nothing while something runs.
	NoSuspend bool

	file  *os.File
	w     io.Writer
	given unix.Termios
	mode  Mode
}

// OpenTerminal takes a terminal to read from and the writer that draws on it.
func OpenTerminal(file *os.File, w io.Writer) (*Terminal, error) {
	given, err := unix.IoctlGetTermios(int(file.Fd()), readTermios)
	if err != nil {
		return nil, err
	}
	return &Terminal{file: file, w: w, given: *given}, nil
}

// Mode returns the mode that was set last.
func (t *Terminal) Mode() Mode { return t.mode }

// Set puts the terminal into a mode, whatever it is in; nothing that was typed is thrown away. Pastes are marked while
// keys are typed and while something works, so that one which comes meanwhile is one still.
func (t *Terminal) Set(m Mode) error {
	termios := t.given
	if m != Given {
		termios.Iflag &^= unix.ICRNL | unix.INLCR | unix.IGNCR | unix.IXON | unix.ISTRIP
		termios.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
		termios.Cc[unix.VMIN], termios.Cc[unix.VTIME] = 1, 0
	}
	if m == Lent {
		termios.Iflag &^= unix.BRKINT | unix.PARMRK | unix.IXOFF
		termios.Oflag &^= unix.OPOST
	}
	if m == Working {
		termios.Lflag |= unix.ISIG | unix.NOFLSH // a stop loses nothing that was typed
		termios.Cc[unix.VQUIT] = disabled
		if t.NoSuspend {
			termios.Cc[unix.VSUSP] = disabled
		}
	}
	if err := unix.IoctlSetTermios(int(t.file.Fd()), writeTermios, &termios); err != nil {
		return err
	}
	switch {
	case !m.marks() && t.mode.marks():
		io.WriteString(t.w, "\x1b[?2004l")
	case m.marks() && !t.mode.marks():
		io.WriteString(t.w, "\x1b[?2004h")
	}
	t.mode = m
	return nil
}

// marks says whether pastes are marked.
func (m Mode) marks() bool { return m == Typing || m == Working }

// Again sets the mode anew, after the process was stopped and another one had the terminal.
func (t *Terminal) Again() error {
	m := t.mode
	t.mode = Given
	return t.Set(m)
}
