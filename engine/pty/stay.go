package pty

import "time"

const (
	// untouched is how long a session may go without anybody reading it or typing at it, longest how long it may run: what is
	// forgotten, or goes on for ever, is not work.
	untouched = 15 * time.Minute
	longest   = 2 * time.Hour
)

// overstayed waits until a session's time is over and says why; "" where it ended before. There is a timer for as long as the
// session runs, and it fires at most four times an hour.
func overstayed(clock func() time.Time, began time.Time, touched func() time.Time, ended <-chan struct{}) string {
	for {
		now := clock()
		idle, age := touched().Add(untouched).Sub(now), began.Add(longest).Sub(now)
		switch {
		case idle <= 0:
			return "nobody had used it for 15 minutes"
		case age <= 0:
			return "it had run for 2 hours"
		}
		timer := time.NewTimer(min(idle, age))
		select {
		case <-timer.C:
		case <-ended:
			timer.Stop()
			return ""
		}
	}
}
