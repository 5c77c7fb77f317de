package proc

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// reading takes what both streams of one command hold into its sink, in the order in which it came as far as the kernel
// tells that: between two reads it tells which stream was written to first, not how the writes to both alternated.
//
// Each stream has a goroutine that waits for it. Whichever is woken takes both streams.
type reading struct {
	out     *sink
	buffers *sync.Pool // of *[]byte, bufferBytes long

	mu       sync.Mutex // held from before bytes leave a pipe until they are in the sink; before the sink's
	arrivals arrivals
	fds      [2]int // noFile: its goroutine has done with it, and nobody else may touch it
	grown    [2]bool
	fills    [2]bool // its pipe holds pipeBytes
	buf      []byte
	big      *[]byte       // what buf is, where it came from buffers
	taken    int64         // bytes read
	owed     time.Duration // how long a flood is to be left alone
}

const (
	// calmAfter is how much of a calm command's output is read as fast as it comes: more than a long build prints.
	calmAfter = 64 << 20
	// calmRest is for how many times as long as it took to read a part it is left alone then: a fifth of a core is used.
	calmRest = 4
	// leastCalm is the shortest such rest, so that what comes in small pieces isn't slept for one by one.
	leastCalm = time.Millisecond
)

// noFile stands for no file where one is named by its descriptor.
const noFile = -1

// part is how much of a stream is to be read.
type part struct{ stream, bytes int }

// newReading must be called before anything can be written to the pipes.
func newReading(pipes [2]*os.File, out *sink, buffers *sync.Pool) (*reading, error) {
	rd := &reading{out: out, buffers: buffers, buf: make([]byte, firstBytes)}
	for i, f := range pipes {
		raw, err := f.SyscallConn()
		if err == nil {
			err = raw.Control(func(fd uintptr) { rd.fds[i] = int(fd) })
		}
		if err != nil {
			return nil, err
		}
	}
	var err error
	if rd.arrivals, err = newArrivals(rd.fds); err != nil {
		return nil, err
	}
	return rd, nil
}

// follow reads stream i, which is f, until it ends or its time is over.
func (rd *reading) follow(f *os.File, i int) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	for {
		n, pause, fault := 0, false, error(nil)
		err := raw.Read(func(uintptr) bool {
			n, pause, fault = rd.next(i)
			return !errors.Is(fault, syscall.EAGAIN)
		})
		switch {
		case err != nil:
			return rd.empty(i, err)
		case fault != nil:
			return fault
		case n == 0:
			return io.EOF
		}
		if pause {
			rest(filling)
		}
		time.Sleep(rd.owes())
	}
}

// empty reads what stream i's pipe holds when its time is over: on a machine that is busy the command's own last words may stand there
// yet. Whoever goes on printing gives no more than a pipe is made to hold.
func (rd *reading) empty(i int, over error) error {
	for left := pipeBytes; left > 0; {
		n, _, fault := rd.next(i)
		switch {
		case errors.Is(fault, syscall.EAGAIN):
			return over
		case fault != nil:
			return fault
		case n == 0:
			return io.EOF
		}
		left -= n
	}
	return over
}

// owes returns how long a flood is to be left alone now.
func (rd *reading) owes() time.Duration {
	rd.mu.Lock()
	defer rd.mu.Unlock()
	rest := rd.owed
	if rest < leastCalm {
		return 0
	}
	rd.owed = 0
	return rest
}

// next takes what has come, for the goroutine of stream i. What it returns is as read(2) has it for that stream: EAGAIN
// where it has to wait. pause says that its pipe may be left to fill.
func (rd *reading) next(i int) (n int, pause bool, err error) {
	rd.mu.Lock()
	defer rd.mu.Unlock()
	if rd.taken > calmAfter && rd.out.view.calm() {
		began := time.Now()
		defer func() { rd.owed += calmRest * time.Since(began) }()
	}
	err = syscall.EAGAIN
	parts, count := rd.due(i)
	for _, p := range parts[:count] {
		got, fault := rd.take(p)
		if p.stream == i { // the other's end is seen again by the other
			n, err = got, fault
		}
	}
	if n > 0 {
		err = nil
	}
	return n, rd.fills[i] && n < bufferBytes, err
}

// take reads a part, less where there is less, and puts it into the sink.
func (rd *reading) take(p part) (int, error) {
	got := 0
	for got < p.bytes {
		n, err := read(rd.fds[p.stream], rd.buf[:min(len(rd.buf), p.bytes-got)])
		if n <= 0 {
			return got, err
		}
		rd.out.write(p.stream, rd.buf[:n])
		got += n
		rd.taken += int64(n)
		if n >= firstBytes {
			rd.grow(p.stream)
		}
	}
	return got, nil
}

// grow prepares for much of a stream.
func (rd *reading) grow(i int) {
	if !rd.grown[i] {
		rd.grown[i], rd.fills[i] = true, growPipe(uintptr(rd.fds[i]))
	}
	if rd.big != nil {
		return
	}
	var ok bool
	if rd.big, ok = rd.buffers.Get().(*[]byte); !ok {
		b := make([]byte, bufferBytes)
		rd.big = &b
	}
	rd.buf = *rd.big
}

// leave says that stream i is not to be read any more, before its file is closed.
func (rd *reading) leave(i int) {
	rd.mu.Lock()
	defer rd.mu.Unlock()
	rd.fds[i] = noFile
	if rd.fds != [2]int{noFile, noFile} {
		return
	}
	rd.arrivals.close()
	if rd.big != nil {
		rd.buffers.Put(rd.big)
		rd.big, rd.buf = nil, nil
	}
}

// read is read(2), whatever signal comes in between.
func read(fd int, buf []byte) (int, error) {
	for {
		n, err := syscall.Read(fd, buf)
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
