package proc

import (
	"bytes"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// A View looks into the output of a command while it runs. The zero value is ready to be given to one [Job], before or after
// somebody has begun to follow it; any goroutine may use it. It holds nothing of the output itself.
type View struct {
	follow atomic.Pointer[func(p []byte)]

	mu   sync.Mutex
	sink *sink // nil but while the command runs
}

// Seen is what a [View] shows: the newest of what is kept of both streams, cleaned and masked, in the order read.
type Seen struct {
	Text    string // at most 16 KiB
	Omitted int64  // bytes between the place that was asked for and Text
	Total   int64  // bytes since the command began: the place to ask for next
	Open    string // the unfinished lines as they stand, masked; they come in Text once they are whole
	Binary  bool   // it turned out not to be text: nothing is kept
	Read    int64  // bytes read from the command so far, of which a part may not be text yet
}

// Since returns what was kept since a place, the newest most bytes of it; ok is false where the command doesn't run. A nil View
// shows none.
func (v *View) Since(place int64, most int) (seen Seen, ok bool) {
	if v == nil {
		return Seen{}, false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sink == nil {
		return Seen{}, false
	}
	s := v.sink
	s.mu.Lock()
	defer s.mu.Unlock()
	seen = Seen{Total: s.tail.total, Binary: s.streams[0].binary || s.streams[1].binary, Read: s.streams[0].raw + s.streams[1].raw}
	held := s.tail.buf
	if n := min(max(s.tail.total-place, 0), int64(most), int64(len(held))); n < int64(len(held)) {
		held = fromRune(held[int64(len(held))-n:])
	}
	seen.Text, seen.Omitted = string(held), max(s.tail.total-place, 0)-int64(len(held))
	seen.Open = s.unfinished()
	return seen, true
}

// Follow has f told from now on what is kept, as it comes, and of what isn't text yet by nothing, until it is called again; nil
// ends it. f must neither block nor keep what it is given, nor use the View. Follow itself waits for nothing, whatever locks its
// caller holds.
func (v *View) Follow(f func(p []byte)) {
	if f == nil {
		v.follow.Store(nil)
		return
	}
	v.follow.Store(&f)
}

// attach shows a command's output; nil none any more. A nil View shows none.
func (v *View) attach(s *sink) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sink = s; s != nil {
		s.view = v
	}
}

// tell tells whoever follows what is kept.
func (v *View) tell(p []byte) {
	if v == nil {
		return
	}
	if f := v.follow.Load(); f != nil {
		(*f)(p)
	}
}

// unfinished is the unfinished line of each stream, masked by itself: what is before it on the stream is whole lines.
func (s *sink) unfinished() string {
	var text []byte
	for i := range s.streams {
		st := &s.streams[i]
		open := st.cleaner.Open()
		if st.binary || len(open) == 0 {
			continue
		}
		if len(text) > 0 {
			text = append(text, '\n')
		}
		if s.masker == nil {
			text = append(text, open...)
			continue
		}
		m := s.masker()
		text = m.Close(m.Append(text, open))
	}
	return string(text)
}

// Ending returns the last n bytes of a spool, from a whole character on. What the spool left out is said in it.
func Ending(path string, n int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	from := max(info.Size()-n, 0)
	end, err := io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
	if err != nil {
		return "", err
	}
	if from > 0 {
		end = fromRune(end)
	}
	return string(bytes.ToValidUTF8(end, nil)), nil
}
