// Package secret masks secrets in text: the values of environment variables that look like such ([New]), in the forms in
// which they are printed, and what has the shape of a well-known token (rules.txt). `[secret:NAME]` stands in place of
// each, NAME being the variable's, or the rule's.
//
// A text is masked at once ([Mask.Text], [Mask.JSON]) or as it comes ([Mask.Stream], [Mask.Reader]): wherever it is cut,
// the result is the same. What was masked is not masked again, and a line stays a line. The cost grows with the text
// alone. A stream holds back what may be the beginning of a secret, to the end of its line, and at most 8 KiB of it.
//
// A Mask may be used from any goroutine. Making one costs nothing: the table is built when it is first used, and a rule
// is compiled when its keyword is first seen.
//
// What the package doesn't do: it reads no environment and no file, and it is no wall. A program that encodes what it
// prints in a way that isn't in [forms] is not seen through, nor is a key's line that comes without the line that begins
// it. A value of an ordinary word, a path, a number or fewer than 8 characters is masked as NAME=value alone, or not at
// all, because to mask it wherever it stands would change what is harmless. Specified in guard.md, "Secrets".
package secret

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
)

// Mask knows what is to be masked.
type Mask struct {
	mu     sync.Mutex
	values []value
	env    []string    // not read into values yet; nil once it is
	keys   []string    // of it, what is secret whatever it is called
	hidden [][2]string // names and values that aren't among values yet
	tables [3]*table   // what each pass looks for; nil where it isn't made yet
	filter *filter     // of all of them

	shapes, places []*rule
}

// New returns a Mask for an environment, whose entries are NAME=value. The variables named in keys are secrets whatever
// they are called.
func New(env []string, keys ...string) *Mask { return &Mask{env: env, keys: keys} }

// Learn adds an environment: what looks like a secret in it is masked from now on, in what is begun from now on.
func (m *Mask) Learn(env []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.read()
	m.add(secretsOf(env, nil)...)
}

// Hide adds one value, to be shown as name: one that comes from elsewhere than an environment.
func (m *Mask) Hide(name, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hidden = append(m.hidden, [2]string{name, text})
}

// Variable says whether a name is that of a variable whose value is masked.
func (m *Mask) Variable(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.read()
	for _, v := range m.values {
		if markName(v.name) == name {
			return true
		}
	}
	return false
}

// Text returns a text with its secrets masked.
func (m *Mask) Text(text string) string {
	if len(text) < shortest {
		return text
	}
	s := m.Stream()
	if !s.meets(text) { // most texts hold nothing that even may be one
		return text
	}
	masked := make([]byte, 0, len(text)+len(text)/16)
	var part []byte
	for rest := text; len(rest) > 0; rest = rest[len(part):] {
		part = append(part[:0], rest[:min(len(rest), readBytes)]...)
		masked = s.Append(masked, part)
	}
	return string(s.Close(masked))
}

// JSON returns JSON with the secrets in its strings masked, and JSON it stays. What is no JSON is masked as text.
func (m *Mask) JSON(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) {
		return json.RawMessage(m.Text(string(raw)))
	}
	var out []byte
	rest := []byte(raw)
	for len(rest) > 0 {
		from, to := jsonString(rest)
		out = append(out, rest[:from]...)
		out = append(out, m.quoted(rest[from:to])...)
		rest = rest[to:]
	}
	// A secret may be one by the name of its key, which stands in another string.
	if whole := json.RawMessage(m.Text(string(out))); json.Valid(whole) {
		return whole
	}
	return out
}

// quoted masks one string of JSON with its quotes.
func (m *Mask) quoted(literal []byte) []byte {
	var text string
	if len(literal) == 0 || json.Unmarshal(literal, &text) != nil {
		return literal
	}
	masked := m.Text(text)
	if masked == text {
		return literal
	}
	quoted, err := json.Marshal(masked)
	if err != nil {
		return literal
	}
	return quoted
}

// jsonString is where the first string of valid JSON stands, its quotes included; both are the text's length where there is none.
func jsonString(text []byte) (from, to int) {
	for from < len(text) && text[from] != '"' {
		from++
	}
	for to = from + 1; to < len(text); to++ {
		switch text[to] {
		case '\\':
			to++
		case '"':
			return from, to + 1
		}
	}
	return len(text), len(text)
}

