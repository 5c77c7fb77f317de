package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRefused reads what the programs that people use most say where something is refused. $O is a place outside, $W the
// working directory, $N one outside that this person couldn't write either.
func TestRefused(t *testing.T) {
	t.Parallel()
	dir := real(t.TempDir())
	work, outside, nobody := filepath.Join(dir, "work"), filepath.Join(dir, "outside"), filepath.Join(dir, "nobody")
	for _, d := range []string{work + "/.git/hooks", work + "/sub", outside + "/a b", nobody} {
		must(t, os.MkdirAll(d, 0o755))
	}
	for _, f := range []string{work + "/file", work + "/script.sh", outside + "/file", outside + "/data", work + "/.git/config"} {
		must(t, os.WriteFile(f, nil, 0o644))
	}
	must(t, os.Symlink(outside, filepath.Join(work, "link")))
	must(t, os.Symlink(filepath.Join(outside, "later"), filepath.Join(work, "dangling")))
	b := find(Landlock, Profile{Directory: work, Network: true}, machine{linux: true, landlock: 7, mounts: true})
	off := find(Landlock, Profile{Directory: work}, machine{linux: true, landlock: 7, mounts: true})
	may := func(path string) bool { return !within(path, nobody) && mayWrite(path) }
	for _, c := range []struct {
		name, command, text string
		status              int
		want                Verdict
		paths               string // with blanks between
	}{
		{"bash", "", "bash: line 1: $O/x: Permission denied", 1, Refused, "$O/x"},
		{"bash by its path", "", "/bin/bash: line 1: $O/x: Permission denied", 1, Refused, "$O/x"},
		{"dash", "", "/bin/sh: 1: cannot create $O/x: Permission denied", 2, Refused, "$O/x"},
		{"dash, read-only", "", "sh: 1: cannot create $O/x: Read-only file system", 2, Refused, "$O/x"},
		{"zsh", "", "zsh:1: permission denied: $O/x", 1, Refused, "$O/x"},
		{"fish", "", "warning: An error occurred while redirecting file '$O/x'\nopen: Permission denied", 1, Refused, "$O/x"},
		{"cp", "", "cp: cannot create regular file '$O/x': Permission denied", 1, Refused, "$O/x"},
		{"cp, utf-8", "", "cp: cannot create regular file ‘$O/x’: Permission denied", 1, Refused, "$O/x"},
		{"cp of macOS", "", "cp: $O/x: Operation not permitted", 1, Refused, "$O/x"},
		{"mv out", "", "mv: cannot move 'file' to '$O/file': Permission denied", 1, Refused, "$O/file"},
		{"mv in", "", "mv: cannot remove '$O/file': Permission denied", 1, Refused, "$O/file"},
		{"rm", "", "rm: cannot remove '$O/file': Permission denied", 1, Refused, "$O/file"},
		{"mkdir", "", "mkdir: cannot create directory '$O/d': Permission denied", 1, Refused, "$O/d"},
		{"touch", "", "touch: cannot touch '$O/x': Permission denied", 1, Refused, "$O/x"},
		{"touch with a blank", "", "touch: cannot touch '$O/a b': Permission denied", 1, Refused, "$O/a b"},
		{"ln -s", "", "ln: failed to create symbolic link '$O/l': Permission denied", 1, Refused, "$O/l"},
		{"ln", "", "ln: failed to create hard link 'h' => '$O/file': Invalid cross-device link", 1, Refused, "$O/file"},
		{"tee", "", "tee: $O/x: Permission denied", 1, Refused, "$O/x"},
		{"sed -i", "", "sed: couldn't open temporary file $O/sedX8yGAU: Permission denied", 4, Refused, "$O/sedX8yGAU"},
		{"git index", "", "fatal: Unable to create '$O/.git/index.lock': Permission denied", 128, Refused, "$O/.git/index.lock"},
		{"git config", "", "error: could not write config file .git/config: Device or resource busy", 4, Refused, "$W/.git/config"},
		{"git clone", "", "fatal: could not create work tree dir '$O/r': Read-only file system", 128, Refused, "$O/r"},
		{"go mod", "", "go: could not create module cache: mkdir $O/mod: permission denied", 1, Refused, "$O/mod"},
		{"go build", "", "failed to initialize build cache at $O/go-build: mkdir $O/go-build: permission denied", 1, Refused, "$O/go-build"},
		{"go open", "", "open $O/a b/x: permission denied", 1, Refused, "$O/a b/x"},
		{"npm", "", "npm error code EACCES\nnpm error syscall mkdir\nnpm error path $O/m\nnpm error Error: EACCES: permission denied, mkdir '$O/m'", 243, Refused, "$O/m"},
		{"node", "", "Error: EROFS: read-only file system, open '$O/x'\n    at Object.openSync (node:fs:573:18)", 1, Refused, "$O/x"},
		{"pip", "", "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '$O/site'\nConsider using the `--user` option or check the permissions.", 1, Refused, "$O/site"},
		{"cargo", "", "error: failed to create directory `$O/registry`\n\nCaused by:\n  Permission denied (os error 13)", 101, Refused, "$O/registry"},
		{"make", "", "touch: cannot touch '$O/x': Permission denied\nmake: *** [Makefile:2: all] Error 1", 2, Refused, "$O/x"},
		{"curl -o", "", "Warning: Failed to open the file $O/x: Permission denied\ncurl: (23) Failure writing output to destination", 23, Refused, "$O/x"},
		{"tar", "", "tar: $O/x: Cannot open: Permission denied\ntar: Exiting with failure status due to previous errors", 2, Refused, "$O/x"},
		{"python", "", "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\nPermissionError: [Errno 13] Permission denied: '$O/x'", 1, Refused, "$O/x"},
		{"python rename", "", "PermissionError: [Errno 13] Permission denied: 'file' -> '$O/x'", 1, Refused, "$O/x"},
		{"rust", "", "Error: Os { code: 13, kind: PermissionDenied, message: \"Permission denied\" }", 1, Guess, ""},
		{"dd", "", "dd: failed to open '$O/x': Permission denied", 1, Refused, "$O/x"},
		{"rsync", "", "rsync: [receiver] mkstemp \"$O/.x.Ab1\" failed: Permission denied (13)", 23, Refused, "$O/.x.Ab1"},
		{"docker", "", "permission denied while trying to connect to the docker API at unix://$N/docker.sock", 1, "", ""},
		{"through a link", "", "touch: cannot touch 'link/x': Permission denied", 1, Refused, "$O/x"},
		{"a link to nothing", "", "bash: line 1: dangling: Permission denied", 1, Refused, "$O/later"},
		{"up and out", "", "touch: cannot touch '../outside/x': Permission denied", 1, Refused, "$O/x"},
		{"from elsewhere", "cd $O && touch x", "touch: cannot touch 'x': Permission denied", 1, Refused, "$O/x"},
		{"tar -C", "tar -C $O -xf a.tar", "tar: x: Cannot open: Permission denied", 2, Refused, "$O/x"},
		{"a hook", "", "bash: line 1: .git/hooks/pre-commit: Read-only file system", 1, Refused, "$W/.git/hooks/pre-commit"},
		{"a busy mount", "", "mv: cannot move '.git' to 'old': Device or resource busy", 1, Refused, "$W/.git"},
		{"two", "", "touch: cannot touch '$O/b': Permission denied\ntouch: cannot touch '$O/a': Permission denied", 1, Refused, "$O/a $O/b"},

		{"zsh 5.9, a blank", "", "zsh:1: permission denied: $O/a b/c d", 1, Refused, "$O/a b/c d"},
		{"ksh93u+m", "", "ksh: $O/x: cannot create [Permission denied]", 1, Refused, "$O/x"},
		{"mksh R59", "", "W: mksh: $O/x: create: Permission denied", 1, Refused, "$O/x"},
		{"busybox 1.35", "", "sh: can't create $O/x: Permission denied", 1, Refused, "$O/x"},
		{"git init", "", "fatal: cannot mkdir $O/r: Permission denied", 128, Refused, "$O/r"},
		{"git init there", "", "$O/.git: Permission denied", 1, Refused, "$O/.git"},
		{"git worktree", "", "Preparing worktree (new branch 'wt')\nfatal: could not create leading directories of '$O/wt/.git': Permission denied", 128, Refused, "$O/wt/.git"},
		{"gcc 12", "", "/usr/bin/ld: cannot open output file $O/a: Permission denied\ncollect2: error: ld returned 1 exit status", 1, Refused, "$O/a"},
		{"wget 1.21", "", "$O/x: Permission denied", 1, Refused, "$O/x"},
		{"unzip 6.0", "", "error:  cannot delete old $O/file\n        Permission denied", 50, Refused, "$O/file"},
		{"zip 3.0", "", "zip I/O error: Permission denied\nzip error: Could not create output file ($O/x.zip)", 15, Refused, "$O/x.zip"},
		{"rsync 3.2.7", "", "rsync: [generator] recv_generator: mkdir \"$O/pkg\" failed: Permission denied (13)\n*** Skipping any contents from this failed directory ***", 23, Refused, "$O/pkg"},
		{"vim 9.0", "", "E303: Unable to open swap file for \"$O/x\", recovery impossible\n\"$O/x\" E212: Can't open file for writing", 1, Refused, "$O/x"},
		{"vim in German", "", "\"$O/x\" E212: Datei kann nicht zum Schreiben geöffnet werden", 1, Refused, "$O/x"},
		{"vim, no directory", "", "\"$O/none/x\" E212: Can't open file for writing", 1, "", ""},
		{"ssh-keygen 9.2", "", "Saving key \"$O/key\" failed: Permission denied", 1, Refused, "$O/key"},
		{"curl 7.88, cut", "", "Warning: Failed to open the file $O/x: Permission \nWarning: denied\ncurl: (23) Failure writing output to destination", 23, Refused, "$O/x"},
		{"curl -sS", "", "curl: (23) Failure writing output to destination", 23, Guess, ""},
		{"sqlite 3.40", "", "Error: unable to open database \"$O/db\": unable to open database file", 1, Refused, "$O/db"},
		{"sqlite, a directory", "", "Error: unable to open database \"$O\": unable to open database file", 1, "", ""},
		{"awk", "", "awk: cannot open \"$O/x\" for output (Permission denied)", 2, Refused, "$O/x"},
		{"openssl 3", "", "Can't open \"$O/x\" for writing, Permission denied", 1, Refused, "$O/x"},
		{"sort -o", "", "sort: open failed: $O/x: Permission denied", 2, Refused, "$O/x"},
		{"node 20, rename", "", "Error: EXDEV: cross-device link not permitted, rename '$W/file' -> '$O/d'", 1, Refused, "$O/d"},
		{"bash, a blank", "", "bash: line 1: $O/a b/it is: Permission denied", 1, Refused, "$O/a b/it is"},
		{"a quote", "", `touch: cannot touch '$O/it'\''s': Permission denied`, 1, Refused, "$O/it's"},
		{"awk of others", "", "awk: cannot open $O/x for output (Permission denied)", 2, Refused, "$O/x"},
		{"node 20, mkdir -p", "", "npm error enoent ENOENT: no such file or directory, mkdir '$O/x'", 254, Refused, "$O/x"},
		{"node, a directory that isn't there", "", "Error: ENOENT: no such file or directory, mkdir '$O/none/x'", 1, "", ""},
		{"python rmtree", "", "    os.unlink(entry.name, dir_fd=topfd)\nPermissionError: [Errno 13] Permission denied: 'file'", 1, Guess, ""},
		{"German", "", "cp: reguläre Datei '$O/x' kann nicht angelegt werden: Keine Berechtigung", 1, Refused, "$O/x"},
		{"German bash", "", "bash: Zeile 1: $O/x: Keine Berechtigung", 1, Refused, "$O/x"},
		{"German zsh", "", "zsh:1: keine Berechtigung: $O/a b/x", 1, Refused, "$O/a b/x"},
		{"French", "", "mkdir: impossible de créer le répertoire «\u00a0$O/d\u00a0»: Permission non accordée", 1, Refused, "$O/d"},
		{"Spanish", "", "touch: no se puede efectuar \u2018touch\u2019 sobre '$O/x': Permiso denegado", 1, Refused, "$O/x"},
		{"Japanese", "", "touch: '$O/x' に touch できません: 許可がありません", 1, Refused, "$O/x"},
		{"Japanese zsh", "", "zsh:1: 許可がありません: $O/x", 1, Refused, "$O/x"},
		{"Russian", "", "rm: невозможно удалить '$O/file': Файловая система доступна только для чтения", 1, Refused, "$O/file"},
		{"Chinese", "", "tee: $O/x: 权限不够", 1, Refused, "$O/x"},
		{"German, inside", "", "rm: das Entfernen von '$W/file' ist nicht möglich: Keine Berechtigung", 1, NotTheSandbox, "$W/file"},
		{"by a variable", "cd $THERE && touch x", "touch: cannot touch 'x': Permission denied", 1, Refused, "$O/x"},
		{"from a quoted place", "cd \"$THERE/a b\" && touch x", "touch: cannot touch 'x': Permission denied", 1, Refused, "$O/a b/x"},
		{"in two steps", "cd sub; cd ../../outside; touch x", "touch: cannot touch 'x': Permission denied", 1, Refused, "$O/x"},
		{"in a copy", "cd $O && touch file", "touch: cannot touch 'file': Permission denied", 1, Refused, "$O/file"},
		{"a report that speaks of one", "", "--- FAIL: TestOpen\n    open_test.go:12: open $W/file: permission denied", 1, NotTheSandbox, "$W/file"},

		{"inside", "", "rm: cannot remove '$W/file': Permission denied", 1, NotTheSandbox, "$W/file"},
		{"no program", "./script.sh", "bash: line 1: ./script.sh: Permission denied", 126, NotTheSandbox, "$W/script.sh"},
		{"no program outside", "$O/data", "bash: line 1: $O/data: Permission denied", 126, NotTheSandbox, "$O/data"},
		{"couldn't anyway", "", "cat: $N/shadow: Permission denied", 1, NotTheSandbox, "$N/shadow"},
		{"couldn't make anyway", "", "mkdir: cannot create directory '$N/a': Permission denied", 1, NotTheSandbox, "$N/a"},

		{"no path", "", "PermissionError: [Errno 13] Permission denied", 1, Guess, ""},
		{"from where?", "make x", "touch: cannot touch 'x': Permission denied", 1, Guess, ""},
		{"a signal", "", "sh: 1: kill: Operation not permitted", 1, Guess, ""},

		{"grep", "grep zzz f", "", 1, "", ""},
		{"not found", "nosuch", "bash: line 1: nosuch: command not found", 127, "", ""},
		{"not found, nor all looked at", "nosuch x", "sh: 1: nosuch: Permission denied", 127, "", ""},
		{"missing", "", "cat: $O/none: No such file or directory", 1, "", ""},
		{"ssh key", "", "git@github.com: Permission denied (publickey).", 128, "", ""},
		{"ssh password", "", "Permission denied, please try again.", 255, "", ""},
		{"a database", "", "ERROR:  permission denied for table users", 1, "", ""},
		{"a remote", "", "remote: Permission to a/b.git denied to c.\nfatal: unable to access 'https://github.com/a/b.git/': The requested URL returned error: 403", 128, "", ""},
		{"went well", "", "touch: cannot touch '$O/x': Permission denied", 0, "", ""},
		{"network is on", "", "curl: (6) Could not resolve host: nosuch.example", 6, "", ""},
	} {
		in := strings.NewReplacer("$O", outside, "$W", work, "$N", nobody)
		v := b.Visit(run, Stay{})
		r := v.read(Failed{Command: in.Replace(c.command), Directory: work, Env: []string{"THERE=" + outside}, Status: c.status, Output: in.Replace(c.text) + "\n"}, may)
		want := in.Replace(c.paths)
		if r.Verdict != c.want || r.Network || strings.Join(r.Paths, " ") != want || (r.Verdict != "") != slices.Equal(r.Roots, []string{work}) {
			t.Errorf("%s: %q %v, want %q %s", c.name, r.Verdict, r.Paths, c.want, want)
		}
	}
	for _, text := range []string{
		"curl: (6) Could not resolve host: example.com", "ping: socket: Operation not permitted", "ssh: Could not resolve hostname x: Temporary failure in name resolution",
		"fatal: unable to access 'https://x/': Could not resolve host: x", "dial tcp: lookup x: socket: permission denied",
		"Error: getaddrinfo EAI_AGAIN registry.npmjs.org", "socket.gaierror: [Errno -3] Temporary failure in name resolution",
		"connect: Permission denied", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "nc: unix connect failed: Permission denied",
	} {
		v := off.Visit(run, Stay{})
		if r := v.read(Failed{Directory: work, Status: 1, Output: text}, may); r.Verdict != Refused || !r.Network || len(r.Paths) > 0 {
			t.Errorf("%s: %+v", text, r)
		}
	}
}

// Whatever a program prints, reading it ends, and names no more than it may.
func FuzzRefused(f *testing.F) {
	f.Add("bash: line 1: /etc/x: Permission denied\nopen '/a': permission denied", "cd /etc && touch x")
	f.Add("‘/x’: “y” `z': invalid cross-device link: a: b", "")
	dir := f.TempDir()
	v := find(Landlock, Profile{Directory: dir}, machine{linux: true, landlock: 7}).Visit(run, Stay{})
	f.Fuzz(func(t *testing.T, output, command string) {
		r := v.Refused(Failed{Command: command, Directory: dir, Status: 1, Output: output})
		if len(r.Paths) > mostPaths || slices.ContainsFunc(r.Paths, func(p string) bool { return !filepath.IsAbs(p) }) {
			t.Errorf("%+v", r)
		}
	})
}
