package pty

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// inputBytes is how much may wait to be typed, and answerBytes how much of answers.
	inputBytes  = 64 << 10
	answerBytes = 4 << 10
	// typingLimit is how long the terminal may take to take what is typed: a program that doesn't read has stopped it.
	typingLimit = 5 * time.Second
	// askingTime is what a program is given to change the mode after it asked, readingTime how long an answer is looked after, and
	// lookingTime how long nobody looks at most.
	askingTime  = 5 * time.Millisecond
	readingTime = time.Second
	lookingTime = 16 * time.Millisecond
)

// stroke is something to be typed.
type stroke struct {
	text   []byte // Enter is \r
	answer bool   // to a question of the program's
	kept   bool   // a copy is kept, so that no password may be in it
	done   chan struct{}

	taken  int  // bytes of text that the terminal has
	hidden bool // the program didn't echo: a password
	stuck  bool // the rest can't be typed
	gone   bool // taken back: nobody waits for it
}

// input types. One goroutine writes; any may add to its queue.
type input struct {
	device *device
	wake   chan struct{} // holds one
	ending chan struct{} // closed with the session

	mu      sync.Mutex
	queue   []*stroke
	waiting [2]int  // bytes in queue: typed, answers
	now     *stroke // what is being written
	ended   bool

	// The writer's own.
	line    int           // bytes of an unfinished line that a canonical terminal holds, at most
	answers int           // bytes of answers since anything else was typed
	spent   time.Duration // waited for them to be read
}

func newInput(d *device) *input {
	return &input{device: d, wake: make(chan struct{}, 1), ending: make(chan struct{})}
}

func (in *input) add(st *stroke) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	kind, most := 0, inputBytes
	if st.answer {
		kind, most = 1, answerBytes
	}
	if in.ended || in.waiting[kind]+len(st.text) > most {
		return false
	}
	in.waiting[kind] += len(st.text)
	in.queue = append(in.queue, st)
	select {
	case in.wake <- struct{}{}:
	default:
	}
	return true
}

// answer sends what the terminal answers to the program. It returns at once.
func (in *input) answer(text string) { in.add(&stroke{text: []byte(text), answer: true}) }

// send types text and returns when the terminal has it, or when the time is over: what it doesn't have then is taken back.
func (in *input) send(ctx context.Context, text []byte, kept bool) (*stroke, error) {
	st := &stroke{text: text, kept: kept, done: make(chan struct{})}
	if !in.add(st) {
		in.mu.Lock()
		defer in.mu.Unlock()
		if in.ended {
			return st, fmt.Errorf("the program has ended")
		}
		return st, fmt.Errorf("%d bytes wait to be typed already, and the program doesn't read them", in.waiting[0])
	}
	limit := time.NewTimer(typingLimit)
	defer limit.Stop()
	var why error
	select {
	case <-st.done:
	case <-ctx.Done():
		why = fmt.Errorf("it was stopped")
	case <-limit.C:
		why = fmt.Errorf("the program doesn't read what is typed")
	}
	if why != nil {
		in.takeBack(st)
		<-st.done
	}
	switch {
	case st.taken == len(text):
		return st, nil
	case why != nil:
		return st, why
	case st.hidden && st.kept:
		return st, fmt.Errorf("the program stopped showing what is typed, as for a password")
	case st.stuck:
		return st, fmt.Errorf("the terminal takes no line that long")
	}
	return st, fmt.Errorf("the program has ended")
}

// takeBack ends the typing of a stroke, wherever it stands.
func (in *input) takeBack(st *stroke) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.now == st {
		st.gone = true
		in.device.writes.end()
	} else if i := slices.Index(in.queue, st); i >= 0 {
		in.queue = slices.Delete(in.queue, i, i+1)
		in.waiting[0] -= len(st.text)
		st.finish()
	}
}

// finish forgets what was typed, which may have been a password, and tells who waits.
func (st *stroke) finish() {
	clear(st.text)
	if st.done != nil {
		close(st.done)
	}
}

// end ends the typing.
func (in *input) end() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.ended {
		in.ended = true
		close(in.ending)
		in.device.writes.end()
	}
}

// run writes what is queued until the session's end.
func (in *input) run() {
	for {
		st := in.next()
		if st == nil {
			if in.rest() {
				continue
			}
			if st = in.next(); st == nil {
				return
			}
		}
		switch {
		case st.answer:
			in.reply(st)
		default:
			in.write(st)
		}
		st.finish()
	}
}

// next takes the next stroke off the queue; nil where there is none.
func (in *input) next() *stroke {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.now = nil
	if len(in.queue) == 0 {
		return nil
	}
	st := in.queue[0]
	in.queue = in.queue[1:]
	kind := 0
	if st.answer {
		kind = 1
	}
	in.waiting[kind] -= len(st.text)
	in.now = st
	if !st.gone && !in.ended {
		in.device.writes.resume()
	}
	return st
}

