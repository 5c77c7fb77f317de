// Package screen is all that wisp-tui writes to its terminal. It draws inline: a band of rows at the bottom, which changes,
// and above it rows that are printed once and then belong to the terminal, into whose scrollback they go by themselves.
//
// Rows are text with SGR, OSC 8 and EL (ESC [ K: the rest of the row has the ground in force). Whatever else is in a row is
// dropped: no control character gets to the terminal but those that this package writes for itself.
//
// What is promised: a frame is one Write, and none where nothing changed. Its cost hangs on the band, not on what was
// printed before. Printed rows are written once, in order, whole, whatever their number and the terminal's height; they are
// never erased or repeated, whatever the resizes. Neither scroll regions nor inserted lines are used. Leave undoes what
// Enter did, from any state.
//
// All movement starts from where the cursor stands: the screen neither asks where that is nor counts the terminal's rows.
// While there is no caret the cursor is parked, hidden, at the band's first cell, where no re-wrapping can move it against
// the band; with a caret in a lower row, the rows above are counted as the terminal re-wraps them (Reflow). A band taller
// than the screen after a resize leaves in the scrollback what the terminal itself has pushed there: rows above a caret
// should be few and short. tmux does so where a band stands high on an empty screen: there it begins at the bottom, below
// empty rows, at Enter and after Redraw.
//
// It doesn't read the terminal, fold text, or know what the rows mean. One goroutine uses a Screen; Leave and Enter may be
// called from others too.
package screen

import (
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// Settling is how long after a Resize the terminal may still be changing without having said so: tmux tells a program of
// its new size at most every 250 ms while a pane is being dragged.
const Settling = 300 * time.Millisecond

// Options is what the terminal is and can. The zero value is the plainest; Guess fills in all but the size.
type Options struct {
	Width, Height int
	Size          func() (width, height int) // asks the system; nil to hear of a new size by Resize alone
	Reflow        Reflow
	BCE           bool // erasing takes the ground colour; else grounds are painted with blanks
	Sync          bool // synchronized output, DEC mode 2026: only where the terminal said that it has it
	Paste         bool // bracketed paste
	Keys          bool // kitty's keyboard protocol and xterm's modifyOtherKeys may be asked for
	Focus         bool // focus is to be reported
	Titles        bool // the title can be set, saved and restored
	Progress      bool // OSC 9;4
	Links         bool // OSC 8
	Alternate     bool // there is an alternate screen
}

// Point is a cell of a frame, counted from 0.
type Point struct{ X, Y int }

// Progress is what a terminal shows beside its title or in the task bar.
type Progress int

// The kinds of Progress; OSC 9;4 has their numbers.
const (
	Idle    Progress = 0
	Failed  Progress = 2
	Working Progress = 3
)

// Frame is what is to be seen: the band, or all of the screen.
type Frame struct {
	Rows     []string // at most Height; of more, those around the cursor and below are drawn
	Cursor   *Point   // nil hides it
	Full     bool     // on the alternate screen; what is printed meanwhile waits
	Title    string   // "" leaves it as it is
	Progress Progress
}

// Screen is the terminal as far as it has been drawn on. Its memory is the band's and what waits to be printed.
type Screen struct {
	mu      sync.Mutex
	w       io.Writer
	options Options
	modes   Options // as they were at Enter: what Leave undoes
	in      bool    // between Enter and Leave
	err     error

	queue     []string // to be printed, in order
	band      surface
	full      surface
	isFull    bool
	caret     bool // the cursor is shown
	unsettled int  // Resizes that no Settle has answered
	early     bool // Draw has found a new size that no Resize has told yet
	clear     bool // Redraw was asked for
	high      bool // there may be empty rows below the band, however many
	title     string
	progress  Progress

	out   pen
	frame []byte
}

// surface is what was drawn on one of the two screens.
type surface struct {
	rows     []string
	lines    []line
	row, col int  // where the cursor is, from the first row
	width    int  // the terminal's when it was drawn
	resized  bool // the terminal may have re-wrapped it
	unknown  bool // what stands in its rows isn't known
}

// New returns a screen that writes to w, from Enter on.
func New(w io.Writer, o Options) *Screen {
	s := &Screen{w: w, options: o}
	s.options.Width, s.options.Height = max(o.Width, 1), max(o.Height, 1)
	return s
}

// Print queues rows for the scrollback; the next Draw of a band writes them, as does Leave. One that is too wide goes on
// in the next row.
func (s *Screen) Print(rows ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, rows...)
}

// Resize tells the terminal's new size, and whether it is one. The next Draw then draws all anew. Where the terminal
// re-wraps rows it draws without caret, parked, until a Settle for each Resize that returned true: call it Settling later.
func (s *Screen) Resize(width, height int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if changed := s.resize(width, height); !changed && !s.early {
		return false
	}
	s.early = false
	s.unsettled++
	return true
}

