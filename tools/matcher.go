package tools

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// searchBuffer is what a worker holds of a file, in bytes. A line that is longer is searched in pieces of it, so that
// a match over the end of one is missed: no file makes a search large.
const searchBuffer = 1 << 20

// maxPattern bounds a regular expression in bytes.
const maxPattern = 4096

// Bounds of a line as it is shown, in characters, and of what is shown of it before the match.
const (
	maxMatchLine = 300
	matchBefore  = 100
)

// matcher finds the lines that match. It is made once a search and shared by its workers.
type matcher struct {
	expression *regexp.Regexp // held against one line at a time: over more it is slower, and `$` and \z mean other things
	literal    []byte         // every match holds it: lines without it are passed by, many at once; may be empty
}

func newMatcher(pattern string, ignoreCase bool) (*matcher, error) {
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	// Parsed first without anything before it, so that an error shows what the model wrote.
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, badPattern(err)
	}
	m := &matcher{}
	if ignoreCase {
		pattern = "(?i)" + pattern
	} else {
		m.literal = []byte(certain(tree.Simplify()))
	}
	if m.expression, err = regexp.Compile(pattern); err != nil {
		return nil, badPattern(err)
	}
	return m, nil
}

// certain returns the longest text that every match of an expression holds, as far as that is plain from its form.
func certain(tree *syntax.Regexp) string {
	switch tree.Op {
	case syntax.OpLiteral:
		// A byte that is no UTF-8 matches U+FFFD too.
		if text := string(tree.Rune); tree.Flags&syntax.FoldCase == 0 && !strings.ContainsRune(text, utf8.RuneError) {
			return text
		}
	case syntax.OpCapture, syntax.OpPlus: // at least once, as it stands
		return certain(tree.Sub[0])
	case syntax.OpConcat:
		longest := ""
		for _, part := range tree.Sub {
			if text := certain(part); len(text) > len(longest) {
				longest = text
			}
		}
		return longest
	}
	return ""
}

// badPattern says what RE2 has against a pattern, and what it has instead.
func badPattern(err error) error {
	hint := `to find ( ) [ ] { } . * + ? | \ as they are, put a backslash before each`
	if strings.Contains(err.Error(), "(?") || strings.Contains(err.Error(), "escape") {
		hint = `RE2 has no lookaround and no backreferences`
	}
	return fmt.Errorf("the pattern is no regular expression: %s (%s)",
		bounded(strings.TrimPrefix(err.Error(), "error parsing regexp: "), maxComplaint), hint)
}

// hit is told a matching line: its number, its text, good until it returns, and where in it the match begins.
type hit func(number int64, line []byte, at int)

// file gives each matching line of a text file to found. It says whether the file was text, to be searched at all.
func (m *matcher) file(ctx context.Context, path string, buffer []byte, found hit) (bool, error) {
	file, _, err := openRegular(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	defer context.AfterFunc(ctx, func() { file.Close() })()
	text := decode(file)
	if text.binary != "" {
		return false, nil
	}
	line := int64(1)
	held := 0 // bytes of the buffer that are in use: the beginning of a line that the last read cut
	for {
		if ctx.Err() != nil {
			return true, context.Cause(ctx)
		}
		n, err := io.ReadFull(text, buffer[held:])
		held += n
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return true, err
		}
		ended := err != nil
		end := held
		if !ended {
			if last := bytes.LastIndexByte(buffer[:held], '\n'); last >= 0 {
				end = last + 1
			}
		}
		m.lines(ctx, buffer[:end], line, found)
		if ended {
			return true, nil
		}
		line += int64(bytes.Count(buffer[:end], []byte("\n")))
		held = copy(buffer, buffer[end:held])
	}
}

// lines searches whole lines, the first of which has this number.
func (m *matcher) lines(ctx context.Context, text []byte, number int64, found hit) {
	for len(text) > 0 && ctx.Err() == nil {
		at := bytes.Index(text, m.literal) // 0 where there is none: then each line is looked at
		if at < 0 {
			return
		}
		start := bytes.LastIndexByte(text[:at], '\n') + 1
		number += int64(bytes.Count(text[:start], []byte("\n")))
		end := bytes.IndexByte(text[start:], '\n')
		if end < 0 {
			end = len(text) - start
		}
		line := bytes.TrimSuffix(text[start:start+end], []byte("\r"))
		if where := m.expression.FindIndex(line); where != nil {
			found(number, line, where[0])
		}
		if start+end == len(text) {
			return
		}
		text = text[start+end+1:]
		number++
	}
}

// shownLine is a matching line as it is shown: the part round the match where it is long.
func shownLine(line []byte, at int) string {
	before, after := "", ""
	if start := at - 4*matchBefore; start > 0 && len(line) > maxMatchLine {
		for start < at && !utf8.RuneStart(line[start]) {
			start++
		}
		if excess := runes(line[start:at]) - matchBefore; excess > 0 {
			start += prefixRunes(line[start:], excess)
		}
		line, before = line[start:], "…"
	}
	if kept := prefixRunes(line, maxMatchLine); kept < len(line) {
		after = fmt.Sprintf("… (%d more characters)", runes(line[kept:]))
		line = line[:kept]
	}
	text, _ := harmless(line)
	return before + text + after
}
