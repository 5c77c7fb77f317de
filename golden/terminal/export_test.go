package terminal

// Encode is what a key is sent as by an old terminal or one whose kitty keyboard is on.
func Encode(name string, kitty bool) (string, bool) {
	if kitty {
		return encode(name, 1, false)
	}
	return encode(name, 0, false)
}

// WholeBytes is for tests.
func WholeBytes(raw []byte) int { return wholeBytes(raw) }
