package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"wisp/cmd/place"
	"wisp/engine/audit"
	"wisp/protocol/phrase"
)

const (
	// auditLast is how many events are listed where nothing says how many: on a terminal, and before --follow goes on.
	auditLast = 50
	// auditTick is how often --follow looks for more: two system calls where there is none.
	auditTick = 250 * time.Millisecond
	// auditStale is how many older lines in a row end the search for the last hours: a clock that was set may have put some among
	// the newer ones.
	auditStale = 1000
	// auditSession is how much of a session's id a row shows: the time in it, to the millisecond.
	auditSession = 10
	// auditWide is how many columns a terminal has that a row is spread over.
	auditWide = 120
)

// auditUsage is the end of a sentence about a wrong command line.
const auditUsage = "`wisp audit` lists the events (--session ID, --kind KIND, --last N, --last 2h, --follow, --json), `wisp audit verify` checks the log"

// auditOptions are the flags of wisp audit.
type auditOptions struct {
	session              string
	kinds                []string
	count                int           // 0: all
	since                time.Duration // 0: from ever
	follow, json, verify bool
}

// auditLog is `wisp audit`: what was asked, decided and done, listed or verified; docs/logging.md, "Reading it".
func auditLog(args []string) int {
	terminal := term.IsTerminal(int(os.Stdout.Fd()))
	o, err := parseAudit(args, terminal)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Println(auditUsage)
		return statusOK
	}
	if err != nil {
		return fail(statusUsage, "%s", phrase.Inert(err.Error()))
	}
	where, err := place.Find(os.Getenv)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	path := filepath.Join(where.Home, "audit.jsonl")
	if o.verify {
		return verifyAudit(path, o.json)
	}
	l := auditList{auditOptions: o, terminal: terminal, columns: 1 << 20, cutoff: time.Now().Add(-o.since)}
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); terminal && err == nil && columns > 0 {
		l.columns = columns
	}
	l.out = bufio.NewWriterSize(steady{os.Stdout}, 64<<10)
	err = l.list(path)
	if flushed := l.out.Flush(); err == nil {
		err = flushed
	}
	switch {
	case errors.Is(err, syscall.EPIPE): // nobody reads it any more
		return statusOK
	case err != nil:
		return fail(statusFailed, "%s", phrase.Inert(err.Error()))
	case l.odd > 0:
		fail(0, "%d lines of the log are no events and were left out: `wisp audit verify` names them", l.odd)
	}
	return statusOK
}

