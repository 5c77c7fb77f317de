//go:build linux

package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkWisp is the program as it is shipped beside the plainest that does the same; docs/performance.md has the
// bounds. A figure in x is wisp's over the bare program's.
func BenchmarkWisp(b *testing.B) {
	p := build(b)
	b.Run("version", p.version)
	b.Run("ready", p.ready)
	b.Run("command", p.command)
	b.Run("turn", p.turn)
	b.Run("pieces", p.pieces)
	b.Run("flushed", p.flushed)
	b.Run("gigabyte", p.gigabyte)
	b.Run("lines", p.lines)
	b.Run("unread", p.unread)
	b.Run("interrupt", p.interrupt)
	b.Run("idle", p.idle)
	b.Run("long", p.long)
	b.Run("literal", p.literal)
}

// tour is a model that needs no server.
const tour = "scripted:tour"

// whole runs a program to its end.
func whole(b *testing.B, args ...string) {
	if err := exec.Command(args[0], args[1:]...).Run(); err != nil {
		b.Fatal(err)
	}
}

// version is the whole process, which anyone who asks for the version waits for.
func (p programs) version(b *testing.B) {
	var of pairs
	for b.Loop() {
		of.add(took(func() { whole(b, p.wisp, "--version") }), took(func() { whole(b, p.hello) }))
	}
	of.ratio(b, "")
}

// ready is from the fork to the ready line in the reader's hands.
func (p programs) ready(b *testing.B) {
	var of pairs
	for b.Loop() {
		var s *process
		cmd := p.chat(b, tour)
		wisp := took(func() {
			s = start(b, cmd)
			s.until(`"type":"ready"`)
		})
		s.end()
		of.add(wisp, took(func() { whole(b, p.hello) }))
	}
	of.ratio(b, "")
}

// command is a typed command, from its line to the line that says how it ended.
func (p programs) command(b *testing.B) {
	s := p.session(b, tour)
	var of pairs
	for b.Loop() {
		wisp := took(func() {
			s.send(`{"type":"command","line":"true"}`)
			s.until(`"kind":"command.typed"`)
		})
		s.until(`"type":"status"`)
		of.add(wisp, took(func() { whole(b, "/bin/sh", "-c", "true") }))
	}
	of.ratio(b, "")
}

