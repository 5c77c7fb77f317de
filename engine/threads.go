package engine

import (
	"time"

	"wisp/engine/sidecar"
)

// Thread is what a list of conversations shows of one.
type Thread struct {
	ID        string
	Title     string
	Directory string
	Last      time.Time
	Prompts   int
	Commands  int
	Problem   string // why it can't be opened; "" where it can
}

// Threads lists the conversations in wisp's home, the last written first.
func Threads(home string) ([]Thread, error) {
	all, err := sidecar.All(home)
	if err != nil {
		return nil, err
	}
	threads := make([]Thread, len(all))
	for i, t := range all {
		threads[i] = Thread{
			ID: t.Thread, Title: t.Title, Directory: t.Directory, Last: t.Last, Prompts: t.Prompts, Commands: t.Commands, Problem: t.Problem,
		}
	}
	return threads, nil
}
