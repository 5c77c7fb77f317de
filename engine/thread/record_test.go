package thread

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func config(home string) Config {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	return Config{Home: home, Directory: "/dir", Version: "0.1", Now: func() time.Time { return at }}
}

// create returns a thread of three entries.
func create(t *testing.T, home string) *Record {
	t.Helper()
	r, err := Create(config(home))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	must(t, r.Append(
		Entry{Turn: 1, Kind: Prompt, Text: "one"},
		Entry{Turn: 1, Step: 1, Kind: Reply, Text: "two"},
		Entry{Turn: 2, Kind: Prompt, Text: "three"},
	))
	return r
}

func reopen(t *testing.T, home, id string) *Record {
	t.Helper()
	c := config(home)
	c.ID = id
	r, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func texts(entries []Entry) string {
	var all []string
	for _, e := range entries {
		all = append(all, fmt.Sprintf("%d:%s", e.Number, e.Text))
	}
	return strings.Join(all, " ")
}

func TestCreateTouchesNothingBeforeTheFirstEntry(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	r, err := Create(config(home))
	must(t, err)
	must(t, r.Sync())
	must(t, r.Close())
	if _, err := os.Stat(home); !os.IsNotExist(err) {
		t.Fatalf("home is there: %v", err)
	}
}

func TestEverythingIsPrivate(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	r := create(t, home)
	_, path, err := r.NewOutput()
	must(t, err)
	for _, dir := range []string{home, filepath.Join(home, "threads"), r.Folder(), filepath.Dir(path)} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v", dir, info.Mode(), err)
		}
	}
	for _, file := range []string{r.Path(), filepath.Join(r.Folder(), "holder")} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", file, info.Mode(), err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := create(t, home)
	batch := []Entry{
		{Turn: 2, Step: 1, Kind: CallKind, Call: &Call{ID: "a", Name: "shell", Arguments: json.RawMessage("{ \"command\": \"ls <a>\" }")}},
		{Turn: 2, Step: 1, Kind: CallKind, Call: &Call{ID: "b", Name: "shell", Arguments: json.RawMessage("{\"command\": ")}},
		{Turn: 2, Kind: Prompt, Text: "\x00\u2028\n\xff" + strings.Repeat("x", 2<<20)},
	}
	must(t, r.Append(batch...))
	must(t, r.Sync())
	if batch[2].Number != 6 || r.Last() != 6 || batch[2].Time.IsZero() {
		t.Fatalf("number %d, last %d", batch[2].Number, r.Last())
	}
	must(t, r.Close())
	again := reopen(t, home, strings.ToLower(r.ID()))
	if len(again.Notes()) > 0 || again.Header() != r.Header() {
		t.Fatalf("%q, %v and %v", again.Notes(), again.Header(), r.Header())
	}
	got := again.Entries()
	if a := got[3].Call.Arguments; string(a) != `{"command":"ls <a>"}` || string(r.Entries()[3].Call.Arguments) != string(a) {
		t.Errorf("arguments %s", a)
	}
	if a := got[4].Call.Arguments; string(a) != `"{\"command\": "` {
		t.Errorf("arguments %s", a)
	}
	if want := "\x00\u2028\n\uFFFD"; !strings.HasPrefix(got[5].Text, want) || len(got[5].Text) != len(want)+2<<20 {
		t.Errorf("text of %d bytes", len(got[5].Text))
	}
	if again.Last() != 6 {
		t.Errorf("last %d", again.Last())
	}
}

