package proc

import "wisp/engine/text"

// changed says in one sentence, harmless to print, why a job isn't started any more that was cleared: what it runs isn't
// what it was then. "" where all is the same.
func changed(job Job) string { return text.Line(job.Cleared.Changed()) }
