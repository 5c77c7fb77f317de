package secret

import (
	"bytes"
)

// privateKey is the name of what a private key's lines are masked as. Its rule finds the line that begins one.
const privateKey = "PRIVATE_KEY"

// maxKeyLines is how many lines a key may have: an RSA key of 16384 bits has 200.
const maxKeyLines = 1000

// keyBody is the test of a rule that finds how a key's first line begins, where the line before it isn't shown.
const keyBody = "key"

// leastRun is how long a run of base64 is that is a part of a key wherever it stands in a line, as after a line's number.
const leastRun = 32

// numberDigits is how many digits a line's number has at most. A run of more is a part of the key, or as long as a mask.
const numberDigits = 9

// keyLine masks the next line of a private key, or what there is up to maxHeld bytes of one. It returns how much it took,
// which is nothing where the line is none of a key, and wait where the line isn't whole yet.
//
// The lines stay lines, so that what follows a key has the number that it has in the file.
func (p *pass) keyLine(dst *[]byte, text []byte, last bool) (n int, wait bool) {
	line := text[:min(len(text), maxHeld)]
	end := bytes.IndexByte(line, '\n')
	switch {
	case end >= 0:
		line = line[:end+1]
	case len(line) < maxHeld && !last:
		return 0, true
	}
	p.inKey--
	if at := bytes.Index(line, []byte("-----BEGIN")); at >= 0 { // another one, which its rule looks at
		line = line[:at]
	}
	if at := bytes.Index(line, []byte("-----END")); at >= 0 {
		p.inKey = 0
		line = line[:at]
	} else if len(line) == 0 || !p.key.holds(line) {
		p.inKey = 0
		return 0, false
	}
	if len(line) > 0 {
		*dst = p.key.mask(*dst, line, p.table.marked(line, 0, len(line)))
		p.given = edge{0, 0, (*dst)[len(*dst)-1]}
	}
	return len(line), false
}

// keyLines is what is known of a private key's lines as they go by: all but the last are as long as the first.
type keyLines struct {
	begun bool // the line at hand begins as keys do
	width int  // of a line; 0 before the first, -1 where the first is masked already
	sum   int  // of all lines so far
}

// holds says whether a line may be one of a private key: base64, a header, a blank one, or one that holds a mask.
func (k *keyLines) holds(line []byte) bool {
	bare := bareKey(line)
	for _, header := range [...]string{"Proc-Type: ", "DEK-Info: ", "Version: ", "Comment: ", "Charset: ", "Hash: "} {
		if bytes.HasPrefix(bare, []byte(header)) {
			return true
		}
	}
	found := len(bare) == 0 || k.begun
	if bytes.Contains(bare, []byte(markStart)) {
		found = true
		if k.width == 0 {
			k.width = -1
		}
	}
	runs(line, func(from, to int) { found = found || k.run(line[from:to], len(bare)) })
	return found
}

// bareKey is a line of a key without what may stand around it in a program, a list or an answer to a mail, and without the
// file's name and the line's number before it.
func bareKey(line []byte) []byte {
	const around = " \t\r\n\\|>\"'`,;*#+-"
	bare := bytes.Trim(line, around)
	for i := 0; i < len(bare); i++ {
		from := i
		for i < len(bare) && isDigit(bare[i]) {
			i++
		}
		numbered := i > from && i <= from+numberDigits && (from == 0 || bytes.IndexByte([]byte(":-"), bare[from-1]) >= 0)
		switch {
		case numbered && i == len(bare):
			return nil
		case numbered && bytes.IndexByte([]byte(":- \t"), bare[i]) >= 0:
			return bytes.Trim(bare[i+1:], around)
		}
	}
	return bare
}

// mask masks the runs of base64 in a line of a key. Where a part of it is masked already, no other is the whole of it.
func (k *keyLines) mask(dst, line []byte, marked bool) []byte {
	bare, out, whole := len(bareKey(line)), 0, 0
	if marked {
		bare = len(line) + 1
	}
	runs(line, func(from, to int) {
		if k.begun || k.run(line[from:to], bare) {
			dst = append(dst, line[out:from]...)
			dst = appendMark(dst, privateKey)
			out, k.begun = to, false
			if to-from >= bare {
				whole = to - from
			}
		}
	})
	k.begun = false
	if k.sum += whole; k.width == 0 {
		k.width = whole
	}
	return append(dst, line[out:]...)
}

// run says whether a run of base64 is a part of a key: it is long, and no path or name; or it is the whole of its line, and as
// long as the lines before it, or as the last one may be.
func (k *keyLines) run(run []byte, bare int) bool {
	var upper, lower, inner, other bool
	for i, c := range run {
		switch {
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z':
			upper, inner = true, inner || i > 0
		case c != '/':
			other = true
		}
	}
	if len(run) >= bare && len(run) >= 4 {
		mixed := other || lower && inner
		switch {
		case (len(run)%4 == 0 || bare%4 == 0) && other, k.width > 0 && len(run) == k.width:
			return true
		case k.width > 0 && len(run) < k.width && (k.sum+len(run))%4 == 0 && mixed:
			return true
		case k.width == 0 && mixed && (len(run) >= 16 || len(run) >= 8 && len(run)%4 == 0):
			return true
		}
	}
	return len(run) >= leastRun && upper && lower && other
}

// runs calls do with each run of base64 in a line, the line ends that are written as \n and \r among it. A mask is none.
func runs(line []byte, do func(from, to int)) {
	for i := 0; i < len(line); {
		switch n := mark(line[i:]); {
		case n > 0:
			i += n
		case lineEnd(line[i:]):
			i += 2
		case !isBase64(line[i]):
			i++
		default:
			from := i
			for i < len(line) && (isBase64(line[i]) || lineEnd(line[i:]) && i+2 < len(line) && isBase64(line[i+2])) {
				if line[i] == '\\' {
					i++
				}
				i++
			}
			do(from, i)
		}
	}
}

// lineEnd says whether a text begins with \n or \r, as JSON writes a line's end.
func lineEnd(text []byte) bool {
	return len(text) > 1 && text[0] == '\\' && (text[1] == 'n' || text[1] == 'r')
}

func isBase64(c byte) bool { return isLetter(c) || isDigit(c) || c == '+' || c == '/' || c == '=' }
