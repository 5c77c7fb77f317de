package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"wisp/engine/model"
	"wisp/protocol"
	"wisp/protocol/phrase"
)

// How a request that failed before its first piece is tried again; see models.md.
const (
	maxTries   = 5 // one, and four times again
	firstPause = time.Second
	maxPause   = 30 * time.Second
	// maxAfter is the longest Retry-After that is waited for: a server that asks for more is said, not waited for.
	maxAfter = 2 * time.Minute
)

// again waits for the next try and says so; false where the request may not be tried again, or a stop ended the wait.
func (t *turn) again(ctx context.Context, try int, err error) bool {
	var fault *model.Error
	if !errors.As(err, &fault) || !fault.Retry() || try >= maxTries || fault.After > maxAfter {
		return false
	}
	pause := pauseBefore(try, fault.After)
	text := fmt.Sprintf("%s; trying again in %s (%d of %d)", fault.Message, roundSeconds(pause), try, maxTries-1)
	t.out.post(protocol.Note{Level: "warning", Text: text, Request: t.request})
	t.run.change(doing{phrase: fmt.Sprintf("%s: try %d in %s", phrase.WaitingModel, try+1, roundSeconds(pause)), kind: "model"})
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		t.run.change(doing{phrase: phrase.WaitingModel, kind: "model"})
		return true
	case <-ctx.Done():
		return false
	}
}

// pauseBefore doubles from firstPause, with a quarter of jitter, and obeys the server's own word.
func pauseBefore(try int, after time.Duration) time.Duration {
	if after > 0 {
		return after
	}
	pause := min(firstPause<<(try-1), maxPause)
	return pause - time.Duration(rand.Int64N(int64(pause)/4))
}

func roundSeconds(d time.Duration) string {
	return fmt.Sprintf("%.0f s", max(d.Seconds(), 1))
}
