package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"wisp/engine/model"
)

// line is one line of a script.
type line struct {
	Text      pieces       `json:"text"`
	Reasoning pieces       `json:"reasoning"`
	Calls     []call       `json:"calls"`
	DelayMs   int          `json:"delayMs"`
	PieceMs   int          `json:"pieceMs"`
	Hang      hang         `json:"hang"`
	Fail      *failure     `json:"fail"`
	Status    int          `json:"status"` // of Fail
	Usage     *model.Usage `json:"usage"`
	Expect    pieces       `json:"expect"`
	Reject    pieces       `json:"reject"`
	Repeat    *int         `json:"repeat"`
	Step      string       `json:"step"`
	When      pieces       `json:"when"`
	Next      string       `json:"next"`

	number int
}

// fields names them for the sentence about one that there isn't.
const fields = "text, reasoning, calls, delayMs, pieceMs, hang, fail, status, usage, expect, reject, repeat, step, when, next"

type call struct {
	Name      string          `json:"name"`
	ID        string          `json:"id"`
	Arguments json.RawMessage `json:"arguments"`
}

// pieces is a string or a list of them.
type pieces []string

// UnmarshalJSON takes either form.
func (p *pieces) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*p = pieces{one}
		return nil
	}
	var list []string
	if json.Unmarshal(data, &list) != nil {
		return errors.New("a text is a string or a list of strings")
	}
	*p = list
	return nil
}

type hang int

const (
	hangNever hang = iota
	hangNow
	hangAfter
)

// UnmarshalJSON takes true, false or "after".
func (h *hang) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true":
		*h = hangNow
	case `"after"`:
		*h = hangAfter
	case "false", "null":
		*h = hangNever
	default:
		return errors.New(`hang is true or "after"`)
	}
	return nil
}

type failure struct {
	Message string `json:"message"`
	Status  int    `json:"status"`
}

// UnmarshalJSON takes a message, or an object with a status beside it.
func (f *failure) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &f.Message) == nil {
		return nil
	}
	type plain failure
	return strict(data, (*plain)(f))
}

// read reads a whole script.
func read(name string, script io.Reader) ([]*line, error) {
	var lines []*line
	number := 0
	for text, err := range model.Lines(script) {
		number++
		if number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff")) // the mark that some editors begin a file with
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		l := &line{number: number}
		if err := strict(text, l); err != nil {
			return nil, fmt.Errorf("%s:%d: %s", name, number, reason(err))
		}
		if err := l.valid(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		lines = append(lines, l)
	}
	return lines, grouped(name, lines)
}

// strict decodes one value that is the whole text and has known fields alone.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON object on a line")
	}
	return nil
}

// reason is a decoder's error as a sentence about the line.
func reason(err error) string {
	text := strings.TrimPrefix(err.Error(), "json: ")
	var typeError *json.UnmarshalTypeError
	switch {
	case strings.HasPrefix(text, "unknown field"):
		return text + ": there are " + fields
	case errors.As(err, &typeError) && typeError.Field == "":
		return "a line is a JSON object, not a " + typeError.Value
	case errors.As(err, &typeError):
		return typeError.Field + " can't be a " + typeError.Value
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the line's JSON is cut off"
	}
	return text
}

// valid checks what a type can't say.
func (l *line) valid() error {
	switch {
	case l.Repeat != nil && *l.Repeat < 1:
		return errors.New("repeat must be 1 or more")
	case l.DelayMs < 0, l.PieceMs < 0:
		return errors.New("delayMs and pieceMs can't be negative")
	case l.Step == "" && (l.When != nil || l.Next != ""):
		return errors.New("when and next belong to a line with a step")
	case l.Step != "" && l.Repeat != nil:
		return errors.New("a line with a step has no repeat: it serves until a line names the next step")
	case l.Status != 0 && l.Fail == nil:
		return errors.New("status belongs to a line with fail")
	}
	for _, c := range l.Calls {
		if c.Name == "" {
			return errors.New("a call needs a name")
		}
	}
	return nil
}

// grouped checks that the steps of a script lead somewhere.
func grouped(name string, lines []*line) error {
	steps := map[string]bool{}
	for _, l := range lines {
		steps[l.Step] = true
	}
	for _, l := range lines {
		if (l.Step == "") != (lines[0].Step == "") {
			return fmt.Errorf("%s:%d: either all lines have a step or none", name, l.number)
		}
		if l.Next != "" && !steps[l.Next] {
			return fmt.Errorf("%s:%d: no line has the step %q", name, l.number, l.Next)
		}
	}
	return nil
}

func (l *line) times() int {
	if l.Repeat == nil {
		return 1
	}
	return *l.Repeat
}

func (l *line) status() int {
	if l.Fail.Status != 0 {
		return l.Fail.Status
	}
	return l.Status
}

// serves says whether the text holds all that the line waits for.
func (l *line) serves(text string) bool {
	for _, w := range l.When {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// check says what the request lacks, or holds that it must not.
func (l *line) check(name string, r model.Request) error {
	fault := func(verb, text string) error {
		return &model.Error{Kind: model.ScriptBad, Message: fmt.Sprintf("%s:%d: the request %s %q", name, l.number, verb, text)}
	}
	for _, text := range l.Expect {
		if !holds(r, text) {
			return fault("lacks", text)
		}
	}
	for _, text := range l.Reject {
		if holds(r, text) {
			return fault("holds", text)
		}
	}
	return nil
}

// holds looks for text in everything that a request says: instructions, messages, calls and answers.
func holds(r model.Request, text string) bool {
	if strings.Contains(r.Instructions, text) {
		return true
	}
	for _, m := range r.Messages {
		if strings.Contains(m.Text, text) || strings.Contains(m.Name, text) {
			return true
		}
		for _, c := range m.Calls {
			if strings.Contains(c.Name, text) || strings.Contains(string(c.Arguments), text) {
				return true
			}
		}
	}
	return false
}
