package gate

import (
	"strings"
	"testing"
	"time"
)

// decide returns the strictest decision that rules make of a line, written "pattern: decision; …".
func decide(t *testing.T, rules, line string) Decision {
	t.Helper()
	var all []Rule
	for _, text := range strings.Split(rules, "; ") {
		at := strings.LastIndex(text, ": ")
		all = append(all, Rule{Pattern: text[:at], Decision: Decision(text[at+2:])})
	}
	strictest, rank := Allow, map[Decision]int{Allow: 0, "": 1, AskFirst: 2, Deny: 3}
	for _, s := range New(Config{Rules: all}).judge(Plan{Class: Run, Command: line}) {
		if (!s.Wrapper || s.decision == Deny) && rank[s.decision] > rank[strictest] {
			strictest = s.decision
		}
	}
	return strictest
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		rules, line string
		want        Decision
	}{
		{"git status *: allow", "git status", Allow}, {"git status *: allow", "git status -s", Allow}, {"git status *: allow", "git statusx", ""},
		{"*: ask; git *: allow", "git log", Allow}, {"git *: allow; *: ask", "git log", AskFirst}, {"*: ask; git *: allow", "git log; ls", AskFirst},
		// Every command of a chain, and what hides in it.
		{"git *: allow", "git log && curl x | sh", ""}, {"git *: allow; cat *: allow", "cat f | git log", Allow}, {"git *: allow", "git log $(X)", ""}, {"git *: allow", "git log `X`", ""},
		{"git *: allow", "git log \"$(X)\"", ""}, {"cat *: allow", "cat <(X)", ""}, {"cat *: allow", "cat <<<\"$(X)\"", ""}, {"cat *: allow", "cat <<E\n$(X)\nE", ""},
		{"cat *: allow", "cat <<'E'\n$(X)\nE", Allow}, {"git *: allow", "git log '$(X)'", Allow}, {"cat *: allow", "cat \"<(x)\"", Allow}, {"grep *: allow", `grep -E "halt|poweroff" f`, Allow},
		{"git *: allow; npm test: allow", "git add . && npm test 2>&1", Allow}, {"git *: allow", "echo 'x", ""}, {"*: allow", "echo 'x", ""},
		// Deny by any spelling.
		{"rm *: deny", "env rm x", Deny}, {"rm *: deny", "xargs rm", Deny}, {"rm *: deny", "find . -exec rm {} +", Deny}, {"rm *: deny", `sh -c "rm x"`, Deny}, {"rm *: deny", "timeout 5 rm x", Deny},
		{"rm *: deny", `eval "rm x"`, Deny}, {"rm *: deny", "/bin/rm x", Deny}, {"rm *: deny", `r\m x`, Deny}, {"rm *: deny", "a; (b | { rm x; })", Deny}, {"rm *: deny", "rm", Deny}, {"rm *: deny", "sudo rm x", Deny},
		{"rm *: deny", "$EMPTY rm x", Deny}, {"rm *: deny", "rmdir x", ""}, {"/bin/rm *: deny", "rm x", Deny}, {"sudo *: deny", "sudo ls", Deny}, {"env *: deny", "env ls", Deny}, {"rm *: deny", "echo rm x", ""},
		{"rm *: deny", "x; rm y (", Deny}, {"*: allow; rm *: deny", "echo `rm x`", Deny}, {"rm *: deny", "alias a='rm x'", Deny}, {"rm *: deny", "trap 'rm x' EXIT", Deny}, {"rm *: deny", "{rm,x}", Deny},
		{"git push*: deny", "git -C . push", Deny}, {"git push*: deny", "git --no-pager push", Deny}, {"git push*: deny", "cd . && git push", Deny}, {"git push *: deny", "git -c a=b -C x push y", Deny},
		{"git push *: deny", "/usr/lib/git-core/git-push x", Deny}, {"kubectl delete *: deny", "kubectl -n p delete x", Deny}, {"git push*: deny", "git status", ""}, {"* > *: deny", "echo x > f", Deny},
		// Allow by the bare name only, and no option that writes or runs.
		{"git *: allow", "gitx", ""}, {"git diff*: allow", "git difftool -x sh", ""}, {"git diff*: allow", "git diff --stat", Allow}, {"git *: allow", "git difftool -x sh", ""}, {"git *: allow", "./git log", ""},
		{"./git *: allow", "./git log", Allow}, {"git *: allow", "/bin/git log", ""}, {"git *: allow", "git -c core.pager=x log", ""}, {"git -c *: allow", "git -c color.ui=always log", Allow}, {"git -c *: allow", "git -c core.pager=x log", ""},
		{"git *: allow", "git diff --output=x", ""}, {"find *: allow", "find . -delete", ""}, {"find * -delete: allow", "find . -delete", Allow}, {"sort *: allow", "sort -uo x x", ""}, {"*: allow", "$CMD -rf", ""},
		{"*: allow", `eval "$x"`, ""}, {"echo *: allow", "echo x > f", ""}, {"echo *: allow", "echo x > /dev/null", Allow}, {"echo * > out: allow", "echo x > out", Allow}, {"git *: allow", "PATH=/tmp git log", ""},
		{"git *: allow; export *: allow", "export PATH=/tmp; git log", ""}, {"git *: allow", "LANG=C git log", Allow}, {"git *: allow", "sudo git log", ""}, {"git *: allow", "env git log", Allow},
		{"git *: allow", "timeout 5 git log", Allow}, {"git *: allow", "sh -c 'git log'", Allow}, {"git log *: allow", "git --no-pager log", Allow}, {"git *: allow", "'git log' x", ""}, {"npm run test:*: allow", "npm run test:unit", Allow},
	} {
		if got := decide(t, row.rules, row.line); got != row.want {
			t.Errorf("%s | %s: %q, want %q", row.rules, row.line, got, row.want)
		}
	}
}

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "", true}, {"*", "a b", true}, {"a", "a", true}, {"a", "ab", false}, {"a*c", "abc", true}, {"a*c", "ac", true}, {"a*a", "a", false}, {"*b*", "abc", true}, {"a*b*c", "acb", false},
		{"a *", "a", true}, {"a *", "a b", true}, {"a *", "ab", false}, {"a * b", "a b", false}, {"a**b", "ab", true}, {"", "", true}, {"", "a", false}, {"a *", "a \n b", true}, {"* x *", "a x b", true},
	} {
		if got := glob(row.pattern, row.text); got != row.want {
			t.Errorf("%q over %q: %v", row.pattern, row.text, got)
		}
	}
	start := time.Now()
	glob(strings.Repeat("*a", 5000)+"b", strings.Repeat("a", 1<<20))
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("a pattern of many stars took %s", took)
	}
}

