package phrase

// The roles of a reply's text and of code. They stand on the terminal's own ground, each at 4.5:1 on the grounds that
// the palettes are reckoned against. They are numbered apart from the roles of the face, so that either can grow.
const (
	Heading    Role = iota + 100 // a title
	Link                         // what can be followed
	Code                         // code in a sentence, and code of no known language
	Keyword                      // the language's own words
	String                       // what stands in quotes
	Number                       // numbers and constants
	Comment                      // comments
	Named                        // functions, types, tags and keys
	Added                        // a line that a change adds
	Removed                      // a line that a change takes away
	lastOfCode = Removed
)

// ofCode says whether a role is one of these.
func (r Role) ofCode() bool { return r >= Heading && r <= lastOfCode }

// codeDark is a role's text on a dark ground.
func codeDark(r Role) RGB {
	switch r {
	case Heading:
		return RGB{0x8C, 0xC8, 0xF0}
	case Link:
		return RGB{0x7D, 0xB7, 0xFF}
	case Code:
		return RGB{0x9F, 0xD8, 0xCF}
	case Keyword:
		return RGB{0xC5, 0xA5, 0xF0}
	case String:
		return RGB{0xA5, 0xD6, 0xA0}
	case Number:
		return RGB{0xE6, 0xA9, 0xC9}
	case Comment:
		return RGB{0x94, 0xA0, 0x9A}
	case Named:
		return RGB{0x9C, 0xCA, 0xF0}
	case Added:
		return RGB{0x8F, 0xD6, 0x94}
	}
	return RGB{0xFF, 0x9C, 0x94} // Removed
}

// codeLight is a role's text on a light ground.
func codeLight(r Role) RGB {
	switch r {
	case Heading:
		return RGB{0x0F, 0x4C, 0x81}
	case Link:
		return RGB{0x0B, 0x5C, 0xAD}
	case Code:
		return RGB{0x0A, 0x5F, 0x5A}
	case Keyword:
		return RGB{0x6B, 0x2F, 0xA0}
	case String:
		return RGB{0x2A, 0x6B, 0x1F}
	case Number:
		return RGB{0x9A, 0x2A, 0x66}
	case Comment:
		return RGB{0x5C, 0x66, 0x5F}
	case Named:
		return RGB{0x13, 0x4E, 0x86}
	case Added:
		return RGB{0x1C, 0x6B, 0x2A}
	}
	return RGB{0xA3, 0x16, 0x21} // Removed
}

// codeSixteen is a role in the terminal's own colours. Yellow and blue are left out: each can't be read on one of the
// two kinds of ground in the common sets of colours.
func codeSixteen(r Role) string {
	switch r {
	case Heading:
		return "1"
	case Link:
		return "4"
	case Code, Number:
		return "36"
	case Keyword:
		return "35"
	case String, Added:
		return "32"
	case Comment:
		return "2"
	case Removed:
		return "31"
	}
	return "" // Named
}
