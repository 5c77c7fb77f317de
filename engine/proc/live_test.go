package proc

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// told feeds a sink in virtual time and returns what the watcher was told, a piece an element.
func told(t *testing.T, feed func(s *sink)) []Piece {
	t.Helper()
	var pieces []Piece
	synctest.Test(t, func(*testing.T) {
		s := newSink("", spoolBytes, func(p Piece) { pieces = append(pieces, p) })
		feed(s)
		var o Outcome
		s.finish(&o, [2]bool{true, true})
	})
	return pieces
}

var liveCases = []struct {
	name string
	feed func(s *sink)
	want string // pieces, each after its stream's letter
}{
	{"lines at once", func(s *sink) {
		s.write(0, []byte("a\nb\n"))
		s.write(1, []byte("c\n"))
	}, "o:a\nb\n|e:c\n"},
	{"a line in the making isn't shown", func(s *sink) {
		s.write(0, []byte("a"))
		time.Sleep(standing / 2)
		s.write(0, []byte("b\n"))
	}, "o:ab\n"},
	{"a prompt is", func(s *sink) {
		s.write(0, []byte("Name: "))
		time.Sleep(2 * standing)
		s.write(0, []byte("x\n"))
	}, "o:Name: |o:x\n"},
	{"dots", func(s *sink) {
		for range 4 {
			s.write(0, []byte("."))
			time.Sleep(standing * 3 / 4)
		}
		s.write(0, []byte("\n"))
	}, "o:..|o:..|o:\n"},
	{"a progress bar, once a second, in states that have stood", func(s *sink) {
		for i := range 7 {
			s.write(0, []byte("\r"+string(rune('a'+i))))
			time.Sleep(standing * 7 / 2)
		}
		s.write(0, []byte("\rdone\n"))
	}, "o:a|o:\nd|o:\ng|o:\ndone\n"},
	{"a fast progress bar, at its end", func(s *sink) {
		for i := range 50 {
			s.write(0, []byte("\r"+string(rune('0'+i%10))+"%"))
			time.Sleep(standing / 2)
		}
		s.write(0, []byte("\n"))
	}, "o:9%\n"},
	{"a progress bar that is erased in between", func(s *sink) {
		for i := range 3 {
			s.write(0, []byte("\r\x1b[K"))
			time.Sleep(standing * 9 / 10)
			s.write(0, []byte{byte('a' + i)})
			time.Sleep(standing / 5)
		}
	}, "o:c"},
	{"a fast progress bar that comes to a stand", func(s *sink) {
		for i := range 3 {
			s.write(0, []byte("\r"+string(rune('a'+i))))
			time.Sleep(standing / 2)
		}
		time.Sleep(standing)
		s.write(0, []byte("\rdone\n"))
	}, "o:c|o:\ndone\n"},
	{"a prompt beside a progress bar", func(s *sink) {
		s.write(1, []byte("Name: "))
		for i := range 4 {
			s.write(0, []byte("\r"+string(rune('a'+i))))
			time.Sleep(standing / 2)
		}
		s.write(0, []byte("\rx\n"))
	}, "e:Name: |o:\nx\n"},
	{"another stream's line in between", func(s *sink) {
		s.write(0, []byte("wait "))
		time.Sleep(2 * standing)
		s.write(1, []byte("warning\n"))
		s.write(0, []byte("ok\n"))
	}, "o:wait |e:\nwarning\n|o:ok\n"},
	{"the rest at the end", func(s *sink) {
		s.write(0, []byte("a"))
		s.write(1, []byte("b"))
	}, "o:a|e:\nb"},
	{"binary", func(s *sink) {
		s.write(0, []byte("text\n"))
		s.write(0, make([]byte, 10_000))
	}, "o:text\n"},
}

func TestLive(t *testing.T) {
	t.Parallel()
	for _, c := range liveCases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range told(t, c.feed) {
				letter := map[string]string{"stdout": "o:", "stderr": "e:"}[p.Stream]
				got = append(got, letter+p.Text)
			}
			if g := strings.Join(got, "|"); g != c.want {
				t.Errorf("%q, want %q", g, c.want)
			}
		})
	}
}

// A flood is handed on as far as anyone could read it, and what was skipped is counted.
func TestLiveFlood(t *testing.T) {
	t.Parallel()
	chunk := []byte(strings.Repeat(strings.Repeat("x", 63)+"\n", 1<<10))
	const seconds, perSecond = 3, 1000
	pieces := told(t, func(s *sink) {
		for range seconds * perSecond {
			s.write(0, chunk)
			time.Sleep(time.Second / perSecond)
		}
	})
	shown, dropped := 0, 0
	for _, p := range pieces {
		shown += len(p.Text)
		dropped += p.Dropped
	}
	if all := seconds * perSecond * len(chunk); shown+dropped != all || shown > burst+(seconds+1)*rate || shown < burst {
		t.Errorf("%d shown and %d dropped of %d", shown, dropped, all)
	}
}