// Stream masks one text as it comes. One goroutine may use it at a time.
//
// It goes over the text three times: for values, so that a rule never takes a part of one; for shapes; and for places, which see
// the masks of the others and leave them. A pass without words is left out.
type Stream struct {
	filter  *filter
	passes  []pass
	between [2][]byte // what a pass made, reused
}

// Stream returns what masks one text.
func (m *Mask) Stream() *Stream {
	f := m.ready()
	s := &Stream{filter: f, passes: make([]pass, len(f.tables))}
	for i, t := range f.tables {
		s.passes[i].table = t
	}
	return s
}

// Append appends to dst what of the text is decided with p, and returns it.
func (s *Stream) Append(dst, p []byte) []byte {
	n := closely
	for len(p) > 0 {
		if s.quiet() {
			n = closely
			plain := s.filter.first(p)
			for i := range s.passes {
				s.passes[i].through(p[:plain])
			}
			dst, p = append(dst, p[:plain]...), p[plain:]
		}
		part := p[:min(len(p), n)]
		dst, p = s.run(dst, part, false), p[len(part):]
		n *= 2 // what waits is looked at again with each piece
	}
	return dst
}

// closely is how much is looked at by every pass from where a word begins.
const closely = 128

// Close appends the rest to dst. Nothing may be appended after it.
func (s *Stream) Close(dst []byte) []byte { return s.run(dst, nil, true) }

// quiet says that no pass waits for what comes.
func (s *Stream) quiet() bool {
	for i := range s.passes {
		if !s.passes[i].quiet() {
			return false
		}
	}
	return true
}

func (s *Stream) run(dst, p []byte, last bool) []byte {
	newest := len(s.passes) - 1
	for i := range newest {
		s.between[i] = s.passes[i].run(s.between[i][:0], p, last)
		p = s.between[i]
	}
	return s.passes[newest].run(dst, p, last)
}

// meets says whether any word of any pass stands in a text.
func (s *Stream) meets(text string) bool {
	var part []byte
	for from := 0; from < len(text); from += readBytes - longestWord {
		part = append(part[:0], text[from:min(len(text), from+readBytes)]...)
		if s.filter.first(part)+shortest <= len(part) {
			return true
		}
	}
	return false
}

// Reader returns what reads r masked.
func (m *Mask) Reader(r io.Reader) io.Reader { return &reader{in: r, stream: m.Stream()} }

type reader struct {
	in     io.Reader
	stream *Stream
	raw    []byte
	masked []byte // not read yet
	buffer []byte // what masked is in
	err    error
}

// readBytes is what is read at once.
const readBytes = 32 << 10

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.raw == nil {
		r.raw = make([]byte, readBytes)
	}
	for len(r.masked) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		n, err := r.in.Read(r.raw)
		r.buffer = r.stream.Append(r.buffer[:0], r.raw[:n])
		if err != nil {
			r.err = err
			r.buffer = r.stream.Close(r.buffer)
		}
		r.masked = r.buffer
	}
	n := copy(p, r.masked)
	r.masked = r.masked[n:]
	return n, nil
}

// read takes in what New and Hide were given. The lock is held.
func (m *Mask) read() {
	if m.env != nil {
		m.add(secretsOf(m.env, m.keys)...)
		m.env = nil
	}
	for _, h := range m.hidden {
		m.add(hidden(h[0], h[1])...)
	}
	m.hidden = nil
}

// add adds values; of two that are the same the first stays. The lock is held.
func (m *Mask) add(all ...value) {
	known := map[string]bool{}
	for _, v := range m.values {
		known[v.text] = true
	}
	for _, v := range all {
		if !known[v.text] && len(m.values) < maxValues && !strings.Contains(v.text, markStart) {
			known[v.text] = true
			m.values = append(m.values, v)
			m.tables[0] = nil
		}
	}
}

// ready makes what isn't made, and returns the filter with its tables.
func (m *Mask) ready() *filter {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.read()
	if m.tables[0] == nil {
		if m.shapes == nil {
			m.shapes, m.places = readRules(ruleText)
		}
		names := map[string]bool{} // a new one, since those who have the old tables read the old one
		for _, r := range slices.Concat(m.shapes, m.places) {
			names[r.name] = true
		}
		for _, v := range m.values {
			names[markName(v.name)] = true
		}
		m.tables = [3]*table{valueTable(m.values, names), ruleTable(m.shapes, names), ruleTable(m.places, names)}
		m.filter = newFilter(m.tables[:]...)
	}
	return m.filter
}
