package phrase

import "wisp/protocol"

// taskColumns is what a line shows of a task's command.
const taskColumns = 60

// Task names a command in the background: "t1 npm run dev".
func Task(id, line string) string { return id + " " + Row(line, taskColumns) }

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
