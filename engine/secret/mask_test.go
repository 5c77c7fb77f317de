package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
)

// planted is an environment with secrets in it, and much that is none.
func planted() []string {
	return []string{
		"HOME=/home/ada", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "PWD=/home/ada/project1", "TERM=xterm-256color", "EDITOR=vim",
		"AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"AWS_REGION=eu-central-1", "AWS_PROFILE=my-company-prod", "AWS_ACCOUNT_ID=123456789012",
		"DB_PASSWORD=correct horse/battery&staple", "SHORT_PASSWORD=abc12", "SERVICE_TOKEN=tok-5f2a'91\"c7\\x", "PGPASSWORD=postgres",
		"DATABASE_URL=postgres://app:s3cr%40t-pw@db:5432/app", "CONNECTION=Server=db;User=sa;Password=Pa55word!x;",
		"WORD_SECRET=swordfishes", "NEXT_PUBLIC_KEY=pk_0123456789abcdef", "SSH_AUTH_SOCK=/run/user/1000/agent.1", "SUDO_ASKPASS=/usr/bin/askpass",
		"FEATURE_TOKEN=true", "MAX_TOKENS=4096", "GPG_TTY=/dev/pts/3", "KEY_FILE=/etc/keys/one.pem", "TOKEN_URL=https://example.com/token",
		"SIGNING_KEY=-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----",
		"OFFICE_LLM=office-key-000111",
	}
}

func TestValues(t *testing.T) {
	m := New(planted(), "OFFICE_LLM")
	const key, password, token = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "correct horse/battery&staple", `tok-5f2a'91"c7\x`
	quoted, _ := json.Marshal(token)
	for _, test := range []struct{ text, want string }{
		{"id AKIAIOSFODNN7EXAMPLE.", "id [secret:AWS_ACCESS_KEY_ID]."},
		{"xx" + key + "yy", "xx[secret:AWS_SECRET_ACCESS_KEY]yy"},
		{"a " + password + " b", "a [secret:DB_PASSWORD] b"},
		{"?p=" + url.QueryEscape(password), "?p=[secret:DB_PASSWORD]"},
		{"/" + url.PathEscape(password) + "/", "/[secret:DB_PASSWORD]/"},
		{`{"t":` + string(quoted) + `}`, `{"t":"[secret:SERVICE_TOKEN]"}`},
		{"'" + strings.ReplaceAll(token, "'", `'\''`) + "'", "'[secret:SERVICE_TOKEN]'"},
		{base64.StdEncoding.EncodeToString([]byte(key)), "[secret:AWS_SECRET_ACCESS_KEY]"},
		{base64.RawURLEncoding.EncodeToString([]byte(password)), "[secret:DB_PASSWORD]"},
		{"office-key-000111", "[secret:OFFICE_LLM]"},
		{"pw s3cr@t-pw and s3cr%40t-pw", "pw [secret:DATABASE_URL] and [secret:DATABASE_URL]"},
		{"login with Pa55word!x", "login with [secret:CONNECTION]"},
		{"swordfishes swim, swordfishesx don't", "[secret:WORD_SECRET] swim, swordfishesx don't"},
		{"PGPASSWORD=postgres psql postgres", "PGPASSWORD=[secret:PGPASSWORD] psql postgres"},
		{`declare -x SHORT_PASSWORD="abc12"`, `declare -x SHORT_PASSWORD="[secret:SHORT_PASSWORD]"`},
		{"SHORT_PASSWORD=abc123", "SHORT_PASSWORD=[secret:PASSWORD]"}, // by the rule for passwords
		{"abc12 eu-central-1 my-company-prod 123456789012 true 4096", ""},
		{"/home/ada/project1 /etc/keys/one.pem https://example.com/token pk_0123456789abcdef", ""},
		{" 2\tBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj", " 2\t[secret:SIGNING_KEY]"},
		{"[secret:swordfishes]", "[secret:[secret:WORD_SECRET]]"}, // nothing hides in a mask of its own making
	} {
		if test.want == "" {
			test.want = test.text
		}
		if got := m.Text(test.text); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
	}
	// Within base64 of more, no three bytes of the value are left.
	for before := range 4 {
		whole := base64.StdEncoding.EncodeToString([]byte("user:"[:before+1] + key + ":and more"))
		masked := m.Text(whole)
		if !strings.Contains(masked, "[secret:AWS_SECRET_ACCESS_KEY]") || strings.Contains(masked, base64.StdEncoding.EncodeToString([]byte(key))[8:20]) {
			t.Errorf("%d before: %s", before, masked)
		}
	}
	for name, want := range map[string]bool{"DB_PASSWORD": true, "OFFICE_LLM": true, "AWS_REGION": false, "GITHUB_TOKEN": false} {
		if m.Variable(name) != want {
			t.Errorf("Variable(%s) is %v", name, !want)
		}
	}
}

