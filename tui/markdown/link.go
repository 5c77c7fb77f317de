package markdown

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"wisp/protocol/phrase"
)

// longestLink is as much of an address as is given to a terminal.
const longestLink = 2048

// target makes an address safe to be written as a hyperlink, and says whether it may be one: it leads to the web, to a
// letter or to a file, and nothing in it was ever a control character.
func target(address string) (string, bool) {
	scheme, rest, ok := strings.Cut(address, ":")
	if !ok || rest == "" || len(address) > longestLink || phrase.Inert(address) != address {
		return "", false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto", "file":
	default:
		return "", false
	}
	var b strings.Builder
	for _, r := range address {
		switch {
		case r <= ' ', r == 0x7f, r >= 0x2400 && r <= 0x2421, r == 0xfffd: // blank, or made harmless before
			return "", false
		case r < 0x7f && !strings.ContainsRune("\"<>\\^`{|}", r):
			b.WriteRune(r)
		default:
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
	}
	return b.String(), true
}

// same says whether a text says where its link leads.
func same(label, address string) bool {
	bare := func(s string) string {
		for _, scheme := range []string{"mailto:", "https://", "http://"} {
			s = strings.TrimPrefix(s, scheme)
		}
		return strings.TrimSuffix(s, "/")
	}
	return bare(label) == bare(address)
}

// bareURL finds addresses that stand in a text without marks.
type bareURL struct{}

// Trigger returns what an address can stand after; a space stands for a line's start too.
func (bareURL) Trigger() []byte { return []byte{' ', '(', '"', '\'', ':'} }

// Parse takes an address, and what stands before it as text.
func (bareURL) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if pc.IsInLinkLabel() {
		return nil
	}
	line, segment := block.PeekLine()
	before := 0
	if strings.IndexByte(" (\"':", line[0]) >= 0 {
		before = 1
	}
	if len(line) == before || line[before]|0x20 != 'h' { // most of what comes here
		return nil
	}
	n := addressLength(string(line[before:min(len(line), before+longestLink)]))
	if n == 0 {
		return nil
	}
	if before > 0 {
		ast.MergeOrAppendTextSegment(parent, segment.WithStop(segment.Start+before))
	}
	block.Advance(before + n)
	start := segment.Start + before
	return ast.NewAutoLink(ast.AutoLinkURL, ast.NewTextSegment(text.NewSegment(start, start+n)))
}

// addressLength is how much of a text is a web address: none of the marks that end a sentence, and a closing bracket
// only where it was opened.
func addressLength(s string) int {
	host := ""
	for _, scheme := range []string{"http://", "https://"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			host = s[len(scheme):]
		}
	}
	if host == "" {
		return 0
	}
	end := strings.IndexFunc(s, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("<>\"`|\\", r) || r >= 0x2400 && r <= 0x2421 || r == 0xfffd ||
			r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef // the marks of Chinese and Japanese
	})
	if end < 0 {
		end = len(s)
	}
	for end > 0 {
		last := s[end-1]
		closes := last == ')' && strings.Count(s[:end], ")") > strings.Count(s[:end], "(") ||
			last == ']' && strings.Count(s[:end], "]") > strings.Count(s[:end], "[")
		if !closes && strings.IndexByte("?!.,:;*_~'", last) < 0 {
			break
		}
		end--
	}
	if end <= len(s)-len(host) {
		return 0
	}
	return end
}

// strike is a text that is struck out.
type strike struct{ ast.BaseInline }

// Kind is the node's kind; goldmark wants one of every node.
func (*strike) Kind() ast.NodeKind { return ast.KindEmphasis }

// Dump is for goldmark's debugging.
func (s *strike) Dump(source []byte, level int) { ast.DumpHelper(s, source, level, nil, nil) }

// strikeParser reads ~~struck~~ and ~struck~.
type strikeParser struct{}

// Trigger returns the mark.
func (strikeParser) Trigger() []byte { return []byte{'~'} }

// Parse notes a mark that may open or close; goldmark pairs them.
func (p strikeParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	node := parser.ScanDelimiter(line, before, 1, p)
	if node == nil || node.OriginalLength > 2 || before == '~' {
		return nil
	}
	node.Segment = segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	pc.PushDelimiter(node)
	return node
}

// IsDelimiter says whether a byte is the mark.
func (strikeParser) IsDelimiter(b byte) bool { return b == '~' }

// CanOpenCloser says whether two marks are a pair.
func (strikeParser) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch makes the node of a pair.
func (strikeParser) OnMatch(int) ast.Node { return &strike{} }
