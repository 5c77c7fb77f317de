package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"wisp/engine/gate"
	"wisp/engine/stop"
)

// tree writes files, by path, into a new directory; a path that ends in / is an empty directory.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		full := filepath.Join(root, path)
		if strings.HasSuffix(path, "/") {
			must(t, os.MkdirAll(full, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(text), 0o644))
	}
	return root
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wideBytes(text string, big bool) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		if big {
			b = append(b, byte(unit>>8), byte(unit))
		} else {
			b = append(b, byte(unit), byte(unit>>8))
		}
	}
	return string(b)
}

// texts are files of all kinds.
func texts(t *testing.T) string {
	t.Helper()
	var numbers strings.Builder
	for i := range 1600 {
		fmt.Fprintln(&numbers, i+1)
	}
	root := tree(t, map[string]string{
		"a.txt": "one\ntwo\nthree\n", "open.txt": "one\ntwo", "empty": "", "numbers": numbers.String(), "sub/x.go": "x",
		"crlf": "a\r\nb\r\n", "bom": "\ufeffa\n", "utf16le": wideBytes("a😀\nb\n", false), "utf16be": wideBytes("a😀\nb\n", true),
		"odd16": "\xff\xfea\x00\x00\xd8b", "long": strings.Repeat("é", 5000) + "\nnext\n", "latin": "caf\xe9 au lait, long enough to be text\n",
		"escapes": "\x1b[31mred\x1b[0m and much more text to be text\n\u0085\n", "elf": "\x7fELF\x02\x01\x01\x00\x00", "png": "\x89PNG\r\n\x1a\nxxxx",
		"nul": "a\x00b", "garbage": strings.Repeat("\x01\x02\xfe", 20), "pdf.txt": "%PDF- is how a PDF begins\n", "readme.md": "x", "name\n\x1b[31m": "x\n",
	})
	must(t, os.Symlink("a.txt", filepath.Join(root, "link")))
	must(t, os.Symlink("gone", filepath.Join(root, "dangling")))
	must(t, os.Symlink("loop", filepath.Join(root, "loop")))
	return root
}

