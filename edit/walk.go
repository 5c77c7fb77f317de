package edit

// walk is a walk through the history. What was being typed, and each entry that was changed on the way, is put aside
// whole and comes back, until the text is taken.
type walk struct {
	on   bool
	at   int          // the entry that is shown
	kept map[int]Text // by entry; the draft's number is that of the entry it would be
}

// Up moves to the line above, in lines of at most so many cells, and from the first to the entry before in the history. An
// entry that came from there and hasn't been changed is left by one key, however many lines it has.
func (e *Editor) Up(columns int) {
	if e.recalled() || !e.Vertical(-1, columns) {
		e.step(-1)
	}
}

// Down is the way back.
func (e *Editor) Down(columns int) {
	if e.recalled() || !e.Vertical(1, columns) {
		e.step(1)
	}
}

// recalled says whether the text is an entry as it came from the history.
func (e *Editor) recalled() bool { return e.walk.on && e.text.revision == 0 }

// Oldest goes to the first entry of the history, Newest back to what was being typed.
func (e *Editor) Oldest() {
	for i := 0; e.Past != nil && i < e.Past.Len(); i++ {
		if e.readable(i) {
			e.Visit(i)
			return
		}
	}
}

// Newest goes back to what was being typed.
func (e *Editor) Newest() {
	if e.walk.on {
		e.Visit(e.Past.Len())
	}
}

// step goes to the next entry that can be read, one way or the other.
func (e *Editor) step(by int) {
	if e.Past == nil {
		return
	}
	for i := e.shows() + by; i >= 0 && i <= e.Past.Len(); i += by {
		if i == e.Past.Len() || e.readable(i) {
			e.Visit(i)
			return
		}
	}
}

// shows is the number of the entry that is shown, the draft's being the number of entries.
func (e *Editor) shows() int {
	if e.walk.on {
		return e.walk.at
	}
	return e.Past.Len()
}

func (e *Editor) readable(i int) bool {
	_, _, ok := e.read(e.Past.Entry(i))
	return ok
}

func (e *Editor) read(entry Entry) (text string, mark int, ok bool) {
	if e.Read != nil {
		return e.Read(entry)
	}
	return entry.Line, 0, !entry.Prompt
}

// Visit goes to an entry of the history, or with the number of entries back to what was being typed.
func (e *Editor) Visit(i int) {
	if e.Past == nil || i == e.shows() || i < 0 || i > e.Past.Len() {
		return
	}
	from := e.shows()
	text, ok := e.walk.kept[i]
	if !ok && i < e.Past.Len() {
		line, mark, _ := e.read(e.Past.Entry(i))
		text = textOf(line, mark)
	}
	delete(e.walk.kept, i)
	unchanged := e.recalled()
	if old := e.swap(text); !unchanged {
		if e.walk.kept == nil {
			e.walk.kept = map[int]Text{}
		}
		e.walk.kept[from] = old
	}
	e.walk.on, e.walk.at = i < e.Past.Len(), i
}

// Draft returns what was being typed when the walk through the history began; false where there is no walk.
func (e *Editor) Draft() (text string, mark int, ok bool) {
	if !e.walk.on {
		return "", 0, false
	}
	t := e.walk.kept[e.Past.Len()]
	return t.string(), t.mark, true
}

// Restore puts a text and its mark in the place of what there is, as if it had been typed long ago.
func (e *Editor) Restore(text string, mark int) {
	e.swap(textOf(text, mark))
	e.walk = walk{}
}
