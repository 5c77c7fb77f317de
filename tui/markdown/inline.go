package markdown

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"wisp/protocol/phrase"
)

// inline reads what stands within a paragraph, a title or a cell. Goldmark does the reading: emphasis is the part of
// Markdown that nobody gets right twice.
type inline struct {
	o      Options
	parser parser.Parser
}

// newInline leaves out goldmark's block parsers, since the blocks are known when a text comes here, and its extension
// package, whose regular expressions cost 3 ms at every start.
func newInline(o Options) inline {
	parsers := append(parser.DefaultInlineParsers(),
		util.Prioritized(strikeParser{}, 500),
		util.Prioritized(bareURL{}, 999),
	)
	return inline{o: o, parser: parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1)),
		parser.WithInlineParsers(parsers...),
	)}
}

// spans reads a text. Line ends stay line ends: a model that ends a line means it, and a copied reply reads as it was
// sent.
func (in inline) spans(source string, base look) []span {
	if !strings.ContainsAny(source, "\\`*_~[]<&:\n") {
		return []span{{source, base}}
	}
	src := []byte(source)
	w := walk{in: in, src: src}
	for block := in.parser.Parse(text.NewReader(src)).FirstChild(); block != nil; block = block.NextSibling() {
		w.children(block, base)
	}
	return w.out
}

// walk makes spans of goldmark's tree.
type walk struct {
	in  inline
	src []byte
	out []span
}

func (w *walk) children(n ast.Node, l look) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c, l)
	}
}

func (w *walk) text(s string, l look) {
	if s = phrase.Inert(s); s != "" { // an entity can stand for a control character
		w.out = append(w.out, span{strings.ReplaceAll(s, "\n", " "), l})
	}
}

func (w *walk) node(n ast.Node, l look) {
	marked := w.in.o.Style.Depth == phrase.None // marks stay where nothing else would say the same
	switch n := n.(type) {
	case *ast.Text:
		w.text(unescape(string(n.Segment.Value(w.src))), l)
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.out = append(w.out, span{"\n", l})
		}
	case *ast.String:
		w.text(string(n.Value), l)
	case *ast.CodeSpan:
		w.code(n, l, marked)
	case *ast.Emphasis:
		if n.Level == 1 {
			l.italic = true
		} else {
			l.bold = true
		}
		w.children(n, l)
	case *strike:
		l.strike = true
		if marked {
			w.text("~~", l)
			defer w.text("~~", l)
		}
		w.children(n, l)
	case *ast.Link:
		w.link(n, unescape(string(n.Destination)), l, false)
	case *ast.Image:
		w.link(n, unescape(string(n.Destination)), l, true)
	case *ast.AutoLink:
		w.autoLink(n, l)
	case *ast.RawHTML:
		w.rawHTML(n, l)
	default:
		w.children(n, l)
	}
}

// plain is a node's text without its looks.
func (w *walk) plain(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch t := c.(type) {
		case *ast.Text:
			b.Write(t.Segment.Value(w.src))
		case *ast.AutoLink:
			b.Write(t.Label(w.src))
		default:
			b.WriteString(w.plain(c))
		}
	}
	return unescape(b.String())
}

func (w *walk) code(n ast.Node, l look, marked bool) {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(w.src))
		}
	}
	code := strings.ReplaceAll(b.String(), "\n", " ")
	l.exact = true
	if l.role != phrase.Link {
		l.role = phrase.Code
	}
	if marked {
		marks := "`"
		for strings.Contains(code, marks) {
			marks += "`"
		}
		if strings.HasPrefix(code, "`") || strings.HasSuffix(code, "`") {
			code = " " + code + " "
		}
		code = marks + code + marks
	}
	w.text(code, l)
}

// link shows a link's text, and its address where the text can't lead there or doesn't say it. An image's address is
// always shown: there is no other way to it.
func (w *walk) link(n ast.Node, address string, l look, image bool) {
	label := strings.TrimSpace(w.plain(n))
	link, ok := target(address)
	linked := l
	if ok && w.in.o.Links {
		linked.link = link
	}
	if ok {
		linked.role, linked.under = phrase.Link, true
	}
	if label == "" {
		w.text(address, linked)
		return
	}
	w.children(n, linked)
	if address == "" || same(label, address) || linked.link != "" && !image && !strings.Contains(label, "://") {
		return
	}
	w.text(" (", l)
	w.text(address, linked)
	w.text(")", l)
}

func (w *walk) autoLink(n *ast.AutoLink, l look) {
	address := string(n.URL(w.src))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	if link, ok := target(address); ok {
		l.role, l.under = phrase.Link, true
		if w.in.o.Links {
			l.link = link
		}
	}
	w.text(string(n.Label(w.src)), l)
}

// rawHTML is shown as it is written, but for <br>, which is how a cell of a table has two lines.
func (w *walk) rawHTML(n *ast.RawHTML, l look) {
	var b strings.Builder
	for i := range n.Segments.Len() {
		at := n.Segments.At(i)
		b.Write(at.Value(w.src))
	}
	tag := b.String()
	switch strings.ToLower(strings.ReplaceAll(tag, " ", "")) {
	case "<br>", "<br/>":
		w.out = append(w.out, span{"\n", l})
		return
	}
	w.text(tag, l)
}

// longestEntity bounds how far a & is looked after.
const longestEntity = 40

// unescape resolves backslashes and entities in one pass, so that an escaped & stays one.
func unescape(s string) string {
	if !strings.ContainsAny(s, "\\&") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case c == '&':
			end := strings.IndexByte(s[i:min(len(s), i+longestEntity)], ';')
			if end < 0 {
				b.WriteByte(c)
				continue
			}
			b.WriteString(html.UnescapeString(s[i : i+end+1]))
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
