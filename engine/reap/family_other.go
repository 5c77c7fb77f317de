//go:build !linux

package reap

import "errors"

type reaper struct{}

// Adopt says that there are no subreapers here.
func (f *Family) Adopt() error { return errors.ErrUnsupported }

// Adopts says whether orphans come to this process.
func (f *Family) Adopts() bool { return false }

// Close does nothing.
func (f *Family) Close() {}

// Reap does nothing.
func (f *Family) Reap() {}