// What a crash can leave at the end, and what a damaged middle costs.
func TestDamage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		damage func(string) string
		want   string // the entries after one more was added
		note   string
		torn   string
	}{
		"half a line":       {func(s string) string { return s[:len(s)-20] }, "1:one 2:two 3:new", "not written whole", `{"number":3`},
		"no newline":        {func(s string) string { return s[:len(s)-1] }, "1:one 2:two 3:three 4:new", "", ""},
		"zeros":             {func(s string) string { return s + strings.Repeat("\x00", 500) }, "1:one 2:two 3:three 4:new", "the last 500 bytes", "\x00\x00"},
		"bad last line":     {func(s string) string { return s + "{\"number\":4,\"ki\n" }, "1:one 2:two 3:three 4:new", "not written whole", `{"number":4,"ki`},
		"two bad last ones": {func(s string) string { return s + "x\ny" }, "1:one 2:two 3:three 4:new", "the last 3 bytes", "x\ny"},
		"blank last line":   {func(s string) string { return s + "\n\n" }, "1:one 2:two 3:three 4:new", "", ""},
		"bad middle":        {func(s string) string { return strings.Replace(s, `{"number":2`, `{"num`, 1) }, "1:one 3:three 4:new", "line 3 of the record is damaged", ""},
		"fused":             {func(s string) string { return strings.Replace(s, "}\n{\"number\":3", "}{\"number\":3", 1) }, "1:one 2:new", "not written whole", `"two"`},
		"no header":         {func(s string) string { return "x" + s }, "1:one 2:two 3:three 4:new", "line 1 of the record is damaged", ""},
		"half a header":     {func(s string) string { return s[:20] }, "1:new", "not written whole", `{"record":1,`},
		"empty":             {func(s string) string { return "" }, "1:new", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			r := create(t, home)
			must(t, r.Close())
			data, err := os.ReadFile(r.Path())
			must(t, err)
			must(t, os.WriteFile(r.Path(), []byte(test.damage(string(data))), 0o600))

			again := reopen(t, home, r.ID())
			if notes := strings.Join(again.Notes(), "; "); !strings.Contains(notes, test.note) || test.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
			torn, _ := os.ReadFile(filepath.Join(r.Folder(), tornName))
			if !strings.Contains(string(torn), test.torn) || test.torn == "" && len(torn) > 0 {
				t.Errorf("set aside %q, want %q", torn, test.torn)
			}
			must(t, again.Append(Entry{Turn: 3, Kind: Prompt, Text: "new"}))
			must(t, again.Close())
			h, err := Read(home, r.ID())
			must(t, err)
			if got := texts(h.Entries); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestManyDamagedLinesAreCounted(t *testing.T) {
	t.Parallel()
	good := `{"number":1,"kind":"prompt"}` + "\n"
	h, err := parse(strings.NewReader(strings.Repeat("x\n", 100) + good + strings.Repeat("x\n", 100) + good))
	must(t, err)
	if len(h.Notes) != maxNotes+1 || h.Notes[maxNotes] != "180 more lines of the record are damaged and left out" {
		t.Errorf("%d notes, the last %q", len(h.Notes), h.Notes[len(h.Notes)-1])
	}
}

func TestRefusedUntouched(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ content, want string }{
		"newer":     {"{\"record\":2,\"version\":\"7.0\"}\n{\"number\":1,\"kin", "written by a newer wisp (7.0)"},
		"no record": {"hello\nworld\n", "holds no line that can be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			r := create(t, home)
			must(t, r.Close())
			must(t, os.WriteFile(r.Path(), []byte(test.content), 0o600))
			c := config(home)
			c.ID = r.ID()
			_, err := Open(c)
			size := fmt.Sprintf("(%d bytes)", len(test.content))
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), r.Path()) || !strings.Contains(err.Error(), size) {
				t.Errorf("%v", err)
			}
			if data, _ := os.ReadFile(r.Path()); string(data) != test.content {
				t.Errorf("now %q", data)
			}
			if files, _ := os.ReadDir(r.Folder()); len(files) != 1 {
				t.Errorf("files %v", files)
			}
		})
	}
}

func TestNotFoundIsOnlyNotFound(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := create(t, home)
	must(t, r.Close())
	for _, id := range []string{"", "../../etc", "01KEFRQ6Y0000000000000000A"} {
		c := config(home)
		c.ID = id
		if _, err := Open(c); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	c := config(home)
	c.ID = r.ID()
	must(t, os.Truncate(r.Path(), maxRecord+1))
	if _, err := Open(c); err == nil || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), r.Path()) || !strings.Contains(err.Error(), fmt.Sprint(maxRecord+1)) {
		t.Errorf("too large: %v", err)
	}
	must(t, os.Remove(r.Path()))
	must(t, os.Mkdir(r.Path(), 0o700))
	if _, err := Open(c); err == nil || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), r.Path()) {
		t.Errorf("a folder: %v", err)
	}
}

func TestOneWriter(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := create(t, home)
	c := config(home)
	c.ID = r.ID()
	_, err := Open(c)
	var held *HeldError
	if !errors.As(err, &held) || held.PID != os.Getpid() || !held.Since.Equal(c.Now()) {
		t.Fatalf("%v", err)
	}
	if h, err := Read(home, r.ID()); err != nil || len(h.Entries) != 3 {
		t.Errorf("read only: %v", err)
	}
	must(t, r.Close())
	must(t, reopen(t, home, r.ID()).Close())
	if err := r.Append(Entry{Kind: Prompt}); !errors.Is(err, ErrClosed) {
		t.Errorf("after close: %v", err)
	}
}