// harmless is what looks like a secret to some, and is left.
func TestHarmless(t *testing.T) {
	m := New(planted())
	for _, text := range []string{
		"commit 3f2a1b0c9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b",
		"550e8400-e29b-41d4-a716-446655440000", "01ARZ3NDEKTSV4RRFFQ69G5FAV",
		`"integrity": "sha512-1XkGrYIwUXpF2P5R7VsB3SfN0vjEsmZ1wTlTg7VvYQdXhcZ4fDGfIVfmMc8PXoa3kXN4YvCwQ2b1Zz0yQmL6Hw==",`,
		"github.com/spf13/pflag v1.1.0 h1:4EBh2KAYBwaONj6b2Ye1GiHfwjqyROoF4RwYO+vPwFk=",
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
		"checksum = \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@host",
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
		"the password must have 8 characters; enter your token", "func (t *Token) Secret() string { return t.secret }",
		"sk-learn, task_live, disk-usage, hf_transfer, npm_execpath, glance", "password: str, token: int = 5", "Bearer authentication",
		"if !strings.Contains(text, \"-----BEGIN PRIVATE KEY-----\") {\n\treturn errTheKeyIsNotOneThatIKnowOfAtAll1234567890\n}",
		"tokens: 1234567890123456", "x = y", "", "a", "ab",
	} {
		if got := m.Text(text); got != text {
			t.Errorf("%q\n got %q", text, got)
		}
	}
}

const pem = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEowIBAAKCAQEAtZ1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX3yZ4aB5c\nD6eF7gH8iJ9kL0mN1oP2qR3sT4uV5wX6yZ7aB8cD9eF0gH1iJ2kL3mN4oP5q\nR6s=\n-----END RSA PRIVATE KEY-----\nafter\n"

func TestPrivateKeys(t *testing.T) {
	m := New(nil)
	const masked = "[secret:PRIVATE_KEY]"
	lines := strings.Split(m.Text(pem), "\n")
	if want := strings.Split(pem, "\n"); len(lines) != len(want) || lines[3] != masked || lines[4] != masked || lines[5] != masked || lines[6] != want[6] || lines[7] != "after" {
		t.Errorf("%q", lines)
	}
	inJSON, _ := json.Marshal(map[string]string{"private_key": pem, "type": "service_account"})
	if got := m.Text(string(inJSON)); !json.Valid([]byte(got)) || strings.Contains(got, "tZ1aB2cD3") || strings.Contains(got, "R6s=") || !strings.Contains(got, "service_account") {
		t.Errorf("%s", got)
	}
	for _, of := range []string{" 12\t", "> ", "+", "    ", "key.pem:3:"} {
		got := m.Text(strings.ReplaceAll(pem, "\n", "\n"+of))
		if strings.Contains(got, "tZ1aB2cD3") || strings.Contains(got, "D6eF7gH8") || !strings.Contains(got, "after") {
			t.Errorf("%q: %s", of, got)
		}
	}
}