func TestReadText(t *testing.T) {
	t.Parallel()
	root := texts(t)
	for _, test := range []struct {
		path          string
		offset, limit int64
		want          string
		cut           bool
	}{
		{"a.txt", 1, 400, "     1\tone\n     2\ttwo\n     3\tthree", false},
		{"link", 1, 400, "     1\tone\n     2\ttwo\n     3\tthree", false},
		{"a.txt", 2, 1, "     2\ttwo\n… 1 more lines: offset 3", true},
		{"a.txt", 3, 1, "     3\tthree", false},
		{"open.txt", 1, 400, "     1\tone\n     2\ttwo", false},
		{"open.txt", 1, 1, "     1\tone\n… 1 more lines: offset 2", true},
		{"numbers", 399, 2, "   399\t399\n   400\t400\n… 1200 more lines: offset 401", true},
		{"empty", 1, 400, "empty is empty", false},
		{"crlf", 1, 400, "     1\ta\n     2\tb\n(its lines end in CR LF)", false},
		{"bom", 1, 400, "     1\ta\n(the file is UTF-8 with a byte-order mark)", false},
		{"utf16le", 1, 400, "     1\ta😀\n     2\tb\n(the file is UTF-16, little endian)", false},
		{"utf16be", 2, 400, "     2\tb\n(the file is UTF-16, big endian)", false},
		{"odd16", 1, 400, "     1\ta��\n(the file is UTF-16, little endian)", false},
		{"long", 1, 1, "     1\t" + strings.Repeat("é", 2000) + "… (3000 more characters in this line)\n… 1 more lines: offset 2", true},
		{"latin", 1, 400, "     1\tcaf\\xe9 au lait, long enough to be text\n(control characters and bytes that are no UTF-8 are shown as \\x1b)", false},
		{"escapes", 1, 400, "     1\t\\x1b[31mred\\x1b[0m and much more text to be text\n     2\t\\u0085\n(control characters and bytes that are no UTF-8 are shown as \\x1b)", false},
	} {
		got := readText(t.Context(), Machine{}, root, filepath.Join(root, test.path), test.offset, test.limit)
		if got.Text != test.want || got.Failed || got.Truncated != test.cut {
			t.Errorf("%s %d %d: %+v\nwant %q", test.path, test.offset, test.limit, got, test.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	root := texts(t)
	const look = ": it is not shown; a command such as file, xxd or strings can look into it"
	for _, test := range []struct {
		path   string
		offset int64
		want   string
	}{
		{"a.txt", 4, "a.txt has 3 lines: offset 4 is past its end"},
		{"a.txt", 1 << 62, "a.txt has 3 lines: offset 4611686018427387904 is past its end"},
		{"open.txt", 3, "open.txt has 2 lines: offset 3 is past its end"},
		{"empty", 2, "empty is empty: it has no line 2"},
		{"pdf.txt", 1, "pdf.txt is not text but a PDF document, 26 bytes" + look},
		{"elf", 1, "elf is not text but an ELF binary, 9 bytes" + look},
		{"nul", 1, "nul is not text but binary, 3 bytes" + look},
		{"garbage", 1, "garbage is not text but binary, 60 bytes" + look},
		{"png", 1, "png is a PNG image of 12 bytes: images can't be shown to you yet"},
		{"sub", 1, "sub is a directory: list_files shows what it holds"},
		{"README.md", 1, "README.md doesn't exist; did you mean readme.md?"},
		{"sub/x.ts", 1, "sub/x.ts doesn't exist; did you mean sub/x.go?"},
		{"sib/y/x.go", 1, "sib/y/x.go doesn't exist: . has no sib; did you mean sub?"},
		{"a.txt/b", 1, "a.txt/b doesn't exist: a.txt is a file"},
		{"qqqqqqqq", 1, "qqqqqqqq doesn't exist; list_files shows what does"},
		{"dangling", 1, "dangling is a symbolic link to something that doesn't exist"},
		{"loop", 1, "loop can't be read: its symbolic links lead in a circle"},
		{"name\n\x1b[31n", 1, `"name\n\x1b[31n" doesn't exist; did you mean "name\n\x1b[31m"?`},
	} {
		got := readText(t.Context(), Machine{}, root, filepath.Join(root, test.path), test.offset, 400)
		if got.Text != test.want || !got.Failed || got.Truncated {
			t.Errorf("%s %d: %+v\nwant %q", test.path, test.offset, got, test.want)
		}
	}
	outside := readText(t.Context(), Machine{}, filepath.Join(root, "sub"), filepath.Join(root, "a.txtt"), 1, 1)
	if want := filepath.Join(root, "a.txtt") + " doesn't exist; did you mean " + filepath.Join(root, "a.txt") + "?"; outside.Text != want {
		t.Errorf("got %s", outside.Text)
	}
}

// TestReadNeverBlocks reads what would wait for a writer, or never end.
func TestReadNeverBlocks(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	fifo, socket := filepath.Join(root, "fifo"), filepath.Join(root, "socket")
	must(t, syscall.Mkfifo(fifo, 0o600))
	listener, err := net.Listen("unix", socket)
	must(t, err)
	defer listener.Close()
	for path, want := range map[string]string{fifo: "a named pipe", socket: "a socket", "/dev/zero": "a device", "/dev/stdin": ""} {
		if got := readText(t.Context(), Machine{}, root, path, 1, 400); want != "" && (!got.Failed || !strings.Contains(got.Text, want)) {
			t.Errorf("%s: %+v", path, got)
		}
		if got := searchTree(t.Context(), Machine{}, root, path, searchFilesArguments{Pattern: "x", Limit: 1}); want != "" && !got.Failed {
			t.Errorf("search in %s: %+v", path, got)
		}
	}
	if got := readText(t.Context(), Machine{}, root, "/proc/self/status", 1, 1); got.Failed || !strings.Contains(got.Text, "Name:") {
		t.Errorf("a file without a size: %+v", got)
	}
}

func TestReadPageBound(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"wide": strings.Repeat(strings.Repeat("\x1bab", 500)+"\n", 500)})
	got := readText(t.Context(), Machine{}, root, filepath.Join(root, "wide"), 1, 2000)
	if len(got.Text) > maxPage+20_000 || !got.Truncated || !strings.Contains(got.Text, "more lines: offset") {
		t.Errorf("%d bytes: …%s", len(got.Text), got.Text[len(got.Text)-100:])
	}
}

// TestReadLargeFile reads deep within a large file whose last line is a hole of 16 MiB.
func TestReadLargeFile(t *testing.T) {
	t.Parallel()
	path, lines := largeFile(t)
	directory := filepath.Dir(path)
	got := readText(t.Context(), Machine{}, directory, path, lines-216, 2)
	want := fmt.Sprintf("%d\t0123456789abcde\n%d\t0123456789abcde\n… 216 more lines: offset %d", lines-216, lines-215, lines-214)
	if got.Text != want {
		t.Errorf("%.200s", got.Text)
	}
	if got := readText(t.Context(), Machine{}, directory, path, lines+1, 2); !strings.Contains(got.Text, fmt.Sprintf("(%d more characters in this line)", 16<<20-2000)) {
		t.Errorf("…%s", got.Text[max(0, len(got.Text)-200):])
	}
	ctx, s := stop.New(context.Background())
	s.Press()
	if got := readText(ctx, Machine{}, directory, path, lines, 2); !got.Stopped || !got.Failed {
		t.Errorf("after the stop: %.200s", got.Text)
	}
}

// largeFile is 16 MiB of lines and a hole of as much.
func largeFile(t testing.TB) (path string, lines int64) {
	path = filepath.Join(t.TempDir(), "large")
	file, err := os.Create(path)
	must(t, err)
	defer file.Close()
	part := strings.Repeat("0123456789abcde\n", 4096)
	for range 256 {
		_, err := file.WriteString(part)
		must(t, err)
	}
	must(t, file.Truncate(32<<20))
	return path, 256 * 4096
}

func BenchmarkReadDeep(b *testing.B) {
	path, lines := largeFile(b)
	b.SetBytes(16 << 20)
	b.ReportAllocs()
	for b.Loop() {
		if got := readText(b.Context(), Machine{}, "/", path, lines, 1); got.Failed {
			b.Fatal(got.Text)
		}
	}
}

func TestReadPlan(t *testing.T) {
	t.Parallel()
	tools := All(Machine{Env: []string{"HOME=/home/p"}})
	for _, test := range []struct{ tool, arguments, path, error string }{
		{"read_file", `{"path":"a/../b.txt"}`, "/w/b.txt", ""},
		{"read_file", `{"path":"/x/./y","offset":"3"}`, "/x/y", ""},
		{"read_file", `{"path":"~/k"}`, "/home/p/k", ""},
		{"read_file", `{"path":""}`, "", "path is empty"},
		{"read_file", `{"path":"a\u0000b"}`, "", "NUL"},
		{"list_files", `{}`, "/w", ""},
		{"list_files", `{"path":".."}`, "/", ""},
		{"search_files", `{"pattern":"x","path":"sub/"}`, "/w/sub", ""},
		{"search_files", `{"pattern":""}`, "", "pattern is empty"},
	} {
		tool, _ := Find(tools, test.tool)
		plan, err := tool.Plan(Call{Arguments: json.RawMessage(test.arguments), Directory: "/w"})
		if test.error != "" {
			if err == nil || !strings.Contains(err.Error(), test.error) {
				t.Errorf("%+v: %+v, %v", test, plan, err)
			}
			continue
		}
		if err != nil || plan.Class != gate.Read || len(plan.Paths) != 1 || plan.Paths[0] != test.path || plan.Tool != test.tool || plan.Title == "" {
			t.Errorf("%+v: %+v, %v", test, plan, err)
		}
	}
}

func FuzzReadPage(f *testing.F) {
	f.Add([]byte("a\nb\r\n\xff\xfe\x00"), int64(1), int64(3))
	f.Add([]byte("\xff\xfea\x00\n\x00\x00\xd8"), int64(2), int64(1))
	f.Fuzz(func(t *testing.T, content []byte, offset, limit int64) {
		root := t.TempDir()
		path := filepath.Join(root, "f")
		must(t, os.WriteFile(path, content, 0o600))
		got := readText(t.Context(), Machine{}, root, path, max(offset, 1), bound(limit, defaultLines, mostLines))
		if got.Text == "" || !utf8.ValidString(got.Text) || strings.ContainsAny(got.Text, "\x00\x1b\r") {
			t.Errorf("%q: %q", content, got.Text)
		}
	})
}
