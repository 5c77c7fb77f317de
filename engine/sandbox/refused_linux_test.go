package sandbox

import (
	"slices"
	"strings"
	"testing"
)

// What the shells and programs that are here really say where the sandbox refuses is told as that, with the path; and what
// fails by itself isn't. OUT is a place outside.
func TestRefusedReally(t *testing.T) {
	t.Parallel()
	for name, find := range there(t) {
		for _, c := range []struct {
			program, command string
			want             string // the paths, "" for no word; $OUT and $PWD stand in it
		}{
			{"sh", "echo x > $OUT/new", "$OUT/new"},
			{"dash", "dash -c 'echo x >> $OUT/file'", "$OUT/file"},
			{"bash", "bash -c 'echo x > \"$OUT/it is\"'", "$OUT/it is"},
			{"zsh", "zsh -c 'echo x > \"$OUT/it is\"'", "$OUT/it is"},
			{"ksh", "ksh -c 'echo x > $OUT/new'", "$OUT/new"},
			{"fish", "fish -c 'echo x > $OUT/new'", "$OUT/new"},
			{"cp", "cp file $OUT/new", "$OUT/new"},
			{"mv", "mv $OUT/file .", "$OUT/file"},
			{"mkdir", "mkdir -p $OUT/d/e", "$OUT/d"},
			{"touch", "touch \"$OUT/it's\"", "$OUT/it's"},
			{"tee", "echo x | tee $OUT/new >/dev/null && exit 1 || exit 2", "$OUT/new"},
			{"rm", "rm -rf $OUT", "$OUT/file"},
			{"ln", "ln -s file $OUT/l", "$OUT/l"},
			{"dd", "dd if=/dev/zero of=$OUT/new count=1", "$OUT/new"},
			{"git", "git init -q $OUT/r", "$OUT/r"},
			{"git", "git clone -q . $OUT/r", "$OUT/r"},
			{"git", "git config user.name x", "$PWD/.git/config"},
			{"make", "printf 'all:\\n\\ttouch $$OUT/new\\n' > Makefile; make", "$OUT/new"},
			{"gcc", "printf 'int main(){return 0;}' > a.c; gcc -o $OUT/a a.c", "$OUT/a"},
			{"node", `node -e 'require("fs").writeFileSync(process.env.OUT + "/new", "x")'`, "$OUT/new"},
			{"npm", "cd $OUT && npm init -y", "$OUT/package.json"},
			{"python3", `python3 -c 'import os; os.mkdir(os.environ["OUT"] + "/d")'`, "$OUT/d"},
			{"curl", "curl -o $OUT/new file:///etc/hostname", "$OUT/new"},
			{"tar", "tar cf $OUT/x.tar file", "$OUT/x.tar"},
			{"vim", "vim -es -u NONE -c 'redir >> /dev/stderr' -c \"w! $OUT/new\" -c q! </dev/null", "$OUT/new"},
			{"ssh-keygen", "ssh-keygen -q -t ed25519 -N '' -f $OUT/key", "$OUT/key"},
			{"rsync", "rsync -r sub $OUT/", "$OUT/sub"},
			{"sh", "touch ../outside/new", "$OUT/new"},
			{"sh", "cd sub && touch ../../outside/new", "$OUT/new"},
			{"sh", "cd $OUT && touch new", "$OUT/new"},
			{"sh", "echo x > .git/hooks/pre-commit", "$PWD/.git/hooks/pre-commit"},

			{"sh", "touch $OUT/new; true", ""},
			{"grep", "grep zzz file", ""},
			{"sh", "nosuchprogram", ""},
			{"sh", "cat $OUT/none", ""},
			{"sh", "mkdir sub", ""},
			{"sh", "exit 3", ""},
			{"sh", "echo 'permission denied for table x' >&2; exit 1", ""},
		} {
			t.Run(name+"/"+c.command, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				in := strings.NewReplacer("$OUT", s.outside, "$PWD", s.work)
				b := find(s.profile)
				r := s.in(t, b, "command -v "+c.program+" >/dev/null || exit 0; "+c.command)
				if r.status == 0 {
					return // or the program isn't here
				}
				v := b.Visit(run, Stay{})
				got := v.Refused(Failed{Command: c.command, Directory: s.work, Env: []string{"OUT=" + s.outside}, Status: r.status, Output: r.out})
				if c.want == "" && got.Verdict != "" || c.want != "" && (got.Verdict != Refused || !slices.Contains(got.Paths, in.Replace(c.want))) {
					t.Errorf("%d %q: %+v", r.status, r.out, got)
				}
				if got.Verdict != "" && !slices.Equal(got.Roots, b.Roots()) {
					t.Errorf("roots %q", got.Roots)
				}
			})
		}
	}
}
