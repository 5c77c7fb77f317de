package phrase

import "wisp/protocol"

// Results says in one line that notices wait for the person's next message: "2 background results · sent with your next message". "" where
// none do.
func Results(q protocol.Queue) string {
	if !q.Held {
		return ""
	}
	n := int64(0)
	for _, p := range q.Pending {
		if p.Kind == "notice" {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return count(n, "background result", "background results") + " · sent with your next message"
}

// Kept says at a session's end that its model wasn't told of so many results.
func Kept(n int) string {
	return count(int64(n), "background result", "background results") + " kept: sent with the next message of this conversation"
}