func TestJSON(t *testing.T) {
	m := New(planted())
	for _, test := range []struct{ raw, want string }{
		{`{"command": "curl -H \"Authorization: Bearer abcdefgh1\" x", "n": 1.0}`, `{"command": "curl -H \"Authorization: Bearer [secret:AUTHORIZATION]\" x", "n": 1.0}`},
		{`{"password": "hunter2", "b": [ "swordfishes" ]}`, `{"password": "[secret:PASSWORD]", "b": [ "[secret:WORD_SECRET]" ]}`},
		{`{"a": "tok-5f2a'91\"c7\\x"}`, `{"a": "[secret:SERVICE_TOKEN]"}`},
		{`"AKIAIOSFODNN7EXAMPLE`, `"[secret:AWS_ACCESS_KEY_ID]`},
		{`null`, `null`}, {``, ``}, {`{}`, `{}`},
	} {
		if got := string(m.JSON(json.RawMessage(test.raw))); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.raw, got, test.want)
		}
	}
}

func TestHasMask(t *testing.T) {
	for text, want := range map[string]string{
		"echo '[secret:API_KEY]' > .env": "API_KEY", "[secret:] [secret:a b] [secret:b-1.c]": "b-1.c", "[secret:": "", "none": "", "[secret:" + strings.Repeat("x", 65) + "]": "",
	} {
		if name, ok := HasMask(text); name != want || ok != (want != "") {
			t.Errorf("%q: %q %v", text, name, ok)
		}
	}
}

func TestLaterValues(t *testing.T) {
	m := New(planted())
	const text = "later-secret-77 and hidden-value-88, swordfishes"
	m.Text(text)
	m.Learn([]string{"LATER_TOKEN=later-secret-77", "PLAIN=hidden-value-88"})
	m.Hide("what apiKeyCommand printed", "hidden-value-88")
	if got, want := m.Text(text), "[secret:LATER_TOKEN] and [secret:what_apiKeyCommand_printed], [secret:WORD_SECRET]"; got != want {
		t.Errorf("got %s", got)
	}
}

func TestReader(t *testing.T) {
	m := New(planted())
	text := strings.Repeat("a line with swordfishes in it\n", 5000) + pem + "AKIAIOSFODNN7EXAMPLE"
	for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
		got, err := io.ReadAll(m.Reader(in))
		if err != nil || string(got) != m.Text(text) {
			t.Errorf("%v, %d bytes", err, len(got))
		}
	}
	if _, err := io.ReadAll(m.Reader(iotest.ErrReader(io.ErrClosedPipe))); err != io.ErrClosedPipe {
		t.Error(err)
	}
}

// pieces masks a text that comes in pieces of n bytes, and says how much was held back at most.
func pieces(m *Mask, text string, n int) (masked string, held int) {
	s := m.Stream()
	var out []byte
	for rest := []byte(text); len(rest) > 0; {
		k := min(n, len(rest))
		out = s.Append(out, bytes.Clone(rest[:k]))
		rest = rest[k:]
		sum := 0
		for _, p := range s.passes {
			sum += len(p.held)
		}
		held = max(held, sum)
	}
	return string(s.Close(out)), held
}

func TestHeldBack(t *testing.T) {
	m := New(nil)
	s := m.Stream()
	if got := string(s.Append(nil, []byte("ready on :3000\npassword: hun"))); got != "ready on :3000\n" {
		t.Errorf("given out: %q", got)
	}
	if got := string(s.Append(nil, []byte("ter2\n"))); got != "password: [secret:PASSWORD]\n" {
		t.Errorf("given out: %q", got)
	}
	if got := string(s.Append(nil, []byte("no line end here: 1"))); got != "no line end here: 1" {
		t.Errorf("given out: %q", got)
	}
	endless := "-----BEGIN PRIVATE KEY-----" + strings.Repeat("aB3d", 10000)
	if got, held := pieces(m, endless, 100); held > 3*maxHeld || strings.Contains(got, "aB3d") {
		t.Errorf("%d bytes were held, %.100s", held, got)
	}
}
