package proc

import (
	"bytes"
	"os"
	"strconv"
)

// ignoredMask returns the signals that this process ignores, as the kernel has it: the runtime only tells of those
// that it would handle itself.
func ignoredMask() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("\nSigIgn:"))
	field, _, _ := bytes.Cut(rest, []byte{'\n'})
	mask, _ := strconv.ParseUint(string(bytes.TrimSpace(field)), 16, 64)
	return mask
}
