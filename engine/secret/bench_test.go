package secret

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// source is a mebibyte of text as a program prints it: code, with a secret here and there.
func source(t testing.TB, size int) string {
	t.Helper()
	var b strings.Builder
	files, err := filepath.Glob(filepath.Join("..", "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("no source of ours to read", err)
	}
	for b.Len() < size {
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
			b.WriteString("\nexport GITHUB_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a\n")
		}
	}
	return b.String()[:size]
}

const mebibyte = 1 << 20

// BenchmarkText is the figure: 1 MiB in under 20 ms.
func BenchmarkText(b *testing.B) {
	text, m := source(b, mebibyte), New(planted())
	m.Text("first use")
	b.SetBytes(mebibyte)
	for b.Loop() {
		m.Text(text)
	}
}

// BenchmarkStream is the same as a command prints it.
func BenchmarkStream(b *testing.B) {
	text, m := []byte(source(b, mebibyte)), New(planted())
	var out []byte
	b.SetBytes(mebibyte)
	for b.Loop() {
		s := m.Stream()
		for from := 0; from < len(text); from += 4 << 10 {
			out = s.Append(out[:0], text[from:from+4<<10])
		}
		out = s.Close(out[:0])
	}
}

// BenchmarkBytes is the same from a program that writes a byte at a time, 64 KiB of it.
func BenchmarkBytes(b *testing.B) {
	text, m := []byte(source(b, mebibyte))[:64<<10], New(planted())
	var out []byte
	b.SetBytes(64 << 10)
	for b.Loop() {
		s := m.Stream()
		for i := range text {
			out = s.Append(out[:0], text[i:i+1])
		}
		out = s.Close(out[:0])
	}
}

// BenchmarkShort is a text as an event has many: it holds nothing.
func BenchmarkShort(b *testing.B) {
	m := New(planted())
	for b.Loop() {
		m.Text("cat settings.ini && go test ./engine/...")
	}
}

// BenchmarkNew is what a start of wisp pays, and BenchmarkFirst what the first text does.
func BenchmarkNew(b *testing.B) {
	env := planted()
	for b.Loop() {
		New(env)
	}
}

func BenchmarkFirst(b *testing.B) {
	env := planted()
	for b.Loop() {
		New(env).Text("the first text that is masked")
	}
}

// hostile is text that makes the most work.
func hostile() map[string]string {
	all := map[string]string{}
	for _, part := range []string{
		"eyJ", " eyJ", "sk-", " sk-", "://", "://a:", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n", "password=", "password: ", "token", "api_key=\"", "[secret:", "[secret:PASSWORD]",
		"machine x login y ", "authorization: bearer ", "a", "=", "swordfishes", "swordfishe", "Bearer aB3dE6gH9jK2 ", "xoxb-1", "SG.aaaaaaaaaaaaaaaa.", "tok-5f2a'91\"c7\\", "-u a:", "eyJaaaaaaaa.eyJaaaaaaaa.",
	} {
		all[part] = part
	}
	return all
}

// TestHostileText: whatever a text is made of, its cost grows with its length alone: 8 times the text, where the short one is as long as
// any rule looks, is 8 times the work, and would be 64 times where each secret that may be there were looked for to the end of it.
func TestHostileText(t *testing.T) {
	m := New(planted())
	cost := func(text string) time.Duration {
		least := time.Hour
		for range 3 {
			began := time.Now()
			m.Text(text)
			least = min(least, time.Since(began))
		}
		return least
	}
	for name, part := range hostile() {
		const size = 8 << 10
		short, long := cost(strings.Repeat(part, size/len(part))), cost(strings.Repeat(part, 8*size/len(part)))
		if long > 32*short+20*time.Millisecond {
			t.Errorf("%q: %v, and %v for 8 times as much", name, short, long)
		}
	}
}
