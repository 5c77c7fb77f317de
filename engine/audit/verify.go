package audit

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

const (
	// nearLines is how many of the lines before are known by their hash, to tell lines that were moved or put in from ones
	// that were changed or taken out.
	nearLines = 1024
	// maxFindings bounds what a report lists of each kind; it counts them all.
	maxFindings = 1000
)

// Finding is one place of the log and what is to be said of it.
type Finding struct {
	File   string `json:"file"` // its path
	Number int    `json:"line"` // the line's, in that file
	What   string `json:"what"` // begins with a verb, the line being who does it
}

// Report is what Verify found.
type Report struct {
	Events int       // whole ones
	Files  int       //
	Bytes  int64     // of all lines, without their newlines
	First  time.Time // of the first whole event
	Last   time.Time // of the last one
	Newest string    // the hash of the newest line

	Breaks  []Finding // places where the log isn't as wisp wrote it, at most 1000
	Broken  int       // how many there are
	Remarks []Finding // what a crash or an older wisp leaves, which is no break; at most 1000
}

// verifier walks the log. Its memory is bounded by nearLines, maxFindings, and one line.
type verifier struct {
	report Report
	path   string
	tail   string

	count int // lines so far
	// near holds the last lines, a ring; before is the newest of them.
	near   [nearLines]place
	before place
	torn   *place         // before, where it is no event: what it is shows with the next line
	wanted map[string]int // a hash that a line names, and that no line had so far, to the break that says so
	since  int            // lines since the one that the tail names; -1: it wasn't there yet
	last   Line           // the newest whole event, its text our own
}

// place is where a line is, and its hash.
type place struct {
	file   string
	number int
	hash   string
	ended  bool
	begun  bool // it is the beginning of an event
}

// Verify reads the whole log and checks the chain and its end. A log that isn't there has no breaks. It works while engines write,
// on the log as it stood when it began.
func Verify(path string) (Report, error) {
	s, err := Read(path)
	if err != nil {
		return Report{}, err
	}
	defer s.Close()
	v := verifier{path: path, tail: s.tail, wanted: map[string]int{}, since: -1}
	for line, err := range s.Lines() {
		if err != nil {
			return v.report, err
		}
		v.check(line)
	}
	v.report.Files, v.report.Newest = s.Files(), v.before.hash
	v.end(s.fault)
	return v.report, nil
}

// check checks one line against the one before it.
func (v *verifier) check(line Line) {
	here := place{line.File, line.Number, line.Hash(), line.Ended, beginsEvent(line.Text)}
	v.report.Bytes += line.Size
	if v.since >= 0 {
		v.since++
	}
	if here.hash == v.tail {
		v.since = 0
	}
	if len(v.wanted) > 0 {
		v.came(here)
	}
	previous, whole := previousOf(line.Text)
	if whole {
		if v.report.Events++; v.report.Events == 1 {
			v.report.First = timeOf(line)
		}
		v.last.Text = append(v.last.Text[:0], line.Text...)
		v.link(here, previous)
	}
	if v.torn != nil {
		v.unfinished(*v.torn, whole && previous == v.torn.hash)
	}
	v.torn = nil
	if !whole {
		v.torn = &here
	}
	v.near[v.count%nearLines] = here
	v.before = here
	v.count++
}

// link says where an event's previous isn't the line before.
func (v *verifier) link(here place, previous string) {
	switch {
	case previous == v.before.hash:
		return
	case v.count == 0:
		v.broken(here, "is where the log begins, in the middle: what came before it is gone")
		return
	case previous == "":
		v.broken(here, "says that it is the first of a log: lines were put in before it, or the log was begun anew")
		return
	}
	if same, ok := v.nearby(here.hash); ok {
		v.broken(here, "is the same as "+same.as(here)+": it was put in again")
		return
	}
	if named, ok := v.nearby(previous); ok {
		v.broken(here, "names "+named.as(here)+" as the one before it: what stands between was put in or moved")
		return
	}
	if v.torn != nil {
		return // that the line before is no event is a break then
	}
	if v.report.Broken < maxFindings {
		v.wanted[previous] = v.report.Broken
	}
	v.broken(v.before, fmt.Sprintf("was changed, or lines after it were taken out: %s doesn't name it", here.as(v.before)))
}

// nearby finds a line before by its hash.
func (v *verifier) nearby(hash string) (place, bool) {
	for i := range min(v.count, nearLines) {
		if p := v.near[(v.count-1-i)%nearLines]; p.hash == hash {
			return p, true
		}
	}
	return place{}, false
}

