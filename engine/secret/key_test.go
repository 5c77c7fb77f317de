package secret

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// bodies are keys as their bytes begin, by kind; the rest is any.
func bodies() map[string]string {
	begin := map[string][]byte{
		"PKCS8 RSA": {0x30, 0x82, 0x04, 0xbd, 2, 1, 0, 0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d}, "PKCS1": {0x30, 0x82, 0x04, 0xa3, 2, 1, 0, 2, 0x82, 1, 1, 0}, "PKCS1 of 1024 bits": {0x30, 0x82, 0x02, 0x5d, 2, 1, 0, 2, 0x81, 0x81, 0},
		"SEC1": {0x30, 0x77, 2, 1, 1, 4, 0x20}, "PKCS8 EC": {0x30, 0x81, 0x87, 2, 1, 0, 0x30, 0x13, 6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d}, "Ed25519": {0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20}, "OpenSSH": []byte("openssh-key-v1\x00\x00\x00\x00\x04none"),
	}
	out := map[string]string{}
	for name, head := range begin {
		random, size := rand.New(rand.NewPCG(7, uint64(len(name)))), 300
		if name == "Ed25519" {
			size = 48
		}
		for len(head) < size+len(name)%3 {
			head = append(head, byte(random.Uint32()))
		}
		out[name] = base64.StdEncoding.EncodeToString(head)
	}
	return out
}

// wrapped is a text in lines of a width.
func wrapped(text string, width int) []string {
	var lines []string
	for len(text) > width {
		lines, text = append(lines, text[:width]), text[width:]
	}
	return append(lines, text)
}

// A key's lines are masked whatever their width, their indent and how line ends are written; with the line that begins a key, and
// from their first on without it.
func TestKeysInEveryShape(t *testing.T) {
	m := New(nil)
	for name, body := range bodies() {
		for _, width := range []int{16, 30, 32, 40, 64, 70, 76, 4096} {
			for _, indent := range []string{"", "    ", "\t", "> ", "  12\t", "id:3:"} {
				for _, header := range []bool{true, false} {
					if !header && width < 32 {
						continue // no line of it says that it is a key
					}
					lines := wrapped(body, width)
					if header {
						lines = append(append([]string{"-----BEGIN PRIVATE KEY-----"}, lines...), "-----END PRIVATE KEY-----")
					}
					plain := "before\n" + indent + strings.Join(lines, "\n"+indent) + "\nafter it\n"
					quoted, _ := json.Marshal(map[string]string{"key": strings.Join(lines, "\n") + "\n", "type": "some_account"})
					for _, text := range []string{plain, string(quoted), fmt.Sprintf("KEY=%q\n", strings.Join(lines, "\n"))} {
						got := m.Text(text)
						left := ""
						for _, line := range wrapped(body, width) {
							if len(line) >= 8 && strings.Contains(got, line[:8]) {
								left = line
							}
						}
						if left != "" || strings.Contains(text, "after it") && !strings.Contains(got, "after it") || strings.Contains(text, "some_account") && !strings.Contains(got, "some_account") {
							t.Errorf("%s by %d, %q, header %v: %q is left of\n%s\n%s", name, width, indent, header, left, text, got)
							return
						}
					}
				}
			}
		}
	}
}

// What only looks like the lines of a key, after one or without one, is left.
func TestNoKeys(t *testing.T) {
	m := New(nil)
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Join(wrapped(bodies()["PKCS1"], 64)[:3], "\n") + "\n"
	for _, after := range []string{"done\n", "Makefile\n", "README\n", "ok  \twisp\n", "total 12\n", "exit\n", "go.mod\n"} {
		if got := m.Text(key + after); !strings.HasSuffix(got, "\n"+after) {
			t.Errorf("%q after a key is %q", after, got)
		}
	}
	for _, text := range []string{
		"MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\nRTESMBAGA1UEChMJQmFsdGltb3JlMRMwEQYDVQQLEwpDeWJlclRydXN0MSIwIAYD",
		"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0/IzW7yWR7QkrmBL7jTKEn5u",
		"if strings.Contains(s, \"-----BEGIN PRIVATE KEY-----\") {\n\treturn nil\n}\n", "const begin = \"-----BEGIN PRIVATE KEY-----\"\nvar x = 1\n", "MII and b3BlbnNzaC1rZXktdjE are how they begin\n",
	} {
		if got := m.Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
