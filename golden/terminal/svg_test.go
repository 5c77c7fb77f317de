package terminal_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"wisp/golden/terminal"
)

func TestSVG(t *testing.T) {
	t.Parallel()
	c := shell(t, terminal.Options{Columns: 20, Rows: 4}, `printf '<a & b>  \033[1;38;2;1;2;3mx y\033[0m\r\n`+
		`\033[48;2;37;59;78m界!\033[K\033[0m\r\n─┼│\033[7mr\033[27m\033[3;4;9mi u\033[0m\r\nend'; read x`)
	s := c.WaitText("end")
	got := s.SVG("<title>", terminal.DarkTheme())
	if !bytes.Equal(got, c.Screen().SVG("<title>", terminal.DarkTheme())) {
		t.Error("another picture of the same screen")
	}
	for d := xml.NewDecoder(bytes.NewReader(got)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, got)
		}
	}
	for _, want := range []string{
		`<title>&lt;title&gt;</title>`,
		`textLength="59.01" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="#E3E6EA">&lt;a &amp; b&gt;</text>`, // 7 cells
		`<text x="89.87" y="61.3" textLength="25.29"`,                    // the tenth cell, and 3 of them
		`fill="#010203" font-weight="bold">x y</text>`,                   //
		`<rect x="14" y="66" width="168.6" height="18" fill="#253B4E"/>`, // all of the row
		`textLength="16.86"`, // a wide character
		`>界</text>`,          //
		`>!</text>`,          // which begins a run of its own
		`<path d="M18.21 93H14M18.21 93H22.43" stroke="#E3E6EA"/>`,                // a line to both sides
		`fill="#16181C">r</text>`,                                                 // reversed
		`font-style="italic" text-decoration="underline line-through">i u</text>`, //
		`<rect x="39.29" y="102" width="8.43" height="18" fill="#E3E6EA"/>`,       // the cursor, behind the end
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
	if light := string(s.SVG("", terminal.LightTheme())); !strings.Contains(light, `fill="#FDFDFA"`) || strings.Contains(light, `"#16181C"`) {
		t.Error("the light picture isn't light")
	}
}

// A program in the test's own process has the other end, and what is typed comes there.
func TestOpen(t *testing.T) {
	t.Parallel()
	c, program := terminal.Open(t, terminal.Options{Columns: 20, Rows: 3})
	io.WriteString(program, "\x1b[?2004hhere\r\n")
	c.WaitText("here")
	c.Type("typed\n")
	line := make([]byte, 100)
	n, err := program.Read(line)
	if string(line[:n]) != "typed\n" || err != nil {
		t.Errorf("read %q, %v", line[:n], err)
	}
	c.Wait("the echo", func(s terminal.Screen) bool { return s.Rows[1] == "typed" })
	c.HangUp()
	if _, err := program.Read(line); err == nil {
		t.Error("a terminal that was taken away can be read")
	}
}
