package golden

import (
	"go/ast"
	"strconv"
	"strings"
)

// measuring are the files below cmd that may read the clock, and what they measure with it. What is recorded is handed its
// time; a timer and time.Since need no row.
var measuring = map[string]string{
	"engine/activity.go":      "how long it has gone on, for elapsedSeconds",
	"engine/call.go":          "a call's seconds",
	"engine/turn.go":          "a turn's seconds, and a request's",
	"engine/speaker.go":       "a distillation's seconds",
	"engine/proc/live.go":     "pieces a second",
	"engine/proc/order.go":    "how long a flood took to read, to rest in proportion",
	"engine/proc/run.go":      "a command's seconds",
	"engine/group/watcher.go": "how long it waits for what it kills, and a pipe's deadline",
	"engine/audit/log.go":     "how long it waits for a lock",
	"plainchat/receive.go":    "the seconds that it counts on by itself",
}

// skipping are the tests that may be skipped, and where they do run.
var skipping = map[string]string{}

func clockRules() []rule {
	return []rule{
		{"no clock", "a time that is recorded is handed in, so that a test can say what it is", checkClock},
		{"no environment", "what the environment says is read in cmd, once, and handed down", checkEnvironment},
		{"no sleeping", "a test waits for what it needs: by condition, or in a testing/synctest bubble", checkSleep},
		{"no skipping", "a test that is skipped is not a test", checkSkip},
	}
}

// below says whether a file is shipped and stands below cmd.
func below(s source) bool { return !s.test && !strings.HasPrefix(s.path, "cmd/") }

func checkClock(h house, report func(place, what string)) {
	for _, s := range h.files {
		each(s, func(e *ast.SelectorExpr) {
			if below(s) && measuring[s.path] == "" && names(e, "time", "Now") {
				report(s.at(e), "time.Now")
			}
		})
	}
}

func checkEnvironment(h house, report func(place, what string)) {
	reads := []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Getwd", "UserHomeDir", "UserConfigDir", "UserCacheDir", "TempDir", "Setenv", "Chdir"}
	for _, s := range h.files {
		each(s, func(e *ast.SelectorExpr) {
			if below(s) && names(e, "os", reads...) {
				report(s.at(e), "os."+e.Sel.Name)
			}
		})
	}
}

func checkSleep(h house, report func(place, what string)) {
	for _, s := range h.files {
		if !s.test || imports(s, "testing/synctest") {
			continue
		}
		each(s, func(e *ast.SelectorExpr) {
			if names(e, "time", "Sleep") {
				report(s.at(e), "time.Sleep")
			}
		})
	}
}

func checkSkip(h house, report func(place, what string)) {
	for _, s := range h.files {
		each(s, func(c *ast.CallExpr) {
			for _, receiver := range []string{"t", "b", "f", "tb"} {
				if s.test && skipping[s.path] == "" && names(c.Fun, receiver, "Skip", "Skipf", "SkipNow") {
					report(s.at(c), "a skipped test")
				}
			}
		})
	}
}

func imports(s source, name string) bool {
	for _, imp := range s.ast.Imports {
		if imp.Path.Value == strconv.Quote(name) {
			return true
		}
	}
	return false
}
