package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"

	"wisp/golden/terminal"
	"wisp/protocol"
	"wisp/protocol/phrase"
	"wisp/tui/screen"
)

// panicking makes the test binary a face that panics at a key, where the variable says: so that the whole process is real.
const panicking = "WISP_TUI_TEST_PANIC"

func TestMain(m *testing.M) {
	if where := os.Getenv(panicking); where != "" {
		os.Exit(panics(where, os.Getenv("HOME")))
	}
	os.Exit(m.Run())
}

// panics runs that face, with an engine that ends at a prompt.
func panics(where, home string) int {
	conn, face := protocol.Pipe()
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer conn.Close()
		conn.Write([]byte(`{"type":"ready","seq":1,"thread":"t","directory":"/d"}` + "\n" + `{"type":"status","seq":2,"model":"m"}` + "\n"))
		for {
			if in, err := conn.Read(); err != nil {
				return
			} else if _, ok := in.(protocol.Prompt); ok {
				return
			}
		}
	}()
	signals, suspend, stop := Listen()
	defer stop()
	now := func(at string, or func()) {
		if where == at {
			panic("a planted bug")
		}
		or()
	}
	c := Config{
		Engine: Engine{face, func() (d Death) { now("command", func() { <-over }); return d }}, Draft: filepath.Join(home, "draft.json"),
		Report: func(text string) (string, error) {
			if where == "report" {
				return "", os.ErrPermission
			}
			path := filepath.Join(home, "report.txt")
			return path, os.WriteFile(path, []byte(text), 0o600)
		},
		Editor:  func(string) error { now("editor", func() {}); return nil },
		Suspend: func() { now("suspend", suspend) },
		Signals: signals, Now: time.Now,
		Terminal: Terminal{
			In: os.Stdin, Out: os.Stdout, Screen: screen.Guess(os.Getenv), Style: phrase.Style{Depth: phrase.True},
			Raw: func() (func(), error) {
				before, err := term.MakeRaw(int(os.Stdin.Fd()))
				return func() { term.Restore(int(os.Stdin.Fd()), before) }, err
			},
			Size: func() (int, int) { return 80, 24 }, Flush: func() {},
		},
		trap: func(message any) {
			if k, ok := message.(tea.KeyPressMsg); ok && k.Text == "P" && (where == "update" || where == "report") {
				panic("a planted bug")
			}
		},
	}
	result := Run(c)
	for _, line := range result.Words {
		fmt.Fprintln(os.Stderr, line)
	}
	return result.Status
}

// A panic, wherever it comes, gives the terminal back, keeps what was being typed, and says where its report is.
func TestPanic(t *testing.T) {
	t.Parallel()
	for where, keys := range map[string][]string{
		"update": {"P"}, "report": {"P"}, "command": {"enter"}, "editor": {"ctrl+g"}, "suspend": {"ctrl+z"},
	} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			c := terminal.Start(t, terminal.Options{Args: []string{self}, Env: []string{panicking + "=" + where, "HOME=" + home}, Columns: 200, Rows: 80})
			c.Wait("the engine's model", func(s terminal.Screen) bool { return s.Cursor.Visible && s.Contains("m · d") })
			c.Type("typed")
			c.WaitText("> typed")
			c.Key(keys...)
			if status := c.Exit(); status != 1 {
				t.Errorf("status %d", status)
			}
			s := c.Screen()
			if left := terminal.Modes(c.Raw()); len(left) > 0 || !c.Restored() || s.Alt || !s.Cursor.Visible || s.Title != "shell" {
				t.Errorf("left set: %q, restored: %v, %s", left, c.Restored(), s)
			}
			path := filepath.Join(home, "report.txt")
			report, _ := os.ReadFile(path)
			words := "The report is in " + path
			if where == "report" {
				words, report = "The report can't be written", []byte(s.Text())
			}
			if !s.Contains("wisp-tui: a bug ended it: panic: a planted bug") || !s.Contains(words) {
				t.Errorf("it doesn't say so: %s", s)
			}
			if !strings.Contains(string(report), "a planted bug") || !strings.Contains(string(report), "panic_test.go") {
				t.Errorf("the report is %q", report)
			}
			if where == "command" {
				return // what was typed was sent
			}
			if draft := takeDraft(filepath.Join(home, "draft.json")); draft.Text != "typed" {
				t.Errorf("the draft is %+v", draft)
			}
		})
	}
}
