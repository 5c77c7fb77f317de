package tools

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"unicode/utf16"
	"unicode/utf8"
)

// sampleBytes is how much of a file's head is judged, as of a command's output.
const sampleBytes = 8 << 10

// errNotRegular is a device, a FIFO or a socket: reading one may never end, or change something.
var errNotRegular = errors.New("not a regular file")

// openRegular opens a regular file and nothing else. It can't block on a FIFO that takes the file's place meanwhile.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, info, errNotRegular
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, info, err
	}
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		file.Close()
		return nil, info, err
	}
	return file, info, nil
}

// fileKind names what isn't a regular file.
func fileKind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}

// decoded is a file's text as UTF-8 without a byte-order mark.
type decoded struct {
	*bufio.Reader
	encoding string // what it was, where that wasn't plain UTF-8
	binary   string // what it is, where it isn't text; then nothing is to be read
}

// decode finds out from its head how a file is encoded. Its buffer bounds what is held of it.
func decode(r io.Reader) decoded {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(sampleBytes)
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		in.Discard(3)
		head, _ = in.Peek(sampleBytes)
		return decoded{Reader: in, encoding: "UTF-8 with a byte-order mark", binary: binaryKind(head)}
	case bytes.HasPrefix(head, []byte("\xff\xfe")) && !bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")):
		in.Discard(2)
		return decoded{Reader: bufio.NewReader(&wide{in: in, order: binary.LittleEndian}), encoding: "UTF-16, little endian"}
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		in.Discard(2)
		return decoded{Reader: bufio.NewReader(&wide{in: in, order: binary.BigEndian}), encoding: "UTF-16, big endian"}
	}
	return decoded{Reader: in, binary: binaryKind(head)}
}

// wide reads UTF-16 as UTF-8. Half a surrogate pair and an odd last byte become U+FFFD.
type wide struct {
	in    *bufio.Reader
	order binary.ByteOrder
}

// Read fills p with whole characters. It needs room for one of four bytes.
func (w *wide) Read(p []byte) (int, error) {
	n := 0
	for n+utf8.UTFMax <= len(p) {
		unit, err := w.in.Peek(2)
		if len(unit) == 0 {
			if n > 0 {
				return n, nil
			}
			return 0, err
		}
		r := rune(utf8.RuneError)
		if len(unit) == 2 {
			r = rune(w.order.Uint16(unit))
		}
		w.in.Discard(len(unit))
		// The second half is only taken where it is one: else it stands for itself.
		if utf16.IsSurrogate(r) {
			low, _ := w.in.Peek(2)
			if len(low) == 2 {
				r = utf16.DecodeRune(r, rune(w.order.Uint16(low)))
			} else {
				r = utf8.RuneError
			}
			if r != utf8.RuneError {
				w.in.Discard(2)
			}
		}
		n = len(utf8.AppendRune(p[:n], r))
	}
	return n, nil
}

// binaryKind says what a file is whose head isn't text, and "" where it is: text has no NUL, and at most a tenth of
// it is control characters and bytes that are no UTF-8.
func binaryKind(head []byte) string {
	if kind := signature(head); kind != "" {
		return kind
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return "binary"
	}
	odd := 0
	for rest := head; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			if utf8.FullRune(rest) { // else a character that the sample cuts
				odd++
			}
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' && r != 0x1b, r == 0x7f:
			odd++
		}
		rest = rest[size:]
	}
	if odd*10 > len(head) {
		return "binary"
	}
	return ""
}

// signature knows the commonest binary files by how they begin. An image's kind ends in "image".
func signature(head []byte) string {
	for _, known := range [...]struct{ start, kind string }{
		{"\x89PNG\r\n\x1a\n", "a PNG image"},
		{"\xff\xd8\xff", "a JPEG image"},
		{"GIF87a", "a GIF image"},
		{"GIF89a", "a GIF image"},
		{"\x7fELF", "an ELF binary"},
		{"\xcf\xfa\xed\xfe", "a Mach-O binary"},
		{"%PDF-", "a PDF document"},
		{"PK\x03\x04", "a zip archive"},
		{"\x1f\x8b", "gzip data"},
		{"\xfd7zXZ\x00", "xz data"},
		{"\x28\xb5\x2f\xfd", "zstd data"},
		{"BZh", "bzip2 data"},
		{"SQLite format 3\x00", "an SQLite database"},
		{"\x00asm", "a WebAssembly module"},
	} {
		if !bytes.HasPrefix(head, []byte(known.start)) {
			continue
		}
		// A text may well begin with "BZh" or "GIF87a": only what isn't text all through is taken for the rest.
		if known.start[0] < 'A' || known.start[0] > 'Z' || bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(head[:min(len(head), 64)]) {
			return known.kind
		}
	}
	if len(head) > 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP" {
		return "a WebP image"
	}
	return ""
}
