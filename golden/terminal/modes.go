package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Modes tells what a stream leaves set in a terminal that was as a shell has it: "alternate screen", "cursor hidden",
// "bracketed paste", "focus events", "mouse ?1003", "synchronized output", "mode ?2027" for other private modes, "mode 4"
// for the standard ones, "kitty keyboard 1" with the depth of its stack, "modifyOtherKeys 2", "title stack 1", "title" where
// it was set and not saved before, "scroll region", "style 1;fg", "link", "colour 11", "progress", "cursor shape",
// "keypad", "character set". Sorted; empty where all is as it was.
func Modes(raw []byte) []string {
	m := modes{private: map[int]bool{}, standard: map[int]bool{}, pen: map[string]bool{}, other: map[string]bool{}}
	eachControl(raw, m.take)
	return m.left()
}

type modes struct {
	private  map[int]bool // those that were set or reset, and aren't now as they were
	standard map[int]bool
	pen      map[string]bool
	other    map[string]bool
	kitty    [2]int // the depth on the main and the alternate screen
	titles   int
	keys     string // modifyOtherKeys
}

func (m *modes) take(control string) {
	kind, body, _ := strings.Cut(control, " ")
	switch {
	case kind == "OSC":
		m.osc(body)
	case control == "ESC c":
		*m = modes{private: map[int]bool{}, standard: map[int]bool{}, pen: map[string]bool{}, other: map[string]bool{}}
	case control == "ESC =" || control == "ESC >":
		m.other["keypad"] = control == "ESC ="
	case strings.HasPrefix(control, "ESC ("):
		m.other["character set"] = control != "ESC (B"
	case control == "C0 0x0e" || control == "C0 0x0f":
		m.other["character set"] = control == "C0 0x0e"
	case kind == "CSI" && body != "":
		m.csi(body[:len(body)-1], body[len(body)-1])
	}
}

func (m *modes) csi(params string, final byte) {
	switch {
	case final == 'h' || final == 'l':
		m.set(params, final == 'h')
	case final == 'm' && strings.HasPrefix(params, ">4"):
		_, m.keys, _ = strings.Cut(params, ";")
	case final == 'm' && !strings.HasPrefix(params, ">") && !strings.HasPrefix(params, "?"):
		m.sgr(params)
	case final == 'r' && !strings.HasPrefix(params, "?"):
		m.other["scroll region"] = params != ""
	case final == 'q' && strings.HasSuffix(params, " "):
		m.other["cursor shape"] = params != " " && params != "0 "
	case final == 't' && strings.HasPrefix(params, "22"):
		m.titles++
	case final == 't' && strings.HasPrefix(params, "23"):
		m.titles = max(m.titles-1, 0)
	case final == 'u':
		m.keyboard(params)
	}
}

// keyboard follows the two stacks of the kitty keyboard.
func (m *modes) keyboard(params string) {
	depth := &m.kitty[0]
	if m.private[1049] || m.private[1047] || m.private[47] {
		depth = &m.kitty[1]
	}
	switch {
	case strings.HasPrefix(params, ">"):
		*depth++
	case strings.HasPrefix(params, "<"):
		n, _ := strconv.Atoi(params[1:])
		*depth = max(*depth-max(n, 1), 0)
	}
}

func (m *modes) set(params string, on bool) {
	table := m.standard
	numbers, private := strings.CutPrefix(params, "?")
	if private {
		table = m.private
	}
	for n := range strings.SplitSeq(numbers, ";") {
		if mode, err := strconv.Atoi(n); err == nil {
			usual := private && (mode == 7 || mode == 25) // wrapping and the cursor are on in a shell
			table[mode] = on != usual
		}
	}
}

func (m *modes) osc(body string) {
	command, rest, _ := strings.Cut(body, ";")
	switch command {
	case "0", "2":
		m.other["title"] = m.other["title"] || m.titles == 0
	case "8":
		_, address, _ := strings.Cut(rest, ";")
		m.other["link"] = address != ""
	case "10", "11", "12":
		if rest != "?" {
			m.other["colour "+command] = true
		}
	case "110", "111", "112":
		m.other["colour "+command[1:]] = false
	case "9":
		if state, ok := strings.CutPrefix(rest, "4;"); ok {
			m.other["progress"] = !strings.HasPrefix(state, "0")
		}
	}
}

// sgr follows what is set by its group, so that 39 ends 31 and 38;2;1;2;3.
func (m *modes) sgr(params string) {
	codes := strings.Split(params, ";")
	for i := 0; i < len(codes); i++ {
		first, _, colon := strings.Cut(codes[i], ":")
		n, _ := strconv.Atoi(first)
		switch {
		case n == 0:
			clear(m.pen)
		case n >= 30 && n <= 38 || n >= 90 && n <= 97:
			m.pen["fg"] = true
		case n >= 40 && n <= 48 || n >= 100 && n <= 107:
			m.pen["bg"] = true
		case n == 58:
			m.pen["line"] = true
		case n == 22:
			delete(m.pen, "1")
			delete(m.pen, "2")
		case n == 39:
			delete(m.pen, "fg")
		case n == 49:
			delete(m.pen, "bg")
		case n == 59:
			delete(m.pen, "line")
		case n < 10:
			m.pen[first] = true
		case n > 20 && n < 30:
			delete(m.pen, strconv.Itoa(n-20))
		}
		if (n == 38 || n == 48 || n == 58) && !colon && i+1 < len(codes) {
			i += map[string]int{"5": 2, "2": 4}[codes[i+1]]
		}
	}
}

func (m *modes) left() []string {
	var all []string
	for mode, differs := range m.private {
		if differs {
			all = append(all, privateName(mode))
		}
	}
	for mode, differs := range m.standard {
		if differs {
			all = append(all, fmt.Sprintf("mode %d", mode))
		}
	}
	for name, on := range m.other {
		if on {
			all = append(all, name)
		}
	}
	if depth := m.kitty[0] + m.kitty[1]; depth > 0 {
		all = append(all, fmt.Sprintf("kitty keyboard %d", depth))
	}
	if m.keys != "" && m.keys != "0" {
		all = append(all, "modifyOtherKeys "+m.keys)
	}
	if m.titles > 0 {
		all = append(all, fmt.Sprintf("title stack %d", m.titles))
	}
	if len(m.pen) > 0 {
		var names []string
		for name := range m.pen {
			names = append(names, name)
		}
		slices.Sort(names)
		all = append(all, "style "+strings.Join(names, ";"))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func privateName(mode int) string {
	switch mode {
	case 25:
		return "cursor hidden"
	case 47, 1047, 1049:
		return "alternate screen"
	case 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016:
		return fmt.Sprintf("mouse ?%d", mode)
	case 1004:
		return "focus events"
	case 2004:
		return "bracketed paste"
	case 2026:
		return "synchronized output"
	}
	return fmt.Sprintf("mode ?%d", mode)
}
