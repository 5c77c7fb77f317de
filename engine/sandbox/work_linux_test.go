package sandbox

import "testing"

// Ordinary work goes on inside.
func TestWorkInside(t *testing.T) {
	t.Parallel()
	for name, find := range there(t) {
		for what, command := range map[string]string{
			"write":            "echo new > file && echo x > made && mkdir d && mv made d/ && rm d/made && rmdir d",
			"cut short":        ": > file",
			"temporary":        `f=$(mktemp) && echo x > "$f" && rm "$f"`,
			"devices":          "echo x > /dev/null; echo x > /dev/stdout; echo x >&2; : > /dev/zero; head -c1 /dev/urandom >/dev/null; : >/dev/shm/wisp-test-$$ && rm /dev/shm/wisp-test-$$",
			"link":             "ln file hard && ln -s file soft && rm hard soft",
			"git":              "git add file && git commit -qm one && git commit -q --allow-empty -m two && git checkout -qb next && git tag t && git gc -q && git log --oneline | wc -l",
			"git in a part":    "cd sub && echo x > f && git add f && git commit -qm one",
			"background child": "(sleep 0.01; echo late > late) & wait; cat late",
			"signals inside":   "sleep 60 & kill $! && ! wait $!",
			"reading":          "cat $OUT/file && cat /etc/passwd >/dev/null",
			"pipes":            "yes | head -n 1000 | sort | uniq -c",
			"a terminal":       `command -v script >/dev/null || exit 0; script -qec "echo tty" /dev/null`,
			"branches":         "git init -q r && cd r && echo a > f && git add f && git commit -qm one && echo b >> f && git stash -q && git stash pop -q && git commit -qam two && git checkout -qb x HEAD~ && echo c > g && git add g && git commit -qm three && git rebase -q master 2>/dev/null || git rebase -q main",
			"a worktree":       "git add file && git commit -qm one && git worktree add -q wt && cd wt && echo x > f && git add f && git commit -qm two && git worktree list | wc -l | grep -q 2",
			"clone and pull":   "git init -q $TMPDIR/lib && (cd $TMPDIR/lib && echo x > l && git add l && git commit -qm l) && git clone -q $TMPDIR/lib new && cd new && git pull -q",
			"limits":           "ulimit -n 200; ulimit -c 0; nice -n 5 true; timeout 5 true; nohup true; setsid true; renice -n 6 -p $$ >/dev/null",
			"make and gcc": `has gcc && has make || exit 0; printf 'int main(){return 0;}' > a.c; printf 'a: a.c
	gcc -o a a.c
' > Makefile; make -s && ./a`,
			"python pools":    `has python3 || exit 0; python3 -c 'import multiprocessing as m; p = m.Pool(2); assert p.map(abs, [1, -2]) == [1, 2]; q = m.Queue(); q.put(1); q.get()'`,
			"a python venv":   "has python3 || exit 0; python3 -m venv --without-pip ve && ve/bin/python -c 'print(1)'",
			"a unix socket":   `has python3 || exit 0; python3 -c 'import os, socket as s; l = s.socket(s.AF_UNIX); l.bind(os.environ["TMPDIR"] + "/s"); l.listen(); s.socket(s.AF_UNIX).connect(os.environ["TMPDIR"] + "/s")'`,
			"node's children": `has node || exit 0; echo 'process.send(1, () => process.disconnect())' > c.js; node -e 'require("fs").watch(".").close(); new (require("worker_threads").Worker)("1", {eval: true}); require("child_process").fork("c.js")'`,
			"npm":             `has npm || exit 0; mkdir dep && echo '{"name": "dep", "version": "1.0.0"}' > dep/package.json && npm install -s --offline --cache $PWD/.npm ./dep && test -e node_modules/dep`,
			"a database":      "has sqlite3 || exit 0; sqlite3 db 'pragma journal_mode = wal; create table a(b); insert into a values(1); select * from a;' | grep -q 1",
			"keys":            "has ssh-keygen || exit 0; ssh-keygen -q -t ed25519 -N '' -f key",
			"archives":        "tar cf a.tar file && mkdir x && tar xf a.tar -C x && test -e x/file",
		} {
			if name != "landlock" && (what == "npm" || what == "python pools" || what == "a python venv") {
				continue // they take seconds, and nothing of theirs is bubblewrap's
			}
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				r := s.in(t, find(s.profile), `has() { command -v "$1" >/dev/null; }; `+command)
				if r.status != 0 || len(r.changed) > 0 {
					t.Errorf("%d, %q, changed %v", r.status, r.out, r.changed)
				}
			})
		}
	}
}
