package main_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"wisp/golden/terminal"
)

// engineScript makes the test binary an engine that plays a script. A line of it that begins with "<" waits for a line of
// the face's that holds what follows; "#stderr WORDS" and "#exit N" do what they say; all else is written as it is, with {}
// for the message's number. At its end it waits for the end of its input.
const engineScript = "WISP_TUI_TEST_ENGINE"

// playEngine is that engine. What it was sent is in the script's file with .in behind its name.
func playEngine(path string) int {
	script, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 9
	}
	log, err := os.Create(path + ".in")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 9
	}
	defer log.Close()
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	number := 0
	for line := range strings.Lines(string(script)) {
		line = strings.TrimSuffix(line, "\n")
		awaited, wait := strings.CutPrefix(line, "<")
		words, says := strings.CutPrefix(line, "#stderr ")
		switch {
		case wait:
			for {
				got, err := in.ReadString('\n')
				log.WriteString(got)
				if err != nil {
					return 0
				}
				if strings.Contains(got, awaited) {
					break
				}
			}
		case says:
			fmt.Fprintln(os.Stderr, words)
		case strings.HasPrefix(line, "#exit "):
			status := 0
			fmt.Sscan(strings.TrimPrefix(line, "#exit "), &status)
			return status
		default:
			number++
			fmt.Println(strings.ReplaceAll(line, "{}", fmt.Sprint(number)))
		}
	}
	for {
		got, err := in.ReadString('\n')
		log.WriteString(got)
		if err != nil {
			return 0
		}
	}
}

// The lines that an engine begins with.
const (
	readyLine  = `{"type":"ready","seq":{},"protocol":1,"version":"test","session":"s","thread":"t","resumed":false,"model":"fake","directory":"/d","sandbox":"none","capabilities":[]}`
	statusLine = `{"type":"status","seq":{},"model":"fake","directory":"/d","branch":null,"added":null,"removed":null,"mode":"smart","approval":"moderate","sandbox":"none","contextUsed":null,"contextWindow":null,"held":0,"queued":0}`
)

// fake starts a face with an engine that plays a script.
func (p *place) fake(o terminal.Options, lines ...string) *face {
	p.t.Helper()
	path := filepath.Join(filepath.Dir(p.home), "engine")
	must(p.t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	self, err := os.Executable()
	must(p.t, err)
	p.env = append(p.env, engineScript+"="+path)
	return p.launch(o, "--engine", "exec "+self)
}
