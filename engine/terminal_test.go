package engine

import "testing"

func TestWantsTerminal(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"vim x": true, "less f": true, "fzf": true, "git log | less": true, "sudo nano /etc/hosts": true, "/usr/bin/vi x": true,
		"ssh host": true, "ssh host uptime": false, "python3": true, "python3 x.py": false, "top": true, "top -b -n 1": false,
		"ls": false, "echo vim": false, "grep less f": false, "((((": false, "cat x > vim": false,
	} {
		if got := wantsTerminal(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
