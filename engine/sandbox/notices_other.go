//go:build !linux

package sandbox

// notices are Linux's: elsewhere each directory is gone to each time.
type notices struct{}

func newNotices() *notices { return nil }

func (*notices) add(string) bool { return false }

func (*notices) quiet() bool { return false }