// came mends what was said of a line that is named by one before it.
func (v *verifier) came(here place) {
	if i, ok := v.wanted[here.hash]; ok {
		f := &v.report.Breaks[i]
		f.What = fmt.Sprintf("is followed by a line that names %s as the one before it: lines were put into another order",
			here.as(place{file: f.File, number: f.Number}))
		delete(v.wanted, here.hash)
	}
}

// unfinished says what a line is that is no whole event: a crash leaves one that is begun, and wisp goes on from it.
func (v *verifier) unfinished(p place, linked bool) {
	switch {
	case linked && p.begun:
		v.remark(p, "was left unfinished by a crash or a full disk; the chain goes on from it")
	case p.begun:
		v.broken(p, "is no whole event: it was changed or cut")
	default:
		v.broken(p, "is no event: it was changed, or put in by another")
	}
}

// end checks what the chain can't show: the newest line.
func (v *verifier) end(fault error) {
	name := tailPath(v.path)
	tail := place{file: name, number: 1}
	v.report.Last = timeOf(v.last)
	crash := v.tail == "" || v.since > 0 // nothing says that it was otherwise
	switch {
	case errors.Is(fault, errTail):
		v.broken(tail, fault.Error())
	case fault != nil:
		v.remark(tail, "can't be read, so a change of the newest line wouldn't show: "+cause(fault).Error())
	case v.tail == "" && v.count > 0:
		v.remark(tail, "isn't there, so a change of the newest line, or lines cut off the end, wouldn't show")
	case v.tail != "" && v.count == 0:
		v.broken(tail, "names a line, and the log has none: it was taken away")
	}
	switch {
	case v.count == 0:
	case v.torn != nil && crash && v.torn.begun && !v.torn.ended:
		v.remark(*v.torn, "is unfinished: a crash while it was written")
	case v.torn != nil:
		v.unfinished(*v.torn, false)
	case !crash && v.since < 0:
		v.broken(v.before, "isn't the line that "+name+" names: it was changed, or lines after it were cut off")
	case !v.wholeEnd():
		v.broken(v.before, "is no whole event: it was changed")
	case !v.before.ended && !crash:
		v.broken(v.before, "has no newline: it was cut off")
	case !v.before.ended:
		v.remark(v.before, "has no newline: a crash while it was written")
	case v.since > 0:
		v.remark(v.before, fmt.Sprintf("stands %d after the one that %s names, as after a crash: a change of it wouldn't show", v.since, name))
	}
}

// wholeEnd says whether the newest event is one between its ends too.
func (v *verifier) wholeEnd() bool {
	_, err := v.last.Event()
	return err == nil
}

func (v *verifier) broken(p place, what string) {
	v.report.Broken++
	if len(v.report.Breaks) < maxFindings {
		v.report.Breaks = append(v.report.Breaks, Finding{p.file, p.number, what})
	}
}

func (v *verifier) remark(p place, what string) {
	if len(v.report.Remarks) < maxFindings {
		v.report.Remarks = append(v.report.Remarks, Finding{p.file, p.number, what})
	}
}

// as names a line beside another, whose file is said already.
func (p place) as(beside place) string {
	if p.file == beside.file {
		return fmt.Sprintf("line %d", p.number)
	}
	return fmt.Sprintf("line %d of %s", p.number, p.file)
}

// beginsEvent says whether a line begins as events do: what a crash leaves of one.
func beginsEvent(text []byte) bool {
	const begin = `{"schema":`
	return len(text) > 0 && (bytes.HasPrefix(text, []byte(begin)) || bytes.HasPrefix([]byte(begin), text))
}

// previousOf returns what an event names as the line before, and whether it is one. It looks at the two ends alone: where a
// line was changed between them the next one doesn't name it, and reading all as JSON would take ten times as long.
func previousOf(text []byte) (string, bool) {
	const key = `,"previous":"`
	if !beginsEvent(text) || !bytes.HasSuffix(text, []byte(`"}`)) {
		return "", false
	}
	text = text[:len(text)-2]
	at := bytes.LastIndexByte(text, '"') + 1
	if !bytes.HasSuffix(text[:at], []byte(key)) {
		return "", false
	}
	previous := string(text[at:])
	return previous, previous == "" || isHash(previous)
}

// timeOf returns an event's time.
func timeOf(l Line) time.Time {
	e, err := l.Event()
	if err != nil {
		return time.Time{}
	}
	return e.Time
}