func (s *Screen) resize(width, height int) bool {
	if width < 1 || height < 1 || width == s.options.Width && height == s.options.Height {
		return false
	}
	s.options.Width, s.options.Height = width, height
	s.band.resized, s.full.resized = true, true
	return true
}

// Settle says that the time after a Resize is over. It takes effect with the next Draw.
func (s *Screen) Settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsettled = max(s.unsettled-1, 0)
}

// Redraw makes the next Draw begin on an empty screen: what was on it goes into the scrollback.
func (s *Screen) Redraw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear = true
}

// Adjust changes what is known of the terminal, as when it has answered a query. The size stays, and the modes that Enter
// has set stay set.
func (s *Screen) Adjust(change func(Options) Options) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := change(s.options)
	o.Width, o.Height, o.Size = s.options.Width, s.options.Height, s.options.Size
	if o.BCE != s.options.BCE || o.Links != s.options.Links {
		s.band.unknown, s.full.unknown = true, true
	}
	s.options = o
}

// Draw shows a frame, and above it what was printed. It does nothing before Enter and after Leave. An error in writing is
// returned by every later call.
func (s *Screen) Draw(f Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || !s.in {
		return s.err
	}
	if s.options.Size != nil && s.resize(s.options.Size()) {
		s.early = true // the signal is under way: what is drawn by the old size would go astray
	}
	rows, at := s.fit(f)
	s.out.start()
	if f.Full != s.isFull {
		s.turn(f.Full)
	}
	caret := f.Cursor != nil && (f.Full || s.unsettled == 0 && !s.early || s.options.Reflow == None)
	if !caret {
		at = Point{}
	}
	if f.Full {
		s.paintFull(rows, at)
	} else {
		s.paintBand(rows, at, caret)
	}
	s.state(f)
	return s.write(caret)
}

// fit gives a frame's rows as many as the screen has, and the cursor a place in them.
func (s *Screen) fit(f Frame) ([]string, Point) {
	rows, at := f.Rows, Point{}
	if len(rows) == 0 {
		rows = []string{""}
	}
	if f.Cursor != nil {
		at = Point{X: min(max(f.Cursor.X, 0), s.options.Width-1), Y: min(max(f.Cursor.Y, 0), len(rows)-1)}
	}
	if over := len(rows) - s.options.Height; over > 0 {
		if f.Cursor != nil {
			over = min(over, at.Y)
		}
		rows = rows[over:min(over+s.options.Height, len(rows))]
		at.Y -= min(over, at.Y)
	}
	return rows, at
}

// state writes what of a frame isn't rows.
func (s *Screen) state(f Frame) {
	if s.modes.Titles && f.Title != "" && f.Title != s.title {
		s.title = f.Title
		s.out.put("\x1b]2;" + plainText(f.Title) + "\x1b\\")
	}
	if s.options.Progress && f.Progress != s.progress {
		s.progress = f.Progress
		s.out.put(progressCode(f.Progress))
	}
}

func progressCode(p Progress) string { return "\x1b]9;4;" + string('0'+rune(p&3)) + "\x1b\\" }

// plainText is the text of a row, without what colours it.
func plainText(row string) string {
	const mostTitle = 200 // columns
	var b strings.Builder
	for _, c := range (rules{columns: mostTitle}).read(row, nil).cells {
		b.WriteString(c.text)
	}
	return b.String()
}

// write sends the frame, in one piece. Without synchronized output the cursor is hidden while it moves.
func (s *Screen) write(caret bool) error {
	body := s.out.b
	if len(body) == 0 && caret == s.caret {
		return nil
	}
	f := s.frame[:0]
	if s.options.Sync {
		f = append(f, "\x1b[?2026h"...)
	}
	if s.caret && (!caret || s.out.moved && !s.options.Sync) {
		f = append(f, "\x1b[?25l"...)
		s.caret = false
	}
	f = append(f, body...)
	if caret && !s.caret {
		f = append(f, "\x1b[?25h"...)
		s.caret = true
	}
	if s.options.Sync {
		f = append(f, "\x1b[?2026l"...)
	}
	s.frame = f
	s.trim()
	return s.send(f)
}

// mostKept bounds what a large frame leaves in memory.
const mostKept = 1 << 18

func (s *Screen) trim() {
	if cap(s.frame) > mostKept {
		s.frame, s.out.b = nil, nil
	}
}

func (s *Screen) send(b []byte) error {
	n, err := s.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if s.err == nil {
		s.err = err
	}
	return s.err
}

func (s *Screen) rules() rules {
	return rules{columns: max(s.options.Width-1, 1), pad: !s.options.BCE, links: s.options.Links}
}

// fresh forgets what was drawn: the cursor is at the first cell of a surface with nothing on it.
func (b *surface) fresh() {
	*b = surface{rows: b.rows[:0], lines: b.lines[:0], unknown: true}
}

// stands says whether rows are what is on the surface, and known to be.
func (b *surface) stands(rows []string) bool {
	return !b.resized && !b.unknown && slices.Equal(rows, b.rows)
}
