//go:build !linux

package proc

import "time"

// growPipe says that no pipe can be made to hold more here.
func growPipe(uintptr) bool { return false }

// rest isn't called where no pipe is made to hold more.
func rest(time.Duration) {}
