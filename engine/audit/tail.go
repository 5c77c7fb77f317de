package audit

import (
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// The tail is a small file beside the log that holds the hash of the newest line. It shows what the chain alone can't: a
// change of that line, which no line after it names yet, and lines cut off the end. It is written in place after each line,
// under the log's lock. A crash between the two leaves it behind, which is told from a cut: the line that it names is there.

// tailBytes is the size of the tail: a hash and a newline.
const tailBytes = 64 + 1

// errTail says that a tail was not written by wisp.
var errTail = errors.New("holds no hash: it was changed")

// tailPath returns the path of a log's tail.
func tailPath(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".tail" }

// readTail returns the hash that a tail holds; "" for an empty one.
func readTail(file io.ReaderAt) (string, error) {
	var b [tailBytes + 1]byte
	n, err := file.ReadAt(b[:], 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	if n == 0 {
		return "", nil
	}
	text, ended := strings.CutSuffix(string(b[:n]), "\n")
	if !ended || !isHash(text) {
		return "", errTail
	}
	return text, nil
}

// tailOf returns the hash that the tail of a log holds; "" where there is none.
func tailOf(path string) (string, error) {
	file, err := openOwn(tailPath(path), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	return readTail(file)
}

// isHash says whether a text is a hash as lines write it.
func isHash(text string) bool {
	if len(text) != tailBytes-1 || strings.ToLower(text) != text {
		return false
	}
	_, err := hex.DecodeString(text)
	return err == nil
}

// openTail opens the tail, anew where it is open.
func (l *Log) openTail() (err error) {
	if l.tail != nil {
		l.tail.Close()
	}
	l.tail, err = openOwn(tailPath(l.config.Path), os.O_RDWR|os.O_CREATE)
	return err
}

// writeTail writes the hash of the newest line.
func (l *Log) writeTail(last string) error {
	_, err := l.tail.WriteAt([]byte(last+"\n"), 0)
	return err
}

// compareTail sets last to what the tail names where the line is not in the log. The lock is held.
func (l *Log) compareTail() error {
	if l.tail != nil {
		if named, err := readTail(l.tail); err == nil && named == l.last {
			return nil
		}
	}
	if err := l.openTail(); err != nil { // the first time, or it was put aside
		return err
	}
	named, err := readTail(l.tail)
	if err != nil || named == "" || named == l.last {
		if errors.Is(err, errTail) {
			err = l.tail.Truncate(0)
		}
		return err
	}
	if there, err := l.holds(named); err != nil || there {
		return err
	}
	l.last = named
	return nil
}

// holds says whether a line of that hash is in the newest two files: a crash leaves the tail no further behind.
func (l *Log) holds(named string) (bool, error) {
	all, err := numbers(l.config.Path)
	if err != nil {
		return false, err
	}
	paths := []string{l.config.Path}
	if len(all) > 0 {
		paths = append(paths, rotated(l.config.Path, all[0]))
	}
	for _, path := range paths {
		p, err := openPart(path)
		if err != nil {
			return false, err
		}
		for line, err := range p.backwards {
			if err != nil || line.Hash() == named {
				p.file.Close()
				return err == nil, err
			}
		}
		p.file.Close()
	}
	return false, nil
}