func TestDefaultDenyList(t *testing.T) {
	t.Parallel()
	denied := map[string][]string{
		"rm -rf /": {"rm -rf /", "rm -fr /*", "rm -r -f --no-preserve-root /", "/bin/rm -rf //", "rm -rf ~", "rm -rf ~/", "rm -rf $HOME", `rm -rf "${HOME}"/*`, "rm -rf /home/x", "rm -rf /home/x/", "sudo rm -rf /",
			"cd / && rm -rf *", "cd ~; rm -rf .", "rm -rf /home/../", "rm --recursive --force /", "rm -rf /.", `r\m -Rf '/'`, "sh -c 'rm -rf /'", "ssh h 'rm -rf /'", "find / -delete", "find ~ -exec rm -rf {} +", "$X rm -rf /", "rm -rf x /", "rm -rf {a,/}",
			"rm$IFS-rf$IFS/", "echo 'rm -rf /' | sh", "rm -rf / 2>/dev/null", "echo ${(f)x}; rm -rf /", "if true; then rm -rf /; fi", "rm -rf /?*", "rm -rf -- /", "xargs rm -rf /", "f() { rm -rf /; }", "rm -rf ~x"},
		"write to a raw disk":   {"dd if=x of=/dev/sda", "cat x > /dev/sda", "cat x >/dev/nvme0n1", "mkfs.ext4 /dev/sdb1", "mkfs -t ext4 /dev/sda", "tee /dev/sda", "cp x /dev/../dev/sda", "sudo dd of=/dev/disk2", "shred /dev/sda", "{ cat x; } > /dev/vda", "wipefs -a /dev/sda"},
		":(){ :|:& };:":         {":(){ :|:& };:", "b() { b | b & }; b", "bash -c ':(){ :|:& };:'", "function b { b | b & }"},
		"wisp approvals *":      {"wisp approvals list", "wisp approvals answer 1 yes", "./wisp approvals clear", "wisp --json approvals", "env wisp approvals"},
		"wisp chat|ask|acp|mcp": {"wisp chat", "wisp ask hello", "wisp acp", "wisp mcp", "wisp-tui", "/usr/local/bin/wisp-tui", "wisp", "nohup wisp chat &", "wisp --yes ask x", "echo x | wisp ask"},
	}
	g := New(Config{Home: "/home/x"})
	for rule, lines := range denied {
		for _, line := range lines {
			for _, r := range []Request{{Origin: Model}, {Origin: Person}, {Origin: Person, Outside: true}} {
				r.Class, r.Command, r.Directory = Run, line, "/home/x/src"
				v := g.Check(t.Context(), r)
				if v.Cleared != nil || v.Decision != "denied" || v.Rule != rule || !strings.HasPrefix(v.Reason, "denied by the rule `"+rule+"`: ") {
					t.Errorf("%s for %s: %+v", line, r.Origin, v)
				}
			}
		}
	}
	for _, line := range []string{"rm -rf build", "rm -rf ./x", "rm -rf /tmp/x", "rm -rf *", "rm -rf ~/x", "rm x", "rm /x", "dd if=/dev/sda of=x", "cat x > /dev/null", "lsblk /dev/sda", "fdisk -l /dev/sda", "wisp threads", "wisp --version", "wisp doctor",
		"echo 'rm -rf /'", "grep -r 'wisp approvals' .", "f() { f; }; f", "find / -name x", "find . -delete", "rm -rf $X", "cat <<'E'\nrm -rf /\nE", "git log -- wisp"} {
		if v := g.Check(t.Context(), Request{Origin: Person, Plan: Plan{Class: Run, Command: line, Directory: "/home/x/src"}}); v.Cleared == nil {
			t.Errorf("%s: %+v", line, v)
		}
	}
	if v := New(Config{Unsafe: true}).Check(t.Context(), Request{Origin: Person, Plan: Plan{Class: Run, Command: "rm -rf /"}}); v.Cleared == nil {
		t.Error("--unsafe keeps the deny list")
	}
}
