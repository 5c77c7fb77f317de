//go:build !linux

package group

// Waits says whether a process of the command is blocked reading a terminal: nothing here tells that.
func (g *Group) Waits() bool { return false }
