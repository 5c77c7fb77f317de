package place

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

const (
	// maxFile bounds a file of settings: a thousand rules take a tenth of it.
	maxFile = 1 << 20
	// maxDepth bounds how deep its values stand in one another. The deepest setting is at 4.
	maxDepth = 64
)

// ReadFile reads a file of settings, and says what it is. It waits for nobody and holds at most a MiB: a pipe, a device and a
// longer file are errors, and so is a link to nothing, which isn't a missing file. A byte order mark is left out.
func ReadFile(path string) ([]byte, os.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) {
		if _, here := os.Lstat(path); here == nil {
			return nil, nil, errors.New("it is a link to nothing")
		}
	}
	if err != nil {
		var of *os.PathError
		if errors.As(err, &of) {
			err = of.Err // the path is said already
		}
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errors.New("it is no file")
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return nil, nil, err
	case len(text) > maxFile:
		return nil, nil, errors.New("it is longer than 1 MiB")
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), info, nil
}

// Parse reads JSON with comments and trailing commas. An error begins with the line, and names the key before it where there
// is one.
func Parse(text []byte) (hujson.Value, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return hujson.Value{}, errors.New("it is empty; {} is a file without settings")
	}
	text = append(slices.Clip(bytes.TrimRight(text, " \t\r\n")), '\n') // a comment may end the file
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return hujson.Value{}, fault(text, at, "it is no UTF-8 text")
		}
		at += size
	}
	if at := tooDeep(text); at >= 0 {
		return hujson.Value{}, fault(text, at, "its values stand too deep in one another")
	}
	v, err := hujson.Parse(text)
	if err == nil {
		return v, nil
	}
	var line, column int
	said := strings.TrimPrefix(err.Error(), "hujson: ")
	if n, _ := fmt.Sscanf(said, "line %d, column %d:", &line, &column); n < 2 {
		return v, errors.New(said)
	}
	_, said, _ = strings.Cut(said, ": ")
	if strings.HasPrefix(said, "invalid literal: ") { // it may hold a key
		said = "a value that is no JSON"
	}
	return v, fault(text, Offset(text, line, column), said)
}

// fault says what is wrong at an offset.
func fault(text []byte, at int, what string) error {
	at = min(at, len(text)-1) // the end is on the last line
	where := fmt.Sprintf("line %d", Line(text, at))
	keys := regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"\s*:`).FindAll(text[:at], -1)
	if len(keys) > 0 {
		where += ", after " + strings.TrimRight(string(keys[len(keys)-1]), ": \t\r\n")
	}
	return fmt.Errorf("%s: %s", where, what)
}

// Line is the line of an offset, from 1.
func Line(text []byte, at int) int { return 1 + bytes.Count(text[:min(at, len(text))], []byte("\n")) }

// Offset is where a line's column stands, both from 1.
func Offset(text []byte, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		at += 1 + bytes.IndexByte(text[at:], '\n')
	}
	return min(at+column-1, len(text))
}

// tooDeep returns where values stand deeper in one another than maxDepth; -1 for nowhere. A reader that calls itself for each
// would take memory that no text of its length is worth.
func tooDeep(text []byte) int {
	depth := 0
	for at := 0; at < len(text); at++ {
		switch rest := text[at:]; {
		case rest[0] == '"':
			for at++; at < len(text) && text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
		case bytes.HasPrefix(rest, []byte("//")):
			at += skip(rest, "\n")
		case bytes.HasPrefix(rest, []byte("/*")):
			at += 1 + skip(rest[2:], "*/") + len("*/")
		case rest[0] == '{' || rest[0] == '[':
			if depth++; depth > maxDepth {
				return at
			}
		case rest[0] == '}' || rest[0] == ']':
			depth--
		}
	}
	return -1
}

// skip is how far an end is; all of the text where it isn't there.
func skip(text []byte, end string) int {
	if at := bytes.Index(text, []byte(end)); at >= 0 {
		return at
	}
	return len(text)
}
