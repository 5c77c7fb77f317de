// Package panel has what stands in the way until it is closed: full-screen views on the alternate screen, the questions
// that are drawn in the input box's place, and the choices of a slash command.
//
// A [Panel] holds text by its lines, at most 32 MB, and lays out what is shown when it is shown: a key costs what the
// screen has, not what the text has. A search reads the text once when its query changes. The place stays at any resize.
// A [Question] answers an approval by one key, and none that was typed ahead of it. A [Menu] answers a choice.
//
// Text from outside is made harmless here; a row that is handed over with styles is wisp's own, and has SGR, EL and
// OSC 8 only. Rows are at most the width less one cell wide, and of no more than the height.
//
// What it doesn't do: it reads no clock, asks nobody, writes nowhere, and knows no messages' ids. Keys come by their
// names ("up", "ctrl+d", "G") with the text that they type, and what the face is to do comes back.
package panel

import "wisp/protocol/phrase"

// Ask is what a key asks of the face.
type Ask int

// What a panel asks for.
const (
	Nothing Ask = iota
	Close
	Older // the item before this one
	Newer // the item after it
	More  // the next page of the text; told once, until text is added
)

// Panel is one full-screen view. The zero value is an empty one.
type Panel struct {
	// Title stands in the first row.
	Title string
	// Walks says that there are older and newer items.
	Walks bool
	// Follows says that more text can be had behind what was added.
	Follows bool
	// Total is how many lines there are in all, where that is known before they have come.
	Total int

	content
	search search
	full   bool // something had no room
	asked  bool // the next page was asked for
	cells  int  // of a row, as last drawn
	body   int  // rows of text, as last drawn
	height int  // of the whole, as last drawn
}

// Text makes a panel of a text from anywhere.
func Text(title, text string) *Panel {
	p := &Panel{Title: title}
	p.Append(text)
	return p
}

// Styled makes a panel of rows of wisp's own.
func Styled(title string, rows []string) *Panel {
	p := &Panel{Title: title}
	for _, row := range rows {
		if !p.addRow(row) {
			p.full = true
			break
		}
	}
	return p
}

// Append adds a page of text from anywhere. The place stays. What has no room is left out, and that is said at the foot.
func (p *Panel) Append(text string) {
	from := max(len(p.lines)-1, 0) // the last may go on
	p.asked = false
	if !p.full && !p.add(text) {
		p.full = true
	}
	if p.search.query != "" {
		p.look(false, from)
	}
}

// Wants says, once, that the next page is to be fetched: less than a screen of text is below what is shown. It is for
// after a panel was opened or the terminal resized; a key tells it by itself.
func (p *Panel) Wants() bool {
	if !p.Follows || p.asked || p.full || p.rest(p.top, 2*p.body+1, p.cells) >= 2*p.body {
		return false
	}
	p.asked = true
	return true
}

// Key takes a key by its name and the text that it types, and says what is asked.
func (p *Panel) Key(name, text string) Ask {
	if p.search.typing {
		p.searchKey(name, text)
	} else if ask := p.key(name, text); ask != Nothing {
		return ask
	}
	if p.Wants() {
		return More
	}
	return Nothing
}

func (p *Panel) key(name, text string) Ask {
	page := max(p.body-1, 1)
	switch name {
	case "esc", "q", "ctrl+c":
		return Close
	case "left":
		return p.walk(Older)
	case "right":
		return p.walk(Newer)
	case "up", "k":
		p.scroll(-1)
	case "down", "j", "enter":
		p.scroll(1)
	case "pgup", "b", "ctrl+b":
		p.scroll(-page)
	case "pgdown", "space", " ", "ctrl+f":
		p.scroll(page)
	case "ctrl+u":
		p.scroll(-max(p.body/2, 1))
	case "ctrl+d":
		p.scroll(max(p.body/2, 1))
	case "home", "g":
		p.top = place{}
	case "end", "G":
		p.top = p.lowest(p.body, p.cells)
	case "/":
		p.search = search{typing: true, from: p.top, line: -1}
	case "n":
		p.next(1)
	case "N":
		p.next(-1)
	default:
		if text != name && text != "" {
			return p.key(text, "")
		}
	}
	return Nothing
}

func (p *Panel) walk(ask Ask) Ask {
	if p.Walks {
		return ask
	}
	return Nothing
}

func (p *Panel) scroll(by int) { p.move(by, p.body, p.cells) }

// Rows draws the panel: its title, the text, and the foot. There are exactly height rows; a low screen has no title, and
// one row no foot.
func (p *Panel) Rows(width, height int, style phrase.Style) []string {
	if height < 1 {
		return nil
	}
	rows := make([]string, 0, height)
	p.cells = max(width-1, 1)
	p.body, p.height = height, height
	if height > 1 {
		p.body--
	}
	if height > 2 {
		p.body--
		rows = append(rows, style.Paint(phrase.Deep, clip(" "+phrase.Row(p.Title, width), width-1)+"\x1b[K"))
	}
	top := p.start(p.top, p.cells)
	if lowest := p.lowest(p.body, p.cells); top.after(lowest) {
		top = lowest
		p.top = lowest
	}
	first, last, end := 0, 0, len(rows)+p.body
	for i := top.line; i < len(p.lines) && len(rows) < end; i++ {
		from := 0
		if i == top.line {
			from = rowOf(breaks(p.lines[i], p.cells), top.offset)
		}
		rows = append(rows, lay(p.lines[i], from, end-len(rows), p.cells, p.marks(i))...)
		last = int(p.lines[i].number)
		if first == 0 {
			first = last
		}
	}
	for len(rows) < end {
		rows = append(rows, "")
	}
	if height > 1 {
		rows = append(rows, p.foot(first, last, width-1, style))
	}
	if width < 2 {
		clear(rows)
	}
	return rows
}