// modelServer is a model's server that answers each request with so many pieces, each flushed or all in one.
func modelServer(b *testing.B, pieces int, flush bool) string {
	b.Helper()
	piece := `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}` + "\n\n"
	end := `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	all := strings.Repeat(piece, pieces) + end
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		if !flush {
			_, _ = io.WriteString(w, all)
			return
		}
		for range pieces {
			_, _ = io.WriteString(w, piece)
			w.(http.Flusher).Flush()
		}
		_, _ = io.WriteString(w, end)
	}))
	b.Cleanup(s.Close)
	return s.URL
}

// talkers are a session of wisp's and the bare client, both with the same server.
func (p programs) talkers(b *testing.B, url string) (wisp, bare *process) {
	b.Helper()
	wisp = p.session(b, "openai:m", "OPENAI_API_KEY=x", "OPENAI_BASE_URL="+url+"/v1")
	return wisp, start(b, program(b, []string{p.bare, url}))
}

// exchange is one turn of each, to its last line, and how long it took.
func exchange(wisp, bare *process) (ofWisp, ofBare float64) {
	ofWisp = took(func() {
		wisp.send(`{"type":"prompt","text":"hello"}`)
		wisp.until(`"type":"turn"`, `"phase":"end"`)
	})
	wisp.until(`"type":"status"`)
	ofBare = took(func() {
		bare.send("go")
		bare.until("done")
	})
	return ofWisp, ofBare
}

// renew begins a new thread, so that the turns before it aren't sent with the next one.
func (p *process) renew() {
	p.send(`{"type":"line","text":"/new"}`)
	p.until(`"type":"status"`)
}

// turn is a short turn in a live session, in a thread of a few.
func (p programs) turn(b *testing.B) {
	wisp, bare := p.talkers(b, modelServer(b, 5, true))
	var of pairs
	for n := 0; b.Loop(); n++ {
		if n%20 == 0 {
			wisp.renew()
			exchange(wisp, bare)
		}
		of.add(exchange(wisp, bare))
	}
	of.over(b)
}

// pieceCount is how many pieces a long answer has.
const pieceCount = 20_000

// pieces is a long answer that comes as fast as the connection takes it.
func (p programs) pieces(b *testing.B) { p.stream(b, false) }

// flushed is the same with a write to the connection for each piece.
func (p programs) flushed(b *testing.B) { p.stream(b, true) }

func (p programs) stream(b *testing.B, flush bool) {
	wisp, bare := p.talkers(b, modelServer(b, pieceCount, flush))
	var wall, cpu pairs
	var turns int64
	before := wisp.read
	for b.Loop() {
		wisp.renew()
		ofWisp, ofBare := wisp.cpu(), bare.cpu()
		wall.add(exchange(wisp, bare))
		cpu.add(ms(wisp.cpu()-ofWisp), ms(bare.cpu()-ofBare))
		turns++
	}
	wall.ratio(b, "")
	cpu.ratio(b, "cpu-")
	b.ReportMetric(float64(wisp.read-before)/float64(turns*pieceCount), "bytes/piece")
}

// gigabyte is a flood without a line end.
func (p programs) gigabyte(b *testing.B) {
	p.flood(b, `head -c 1000000000 /dev/zero | tr '\\0' x`, `head -c 1000000000 /dev/zero | tr '\0' x`)
}

// lines is a flood of the shortest lines.
func (p programs) lines(b *testing.B) {
	const yes = `yes | head -c 2000000000`
	p.flood(b, yes, yes)
}

func (p programs) flood(b *testing.B, inJSON, command string) {
	s := p.session(b, tour)
	var of pairs
	for b.Loop() {
		wisp := took(func() {
			s.send(`{"type":"command","line":"` + inJSON + `"}`)
			s.until(`"kind":"command.typed"`)
		})
		of.add(wisp, took(func() { whole(b, "/bin/sh", "-c", command+" | cat >/dev/null") }))
	}
	of.ratio(b, "")
	b.ReportMetric(s.memory("VmHWM"), "MiB")
}

// unread is the memory that the same flood takes where the face reads nothing of it until it has ended.
func (p programs) unread(b *testing.B) {
	s := p.session(b, tour)
	for b.Loop() {
		s.send(`{"type":"command","line":"yes | head -c 2000000000; touch over"}`)
		within(b, "the command's end", func() bool {
			_, err := os.Stat(filepath.Join(s.cmd.Dir, "over"))
			return err == nil
		})
		s.until(`"kind":"command.typed"`)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(s.memory("VmHWM"), "MiB")
}

// interrupt is from the interrupt's line to the death of the last process of the command, and to the line that says so.
func (p programs) interrupt(b *testing.B) {
	s := p.session(b, tour)
	var dead, told []float64
	for b.Loop() {
		s.send(`{"type":"command","line":"echo $$; sleep 100"}`)
		line, _ := s.until(`"type":"output"`)
		_, rest, _ := strings.Cut(line, `"text":"`)
		group, err := strconv.Atoi(rest[:strings.IndexByte(rest, '\\')])
		if err != nil {
			b.Fatal(err)
		}
		pressed := time.Now()
		s.send(`{"type":"interrupt"}`)
		within(b, "the group's death", func() bool { return errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) })
		dead = append(dead, ms(time.Since(pressed)))
		s.until(`"kind":"command.typed"`)
		told = append(told, ms(time.Since(pressed)))
		s.until(`"type":"status"`)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(dead), "dead-ms")
	b.ReportMetric(slices.Min(dead), "min-dead-ms")
	b.ReportMetric(median(told), "told-ms")
}

// idle is what a session takes that waits for its person.
func (p programs) idle(b *testing.B) {
	s := p.session(b, tour)
	s.send(`{"type":"command","line":"true"}`)
	s.until(`"kind":"command.typed"`)
	s.until(`"type":"status"`)
	<-time.After(500 * time.Millisecond)
	var spent []float64
	for b.Loop() {
		before := s.cpu()
		<-time.After(2 * time.Second)
		spent = append(spent, ms(s.cpu()-before))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(slices.Max(spent), "cpu-ms/2s")
	b.ReportMetric(s.memory("VmRSS"), "MiB")
}