// idle says that nobody waits for a stroke any more.
func (in *input) idle(st *stroke) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return st.gone || in.ended
}

// write types a stroke, in pieces that the terminal takes whole.
func (in *input) write(st *stroke) {
	for rest := st.text; len(rest) > 0 && !in.idle(st); rest = st.text[st.taken:] {
		set, err := in.device.settings()
		if err != nil {
			return
		}
		if in.answers > 0 && set.canonical && set.echo {
			in.device.forget(in.answers) // whoever asked has gone, and it would stand before what is typed
		}
		in.answers = 0
		if st.hidden = st.hidden || set.password(); st.hidden && st.kept {
			return
		}
		piece, line, cut := in.piece(rest, set)
		if st.stuck = len(piece) == 0; st.stuck {
			return
		}
		n, err := in.device.write(encode(piece, set, cut))
		in.line = line
		st.taken += min(n, len(piece))
		if err != nil {
			return
		}
	}
}

// piece is what is typed next of rest. A terminal that reads by the line takes only so much of one, and drops what is more
// without a word: a line that is longer is handed on before its end, which programs that read on to the newline don't
// notice. cut says that the piece ends so; it is never empty then, which would be the end of the input. line is how long the
// unfinished line is after it.
func (in *input) piece(rest []byte, set settings) (piece []byte, line int, cut bool) {
	if !set.canonical {
		return rest[:min(len(rest), pieceBytes)], 0, false
	}
	line = in.line
	for i, b := range rest {
		if line >= lineBytes && utf8.RuneStart(b) {
			if set.end == 0 {
				return rest[:i], line, false
			}
			if i > 0 {
				return rest[:i], 0, true
			}
		}
		line++
		if b == '\r' || b == '\n' || b == set.end {
			return rest[:i+1], 0, false
		}
	}
	if line >= lineBytes && set.end != 0 {
		return rest, 0, true
	}
	return rest, line, false
}

// pieceBytes is how much is typed at once where the terminal doesn't edit lines: between two pieces the mode is looked at.
const pieceBytes = 1 << 10

// encode is a piece as the terminal is to get it. Enter is what a keyboard sends, but where the program wouldn't see that as
// the end of a line.
func encode(piece []byte, set settings, cut bool) []byte {
	out := make([]byte, len(piece), len(piece)+1)
	copy(out, piece)
	if set.drops || set.canonical && !set.enters {
		for i, b := range out {
			if b == '\r' {
				out[i] = '\n'
			}
		}
	}
	if cut {
		out = append(out, set.end)
	}
	return out
}

// reply sends an answer, and those that wait after it, unless whoever asked is seen to be gone: the terminal reads lines and
// shows them, and an answer would stand there as if it had been typed. A program that asks just before it changes the mode, or
// changes it back just after, is given a moment to do so. What was sent is looked after for a second more.
func (in *input) reply(st *stroke) {
	answers := in.following(st.text)
	for range 2 {
		if !in.pause(askingTime) {
			return
		}
		set, err := in.device.settings()
		if err != nil {
			return
		}
		if !set.canonical || !set.echo {
			answers = in.following(answers)
			in.answers += in.device.offer(answers)
			in.spent = 0
			return
		}
	}
	in.takeAnswersBack()
}

// following takes the answers that are next in the queue, and appends them.
func (in *input) following(answers []byte) []byte {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.queue) > 0 && in.queue[0].answer {
		answers = append(answers, in.queue[0].text...)
		in.waiting[1] -= len(in.queue[0].text)
		in.queue = in.queue[1:]
	}
	return answers
}

// rest waits for something to type, and returns false at the end. Meanwhile answers are looked after.
func (in *input) rest() bool {
	var look <-chan time.Time
	moment := max(time.Millisecond, min(in.spent, lookingTime))
	if in.answers > 0 && in.spent < readingTime {
		t := time.NewTimer(moment)
		defer t.Stop()
		look = t.C
	}
	select {
	case <-in.wake:
	case <-look:
		in.spent += moment
		in.takeAnswersBack()
	case <-in.ending:
		return false
	}
	return true
}

// takeAnswersBack takes back answers that nobody read before the terminal went back to reading lines.
func (in *input) takeAnswersBack() {
	if in.answers == 0 {
		return
	}
	if set, err := in.device.settings(); err == nil && set.canonical && set.echo {
		in.device.forget(in.answers)
		in.answers = 0
	}
}

// pause waits, and returns false where the session ended meanwhile.
func (in *input) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-in.ending:
		return false
	}
}
