package change

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

const (
	// mostSearched bounds the file in which something like a text is looked for, in bytes, and mostLines the text.
	mostSearched = 8 << 20
	mostLines    = 400
	// telling is how long a text is that tells a place, in bytes.
	telling = 8
	// mostSame is how many equal lines of a text are looked for, which bounds the work.
	mostSame = 8
	// quotedLine bounds what is said of a line, in bytes.
	quotedLine = 120
)

// near says what of a text is like what was looked for, and how it differs; "" where nothing is.
func near(text, old, now string) string {
	switch {
	case strings.TrimSpace(old) == "":
		return ": it is nothing but blanks"
	case len(text) > mostSearched:
		return ": read the place again, and give it as it is"
	}
	for _, try := range slips() {
		if other := try.mend(old); other != old && strings.Contains(text, other) {
			return fmt.Sprintf(", but is at line %d %s", lineOf(text, strings.Index(text, other)), try.how)
		}
	}
	file, wanted := strings.Split(text, "\n"), strings.Split(strings.Trim(old, "\n"), "\n")
	if len(wanted) <= mostLines {
		if at := window(file, wanted, loose); at >= 0 {
			return fmt.Sprintf(", but for blanks: %s", difference(file, wanted, at))
		}
		if at := window(file, wanted, folded); at >= 0 {
			return fmt.Sprintf(", but for capitals or quotes: %s", difference(file, wanted, at))
		}
		if at := likest(file, wanted); at >= 0 {
			return fmt.Sprintf(". The nearest is at line %d: %s", at+1, difference(file, wanted, at))
		}
	}
	if len(now) >= telling && strings.Contains(text, now) {
		return fmt.Sprintf(", and newText is, at line %d: the change seems to be made already", lineOf(text, strings.Index(text, now)))
	}
	return ": read the file again, and give the text as it is there"
}

// slip is a way in which models get a text wrong that can be told.
type slip struct {
	how  string
	mend func(string) string
}

func slips() []slip {
	return []slip{
		{"without the line numbers that read_file adds", func(s string) string {
			return regexp.MustCompile(`(?m)^ *\d+\t`).ReplaceAllString(s, "")
		}},
		{`with real line ends and tabs in place of \n and \t`, func(s string) string {
			return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(s)
		}},
		{`with \n and \t written out, where oldText has line ends and tabs`, func(s string) string {
			return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(s)
		}},
		{"without the empty lines around it", func(s string) string { return strings.Trim(s, "\n") }},
		{"without the blanks around it", strings.TrimSpace},
		{"with < > & in place of &lt; &gt; &amp;", func(s string) string {
			return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(s)
		}},
	}
}

// loose is a line without what is hard to see: blanks of any kind.
func loose(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' {
			return -1
		}
		return r
	}, line)
}

// folded is a loose line without the difference between capitals and small letters, or between kinds of quotes and dashes.
func folded(line string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u2018', '\u2019', '\u201c', '\u201d', '"', '`':
			return '\''
		case '\u2013', '\u2014', '\u2212', '\u2010', '\u2011':
			return '-'
		}
		return unicode.ToLower(r)
	}, loose(line))
}

// window returns the first place where all the lines that are wanted stand one below the other, as far as like tells them
// apart; -1 where they don't.
func window(file, wanted []string, like func(string) string) int {
	keys := make([]string, len(wanted))
	for i, line := range wanted {
		keys[i] = like(line)
	}
	have := make([]string, len(file))
	for i, line := range file {
		have[i] = like(line)
	}
	for at := 0; at+len(keys) <= len(have); at++ {
		same := 0
		for same < len(keys) && have[at+same] == keys[same] {
			same++
		}
		if same == len(keys) {
			return at
		}
	}
	return -1
}

// likest returns the place where most of the lines that are wanted stand, at least half of them; where one line is wanted, the
// one that has most of it; -1 where nothing is near.
func likest(file, wanted []string) int {
	if len(wanted) == 1 {
		return likestLine(file, wanted[0])
	}
	where := map[string][]int{} // in the text that is wanted, by line
	for i, line := range wanted {
		if key := loose(line); len(key) > 2 && len(where[key]) < mostSame { // a bracket alone is everywhere
			where[key] = append(where[key], i)
		}
	}
	score := map[int]int{} // by where the text would begin
	best, most := -1, 0
	for i, line := range file {
		for _, j := range where[loose(line)] {
			if at := i - j; at >= 0 {
				if score[at]++; score[at] > most {
					best, most = at, score[at]
				}
			}
		}
	}
	all := 0
	for _, at := range where {
		all += len(at)
	}
	if all == 0 || 2*most < all {
		return -1
	}
	return best
}

// likestLine goes by what two lines have in common at their beginning and their end.
func likestLine(file []string, wanted string) int {
	key := folded(wanted)
	best, most := -1, len(key)*6/10
	for i, line := range file {
		have := folded(line)
		if strings.Contains(have, key) {
			return i
		}
		head := 0
		for head < min(len(key), len(have)) && key[head] == have[head] {
			head++
		}
		tail := 0
		for tail < min(len(key), len(have))-head && key[len(key)-1-tail] == have[len(have)-1-tail] {
			tail++
		}
		if head+tail > most {
			best, most = i, head+tail
		}
	}
	return best
}

// difference says where lines from a place on first differ from those that are wanted.
func difference(file, wanted []string, at int) string {
	for i, line := range wanted {
		switch {
		case at+i >= len(file):
			return fmt.Sprintf("the file ends after line %d, and oldText goes on with %s", len(file), quote(line))
		case file[at+i] != line:
			return fmt.Sprintf("line %d is %s, and oldText has %s", at+i+1, quote(file[at+i]), quote(line))
		}
	}
	return fmt.Sprintf("from line %d on the lines are the same, but not the line ends around them", at+1)
}

// quote shows a line so that its blanks can be told apart.
func quote(line string) string {
	if len(line) > quotedLine {
		line = strings.ToValidUTF8(line[:quotedLine], "") + "…"
	}
	return strconv.Quote(line)
}

func lineOf(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }
