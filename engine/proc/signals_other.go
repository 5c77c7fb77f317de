//go:build !linux

package proc

func ignoredMask() uint64 { return 0 }