func TestOneWriteABatch(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := create(t, home)
	data, err := os.ReadFile(r.Path())
	must(t, err)
	if got := bytes.Count(data, []byte("\n")); got != 4 || !bytes.HasPrefix(data, []byte(`{"record":1,"thread":"`+r.ID())) {
		t.Errorf("%d lines: %s", got, data)
	}
}

func TestUnwritableHomeKeepsEntries(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	must(t, os.WriteFile(home, nil, 0o600)) // a file where the folder should be
	r, err := Create(config(home))
	must(t, err)
	if err := r.Append(Entry{Kind: Prompt, Text: "one"}); err == nil || !strings.Contains(err.Error(), r.Path()) {
		t.Fatalf("%v", err)
	}
	if err := r.Append(Entry{Kind: Prompt, Text: "two"}); err == nil || r.Trouble() != err {
		t.Fatalf("again: %v, trouble %v", err, r.Trouble())
	}
	must(t, os.Remove(home))
	must(t, r.Append(Entry{Kind: Prompt, Text: "three"}))
	must(t, r.Close())
	if r.Trouble() != nil {
		t.Errorf("trouble %v", r.Trouble())
	}
	h, err := Read(home, r.ID())
	must(t, err)
	if got := texts(h.Entries); got != "1:one 2:two 3:three" || h.Header.Thread != r.ID() {
		t.Error(got)
	}
}

func TestWhatWaitsIsBounded(t *testing.T) {
	t.Parallel()
	half := make([]byte, maxPending/2)
	r := &Record{pending: [][]byte{half[:10], half[:20], half, half}}
	r.bound()
	if len(r.pending) != 2 || r.lost != 2 {
		t.Errorf("%d waiting, %d lost", len(r.pending), r.lost)
	}
	if err := r.report(os.ErrPermission); !strings.Contains(err.Error(), "2 entries") {
		t.Error(err)
	}
	r = &Record{pending: [][]byte{make([]byte, maxPending+1)}}
	if r.bound(); len(r.pending) != 1 {
		t.Error("the newest is lost")
	}
}

func TestOutputs(t *testing.T) {
	t.Parallel()
	r := create(t, t.TempDir())
	if _, _, err := r.FindOutput("abcd"); err == nil {
		t.Error("found nothing")
	}
	id, path, err := r.NewOutput()
	must(t, err)
	must(t, os.WriteFile(path, []byte("x"), 0o600))
	for _, prefix := range []string{id, id[:4], strings.ToUpper(id)} {
		if got, gotPath, err := r.FindOutput(prefix); got != id || gotPath != path || err != nil {
			t.Errorf("%s: %s %s %v", prefix, got, gotPath, err)
		}
	}
	must(t, os.WriteFile(filepath.Join(filepath.Dir(path), id[:4]+"zzzz.txt"), nil, 0o600))
	for _, prefix := range []string{"", id[:3], id[:4], "../record"} {
		if _, _, err := r.FindOutput(prefix); err == nil {
			t.Errorf("%q found", prefix)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if all, err := List(home); len(all) > 0 || err != nil {
		t.Fatalf("%v %v", all, err)
	}
	first, second, third := create(t, home), create(t, home), create(t, home)
	must(t, os.MkdirAll(filepath.Join(home, "threads", "other"), 0o700))
	for i, r := range []*Record{second, third, first} {
		at := time.Unix(1000+int64(i), 0)
		must(t, os.Chtimes(r.Path(), at, at))
	}
	must(t, os.WriteFile(third.Path(), []byte("x"), 0o600))
	must(t, os.Chtimes(third.Path(), time.Unix(1001, 0), time.Unix(1001, 0)))
	all, err := List(home)
	must(t, err)
	if len(all) != 3 || all[0].Thread != first.ID() || all[1].Thread != third.ID() || all[2].Thread != second.ID() {
		t.Fatalf("%+v", all)
	}
	if all[0].Directory != "/dir" || all[0].Problem != "" || !strings.Contains(all[1].Problem, third.Path()) {
		t.Errorf("%+v", all)
	}
}