// parseAudit reads the flags. A fault is one sentence.
func parseAudit(args []string, terminal bool) (auditOptions, error) {
	var o auditOptions
	var last, kinds string
	f := pflag.NewFlagSet("audit", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.StringVar(&o.session, "session", "", "")
	f.StringVar(&kinds, "kind", "", "")
	f.StringVar(&last, "last", "", "")
	f.BoolVar(&o.follow, "follow", false, "")
	f.BoolVar(&o.json, "json", false, "")
	f.BoolVar(&o.verify, "verify", false, "")
	if err := f.Parse(args); errors.Is(err, pflag.ErrHelp) {
		return o, err
	} else if err != nil {
		return o, fmt.Errorf("%w: %s", err, auditUsage)
	}
	for _, word := range f.Args() {
		if word != "verify" {
			return o, fmt.Errorf("wisp audit takes no %q: %s", word, auditUsage)
		}
		o.verify = true
	}
	if o.verify && (o.follow || f.Changed("session") || f.Changed("kind") || f.Changed("last")) {
		return o, errors.New("verify reads the whole log: it takes --json alone")
	}
	if f.Changed("session") && o.session == "" {
		return o, errors.New("--session needs the beginning of a session's id, or last")
	}
	if f.Changed("kind") {
		o.kinds = strings.Split(kinds, ",")
	}
	for i, kind := range o.kinds {
		if o.kinds[i] = strings.TrimSpace(kind); !audit.Known(o.kinds[i]) {
			return o, fmt.Errorf("there is no kind %q: docs/logging.md has them, such as prompt, tool.call, approval, command.*", kind)
		}
	}
	if !f.Changed("last") {
		if terminal || o.follow {
			o.count = auditLast
		}
		return o, nil
	}
	return o, o.parseLast(last)
}

// parseLast reads a number of events, or a time: 30m, 2h, 7d.
func (o *auditOptions) parseLast(last string) error {
	var err error
	if o.count, err = strconv.Atoi(last); err == nil && o.count > 0 {
		return nil
	}
	o.count = 0
	if days, ok := strings.CutSuffix(last, "d"); ok {
		var n int
		if n, err = strconv.Atoi(days); n > 36500 {
			n = 36500
		}
		o.since = time.Duration(n) * 24 * time.Hour
	} else {
		o.since, err = time.ParseDuration(last)
	}
	if err != nil || o.since <= 0 {
		return fmt.Errorf("--last needs a number of events or a time, such as 100, 30m, 2h or 7d, not %q", last)
	}
	return nil
}

// auditList prints events.
type auditList struct {
	auditOptions
	out      *bufio.Writer
	terminal bool
	columns  int
	cutoff   time.Time // where since is set: older events aren't listed
	found    bool      // an event of the session
	odd      int       // lines left out because they are no events
}

// list prints what is asked for, and then what comes.
func (l *auditList) list(path string) error {
	s, err := audit.Read(path)
	if err != nil {
		return err
	}
	defer s.Close()
	if l.session == "last" {
		if l.session, err = lastSession(s); err != nil {
			return err
		}
	}
	if err := l.begin(s); err != nil {
		return err
	}
	if err := l.show(s); err != nil {
		return err
	}
	switch {
	case l.follow:
		return l.goOn(s)
	case l.session != "" && !l.found:
		return fmt.Errorf("the audit has no session that begins with %q%s", l.session, inThatTime(l.since))
	case s.Files() == 0:
		fail(0, "there is no audit yet: %s isn't there", phrase.Inert(path))
	}
	return nil
}

// inThatTime says what time was looked at.
func inThatTime(since time.Duration) string {
	if since == 0 {
		return ""
	}
	return " in that time"
}

// lastSession is the session that began last.
func lastSession(s *audit.Snapshot) (string, error) {
	for line, err := range s.Backwards() {
		if err != nil {
			return "", err
		}
		if bytes.Contains(line.Text, []byte(audit.SessionStart)) {
			if e, err := line.Event(); err == nil && e.Kind == audit.SessionStart {
				return e.Session, nil
			}
		}
	}
	return "", errors.New("the audit has no session yet")
}

// begin finds the first event to list, from the end of the log. Nothing is kept but its place: the log is read forwards from there.
func (l *auditList) begin(s *audit.Snapshot) error {
	if l.count == 0 && l.since == 0 {
		return nil
	}
	var first *audit.Line
	left, stale := l.count, 0
	for line, err := range s.Backwards() {
		if err != nil {
			return err
		}
		_, wanted, old := l.wants(line)
		if stale++; !old {
			stale = 0
		}
		if wanted {
			first = &line
			left--
		}
		if l.count > 0 && left == 0 || stale > auditStale {
			break
		}
	}
	if first == nil {
		s.FromEnd()
		return nil
	}
	s.From(*first)
	return nil
}

// wants reads a line and says whether it is one to list, and whether it is too old. One that is no event has no id.
func (l *auditList) wants(line audit.Line) (e audit.Event, wanted, old bool) {
	unfiltered := l.session == "" && l.kinds == nil
	switch at := line.Time(); {
	case l.since > 0 && !at.IsZero() && at.Before(l.cutoff):
		return e, false, true
	case unfiltered && l.json: // what is printed as it stands needn't be read
		return e, line.Whole(), false
	case !l.may(line.Text):
		return e, false, false
	}
	e, err := line.Event()
	if err != nil {
		return audit.Event{}, unfiltered && !l.json, false
	}
	if n := len(l.session); len(e.Session) < n || !strings.EqualFold(e.Session[:n], l.session) {
		return e, false, false
	}
	l.found = true
	return e, l.kinds == nil || slices.ContainsFunc(l.kinds, e.Kind.In), false
}

// may says whether a line may be one to list, by its text alone: most of a large log isn't, and is told so at the disk's speed.
func (l *auditList) may(text []byte) bool {
	holds := func(part string) bool { return bytes.Contains(text, []byte(part)) }
	if l.session != "" && !holds(l.session) && !holds(strings.ToUpper(l.session)) && !holds(strings.ToLower(l.session)) {
		return false
	}
	if l.kinds == nil || l.session != "" && !l.found { // an event of another kind tells that the session is there
		return true
	}
	return slices.ContainsFunc(l.kinds, func(kind string) bool { return holds(strings.TrimSuffix(kind, "*")) })
}

// show prints the lines that a snapshot has.
func (l *auditList) show(s *audit.Snapshot) error {
	for line, err := range s.Lines() {
		if err != nil {
			return err
		}
		e, wanted, _ := l.wants(line)
		if l.json && !line.Whole() && l.session == "" && l.kinds == nil {
			l.odd++
		}
		if !wanted || line.Size == 0 && l.follow { // what closes an unfinished line
			continue
		}
		text := string(line.Text)
		switch {
		case l.json && l.terminal:
			text = phrase.Inert(text)
		case !l.json:
			text = phrase.Row(auditRow(e, line, l.columns), l.columns)
		}
		if _, err := l.out.WriteString(text + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// auditRow is an event for a person: when, in which session and turn, its kind, and what matters of it.
func auditRow(e audit.Event, line audit.Line, columns int) string {
	if e.ID == "" {
		where := filepath.Base(line.File)
		if line.Number > 0 {
			where += fmt.Sprintf(":%d", line.Number)
		}
		if line.Text == nil && line.Size > 0 {
			return fmt.Sprintf("%s is no event: %d bytes", where, line.Size)
		}
		return fmt.Sprintf("%s is no event: %.200q", where, line.Text)
	}
	what := strings.TrimLeft(e.Phrase(), " \t\r\n")
	at, turn := e.Time.Local(), ""
	if e.Turn > 0 {
		turn = strconv.Itoa(e.Turn)
	}
	if columns < auditWide { // what matters needs the room more than the year does
		return fmt.Sprintf("%s %.*s %3s %-16s %s", at.Format("01-02 15:04:05"), auditSession, e.Session, turn, e.Kind, what)
	}
	if turn != "" {
		turn = "turn " + turn
	}
	return fmt.Sprintf("%s  %-*.*s  %-7s  %-16s  %s", at.Format(time.DateTime), auditSession, auditSession, e.Session, turn, e.Kind, what)
}

// goOn prints what comes, until nobody reads it. Ctrl-C ends the process as any other.
func (l *auditList) goOn(s *audit.Snapshot) error {
	tick := time.NewTicker(auditTick)
	defer tick.Stop()
	for {
		if err := l.out.Flush(); err != nil || unread(os.Stdout) {
			return err
		}
		<-tick.C
		more, err := s.Next()
		if err == nil && more {
			err = l.show(s)
		}
		if err != nil {
			return err
		}
	}
}

// unread says that nobody reads a pipe any more, or that a terminal is gone.
func unread(file *os.File) bool {
	polled := []unix.PollFd{{Fd: int32(file.Fd())}}
	n, err := unix.Poll(polled, 0)
	return err == nil && n > 0 && polled[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
