package place

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  map[string]string
		want Places
	}{
		"home":     {map[string]string{"HOME": "/h"}, Places{"/h/.local/state/wisp", "/h/.config/wisp/config.json"}},
		"its own":  {map[string]string{"HOME": "/h", "WISP_HOME": "/w"}, Places{"/w", "/w/config.json"}},
		"xdg":      {map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"}, Places{"/s/wisp", "/c/wisp/config.json"}},
		"relative": {map[string]string{"HOME": "/h", "XDG_STATE_HOME": "s"}, Places{"/h/.local/state/wisp", "/h/.config/wisp/config.json"}},
		"nothing":  {nil, Places{}},
	} {
		got, err := Find(func(name string) string { return c.env[name] })
		if got != c.want || (err != nil) != (name == "nothing") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestReadInput(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.json")
	for text, want := range map[string]Input{
		"{// said\n\"input\": {\"whileBusy\": \"queue\", \"confirmQuit\": true,}, \"model\": 7}": {"queue", true},
		`{"input": {"whileBusy": "hold"}}`:  {"hold", false},
		`{"input": {"whileBusy": "never"}}`: {},
		`{"input": 3}`:                      {},
		`{`:                                 {},
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := ReadInput(path); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if got := ReadInput(path + "x"); got != (Input{}) {
		t.Errorf("no file: %v", got)
	}
	if err := (Input{WhileBusy: "never"}).Check(); err == nil {
		t.Error("a word that isn't one is taken")
	}
}
