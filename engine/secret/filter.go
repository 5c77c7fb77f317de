package secret

import "encoding/binary"

// filter tells, of all tables at once, where the first word of a text begins: what is before it goes through every pass as it is,
// for a pass changes nothing before the first of its words, and what another writes there begins no word ([secret: is in no keyword).
type filter struct {
	may    [1 << filterBits / 64]uint64 // a bit by hash of three bytes, upper and lower case apart: some word begins so
	tables []*table
}

// filterBits makes the filter 8 KiB, so that it stays in the cache, with room for some hundred times the words there are.
const filterBits = 16

func newFilter(tables ...*table) *filter {
	f := &filter{}
	for _, t := range tables {
		if t.empty() {
			continue
		}
		f.tables = append(f.tables, t)
		for _, w := range t.words {
			for _, a := range w.cases(w.text[0]) {
				for _, b := range w.cases(w.text[1]) {
					for _, c := range w.cases(w.text[2]) {
						h := place(uint32(a) | uint32(b)<<8 | uint32(c)<<16)
						f.may[h/64] |= 1 << (h % 64)
					}
				}
			}
		}
	}
	return f
}

// place is the hash of the lower three bytes.
func place(gram uint32) uint32 { return gram << 8 * hashFactor >> (32 - filterBits) }

// first returns where the first word begins, or what may be one and is cut off; where there is none, the place from which the
// text is too short to tell.
func (f *filter) first(text []byte) int {
	i := f.next(text, 0)
	for ; i+shortest <= len(text); i = f.next(text, i+1) {
		for _, t := range f.tables {
			if t.has(text[i:]) {
				return i
			}
		}
	}
	return i
}

// next returns the first place from i on where a word may begin: six are looked at in one step. The last two of a text always may.
func (f *filter) next(text []byte, i int) int {
	for ; i+8 <= len(text); i += 6 {
		w := binary.LittleEndian.Uint64(text[i:])
		if (f.bit(uint32(w))|f.bit(uint32(w>>8))|f.bit(uint32(w>>16))|f.bit(uint32(w>>24))|f.bit(uint32(w>>32))|f.bit(uint32(w>>40)))&1 != 0 {
			break
		}
	}
	for ; i+shortest <= len(text); i++ {
		if f.bit(uint32(text[i])|uint32(text[i+1])<<8|uint32(text[i+2])<<16)&1 != 0 {
			return i
		}
	}
	return i
}

// bit is the lowest bit of what it returns.
func (f *filter) bit(gram uint32) uint64 { h := place(gram); return f.may[h/64] >> (h % 64) }
