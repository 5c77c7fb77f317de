package phrase

import (
	"time"

	"wisp/protocol"
)

// Busy is what stands in an input box while something runs: "running ollama pull … · 42 s · Ctrl-C stops it",
// "working: read_file README.md · 3 s · Ctrl-C stops it", "stopping … · Ctrl-C again quits". It is at most so many columns
// wide: the key is left out first, then what is done is cut. Where nothing is done it is "".
func Busy(a protocol.Activity, elapsed time.Duration, columns int) string {
	if a.Doing == nil {
		return ""
	}
	if a.Stopping {
		line := StoppingCommand
		if *a.Doing == StoppingTurn {
			line = StoppingTurn
		}
		return Clip(line+" · Ctrl-C again quits", columns)
	}
	before, after := "", " · "+Elapsed(elapsed)
	if a.Kind != nil && *a.Kind == "tool" && a.Command == nil {
		before = "working: "
	}
	const stops = " · Ctrl-C stops it"
	const least = 16 // columns that what is done needs to be understood
	if a.Stoppable && columns-width(before+after+stops) >= least {
		after += stops
	}
	return before + Row(*a.Doing, max(columns-width(before+after), 4)) + after
}
