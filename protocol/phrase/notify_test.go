package phrase

import (
	"strings"
	"testing"
	"time"

	"wisp/protocol"
)

func TestNotify(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		TurnEnded("ok", "", 42*time.Second):                             "done in 42 s",
		TurnEnded("ok", "", 185*time.Second):                            "done in 3 min 5 s",
		TurnEnded("error", "no server at\nhttp://x", 11*time.Second):    "failed after 11 s: no server at …",
		TurnEnded("error", " ", 11*time.Second):                         "failed after 11 s",
		TurnEnded("stopped", "stopped by you", time.Minute) + "nothing": "nothing",
		ApprovalWaits(protocol.Approval{Command: "make install"}):       "Run command? make install",
		ApprovalWaits(protocol.Approval{Title: "Write main.go"}):        "Write main.go?",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	hostile := protocol.Approval{Title: "a\x1b]0;x\a", Command: "b\x1b[2J\nc" + strings.Repeat("x", 500)}
	for _, body := range []string{ApprovalWaits(hostile), TurnEnded("error", hostile.Command, time.Minute)} {
		if strings.ContainsFunc(body, func(r rune) bool { return r < ' ' || r == 0x7f }) || width(body) > 3*callColumns {
			t.Errorf("%q is no row", body)
		}
	}
}
