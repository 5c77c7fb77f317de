package golden

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoSecretAtHome: after a conversation in which secrets were printed, read, typed, attached, asked for and echoed, no piece of one
// is in any file of wisp's home, nor in a request to the model; and the person has seen them.
func TestNoSecretAtHome(t *testing.T) {
	t.Parallel()
	planted := []string{"tok-5f2a91c7e4b8", "qZ7xK2vN9pL4", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "xoxb-123456789012-AbCdEfGhIjKl", "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2hJ5kL8mN1pQ4rS7tU0vW3x"}
	token, password, github, slack, key := planted[0], planted[1], planted[2], planted[3], planted[4]
	call := func(command string) string {
		line, err := json.Marshal(map[string]any{"reasoning": "it says " + slack, "text": "I run it with " + github + ".", "calls": []any{
			map[string]any{"name": "shell", "id": "call_1", "arguments": map[string]any{"command": command, "description": slack}},
		}})
		must(t, err, "model")
		return string(line) + "\n"
	}
	s := story{
		config: map[string]string{"env": "SERVICE_TOKEN=" + token + " DB_PASSWORD=" + password},
		files: map[string]string{
			"key.pem": "-----BEGIN PRIVATE KEY-----\n" + key + "\n" + key + "\n-----END PRIVATE KEY-----\n",
			"long":    strings.Repeat("padding of a line that is long ", 9000) + github + strings.Repeat(" and on", 90),
			"halves":  "printf '" + token[:9] + "'; sleep 0.2; printf '" + token[9:] + "\\n'\n",
			".env":    "SERVICE_TOKEN=" + token + "\nSLACK=" + slack + "\n",
		},
		model: call("touch made; cat key.pem .env long; echo "+password+" >&2") +
			`{"calls": [{"name": "read_file", "id": "r1", "arguments": {"path": "long"}}, {"name": "read_file", "id": "r2", "arguments": {"path": "key.pem", "offset": 3}}, {"name": "search_files", "id": "r3", "arguments": {"pattern": "padding|SLACK"}}]}` + "\n" +
			call("mkdir "+slack) + `{"text": "Never mind ` + password + `."}` + "\n" + `{"text": "Done."}` + "\n",
		in: []string{
			"! yes '" + token + " " + password + "/" + slack + "' | head -n 20000",
			"! printf '%s' " + token + " | base64; printf 'a:%s' " + password + " | base64; sh halves",
			"! cat key.pem .env; printenv; printf '\\n" + github + "'",
			"!- curl -H 'Authorization: Bearer " + github + "' file:///nowhere",
			"!& echo " + token + " to the background",
			`{"type":"prompt","id":"p1","text":"my token is ` + token + ` and ` + github + `","attachments":[{"path":"long"},{"path":"key.pem"},{"data":"eA=="}]}`,
			"wait approval",
			`{"type":"answer","approval":"a1","decision":"session","reason":"` + slack + `"}`,
			"wait approval approval=a2",
			`{"type":"answer","approval":"a2","decision":"no","reason":"not with ` + slack + `"}`,
			"wait turn phase=end",
			"and again, with " + password,
			"/context", "/history", "/jobs", "/show",
		},
	}
	w := newStage(t, s)
	w.wire()
	seen := strings.Join(w.out, "\n")
	pieces := func(secret string) []string { // eight bytes are enough to know it by
		var all []string
		for i := 0; i+8 <= len(secret); i++ {
			all = append(all, secret[i:i+8])
		}
		return all
	}
	search := func(where, text string) {
		for _, secret := range planted {
			for _, piece := range pieces(secret) {
				if at := strings.Index(text, piece); at >= 0 && piece != "xoxb-123" {
					t.Errorf("%s holds %q: …%q…", where, piece, text[max(0, at-60):min(len(text), at+60)])
					return
				}
			}
		}
	}
	files := 0
	err := filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
			text, err := os.ReadFile(path)
			must(t, err, "home")
			search(path, string(text))
			if info, _ := d.Info(); info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v", path, info.Mode())
			}
		}
		return err
	})
	must(t, err, "home")
	if files < 8 || len(w.requests) < 4 {
		t.Errorf("only %d files and %d requests", files, len(w.requests))
	}
	for _, r := range w.requests {
		text, err := json.Marshal(r)
		must(t, err, "request")
		search("a request", string(text))
	}
	for _, secret := range planted {
		if !strings.Contains(seen, secret) {
			t.Errorf("the person hasn't seen %s", secret)
		}
	}
}
