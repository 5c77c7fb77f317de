package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// maxSibling bounds how many names of a directory are compared with one that isn't there.
const maxSibling = 5000

// resolve makes a path that a model wrote absolute and clean: against the directory, or, after ~/, against HOME.
func resolve(m Machine, directory, path string) (string, error) {
	if strings.ContainsRune(path, 0) {
		return "", errors.New("a path can't hold a NUL character")
	}
	if name, err := strconv.Unquote(path); err == nil && strings.HasPrefix(path, `"`) { // as quoted shows it
		path = name
	}
	if path == "~" || strings.HasPrefix(path, "~/") {
		for _, pair := range m.Env {
			if home, ok := strings.CutPrefix(pair, "HOME="); ok && filepath.IsAbs(home) {
				return filepath.Join(home, path[1:]), nil
			}
		}
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	return filepath.Join(directory, path), nil
}

// shownPath is a path as a model is shown it and may give it back: relative to the directory where it lies within.
func shownPath(directory, path string) string {
	if relative, err := filepath.Rel(directory, path); err == nil && filepath.IsLocal(relative) {
		path = relative
	}
	return quoted(path)
}

// quoted returns a file's name as it is, or, where it holds what isn't printable UTF-8, as a quoted Go string: a name
// can't forge a line of a result or reach a terminal.
func quoted(name string) string {
	plain := utf8.ValidString(name) && strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	if plain && !strings.HasPrefix(name, `"`) {
		return name
	}
	return strconv.Quote(name)
}

// harmless makes the text of a file fit for a result: valid UTF-8 in which control characters, except the tab, and
// bytes that are none are shown as \x1b. It says whether anything had to be shown so.
func harmless(text []byte) (string, bool) {
	clean := utf8.Valid(text)
	for i := 0; clean && i < len(text); i++ {
		// 0xc2 begins U+0080 to U+009F, the other control characters.
		clean = (text[i] >= ' ' || text[i] == '\t') && text[i] != 0x7f && text[i] != 0xc2
	}
	if clean {
		return string(text), false
	}
	var b strings.Builder
	changed := false
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1, r < ' ' && r != '\t', r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, text[0])
			changed = true
		case r >= 0x80 && r < 0xa0:
			fmt.Fprintf(&b, `\u%04x`, r)
			changed = true
		default:
			b.Write(text[:size])
		}
		text = text[size:]
	}
	return b.String(), changed
}

// failed is a call that didn't do what it was asked, with what to try.
func failed(format string, args ...any) Result {
	return Result{Text: fmt.Sprintf(format, args...), Failed: true}
}

// unreachable says why a path can't be opened, and what to try.
func unreachable(directory, path string, err error) Result {
	name := shownPath(directory, path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return missing(directory, path)
	case errors.Is(err, fs.ErrPermission):
		return failed("%s can't be read: permission denied", name)
	case errors.Is(err, syscall.ELOOP):
		return failed("%s can't be read: its symbolic links lead in a circle", name)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return failed("the name is too long: %s", bounded(name, maxComplaint))
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // the name is said already, and quoted
	}
	return failed("%s can't be read: %v", name, err)
}

// missing names what is there instead: the deepest directory of the path that exists, and its nearest names.
func missing(directory, path string) Result {
	name := shownPath(directory, path)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return failed("%s is a symbolic link to something that doesn't exist", name)
	}
	// A wrong directory in the middle is the commoner mistake: the first name that isn't there is what to speak of.
	parent, wanted := filepath.Dir(path), filepath.Base(path)
	for {
		info, err := os.Stat(parent)
		if err == nil && !info.IsDir() {
			return failed("%s doesn't exist: %s is a file", name, shownPath(directory, parent))
		}
		if err == nil || parent == filepath.Dir(parent) {
			break
		}
		parent, wanted = filepath.Dir(parent), filepath.Base(parent)
	}
	var where string
	if parent != filepath.Dir(path) {
		where = fmt.Sprintf(": %s has no %s", shownPath(directory, parent), quoted(wanted))
	}
	var near []string
	for _, sibling := range nearest(parent, wanted) {
		near = append(near, shownPath(directory, filepath.Join(parent, sibling)))
	}
	if len(near) > 0 {
		return failed("%s doesn't exist%s; did you mean %s?", name, where, strings.Join(near, ", "))
	}
	return failed("%s doesn't exist%s; list_files shows what does", name, where)
}

// nearest returns up to three names in a directory that a writer of wanted may have meant, the likeliest first.
func nearest(directory, wanted string) []string {
	open, err := os.Open(directory)
	if err != nil {
		return nil
	}
	defer open.Close()
	names, _ := open.Readdirnames(maxSibling)
	slices.Sort(names)
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, name := range names {
		if d, ok := likeness(strings.ToLower(name), strings.ToLower(wanted)); ok {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var near []string
	for _, c := range found[:min(3, len(found))] {
		near = append(near, c.name)
	}
	return near
}

// likeness is the edit distance of two names, where it is small for their length. The same stem with another
// extension counts as near.
func likeness(a, b string) (int, bool) {
	if len(a) > 255 || len(b) > 255 {
		return 0, false
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	distance := row[len(b)]
	if distance <= max(1, len(b)/3) {
		return distance, true
	}
	stem := func(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
	return distance, stem(b) != "" && stem(a) == stem(b)
}
