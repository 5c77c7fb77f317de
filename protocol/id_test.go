package protocol

import (
	"errors"
	"strings"
	"testing"
)

// A line that is too long carries its id back where the id stands before the long part.
func TestTooLongLineID(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", MaxIn)
	for line, want := range map[string]string{
		`{"type":"prompt","id":"p7","text":"` + long + `"}`:    "p7",
		`{"id":"p\u0038","type":"prompt","text":"` + long:      "p8",
		`{"type":"prompt","text":"` + long + `","id":"p9"}`:    "",
		`{"type":"prompt","steer":true,"id":"p9","x":"` + long: "",
		`[` + long:  "",
		long + long: "",
	} {
		_, err := NewConn(strings.NewReader(line+"\n"), nil).Read()
		var fault *Fault
		if !errors.As(err, &fault) || fault.Code != LineTooLong || fault.Request != want {
			t.Errorf("%.40s…: %+v, want the id %q", line, err, want)
		}
	}
}
