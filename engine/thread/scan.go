package thread

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// kindWithin is how far into a line an entry's kind stands: behind three numbers at most.
const kindWithin = 160

// Scan gives the entries of these kinds one after the other, oldest first, until each returns false. It holds one of them at a
// time, takes no lock, and passes over damaged lines: what it is for, a search, finds what can be read.
func Scan(home, id string, kinds []Kind, each func(Entry) bool) error {
	id, err := parseID(id)
	if err != nil {
		return err
	}
	file, err := openFile(home, id, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	var marks [][]byte
	for _, k := range kinds {
		marks = append(marks, []byte(`"kind":"`+string(k)+`"`))
	}
	in := lines{in: bufio.NewReaderSize(file, 256<<10)}
	for number := 1; ; number++ {
		l, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("thread %s: %w", id, describe(file, err))
		}
		if number == 1 {
			var header Header
			if json.Unmarshal(l.text, &header) == nil && newer(header) != nil {
				return fmt.Errorf("thread %s: %w", id, describe(file, newer(header)))
			}
		}
		if l.long || !marked(l.text, marks) {
			continue
		}
		var e Entry
		if json.Unmarshal(l.text, &e) != nil || e.Number < 1 || len(kinds) > 0 && !slices.Contains(kinds, e.Kind) {
			continue
		}
		if !each(e) {
			return nil
		}
	}
}

// marked says whether a line's beginning has one of the marks: the others needn't be decoded.
func marked(line []byte, marks [][]byte) bool {
	start := line[:min(len(line), kindWithin)]
	for _, m := range marks {
		if bytes.Contains(start, m) {
			return true
		}
	}
	return len(marks) == 0
}
