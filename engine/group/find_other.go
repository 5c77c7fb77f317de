//go:build !linux

package group

import (
	"errors"
	"syscall"
)

func ticks() uint64 { return 0 }

func lastPID() int { return 0 }

// find knows groups alone here: each that has a member stands for all of it.
func (s *search) find() []Process {
	var found []Process
	for id := range s.ids {
		if !errors.Is(syscall.Kill(-id, 0), syscall.ESRCH) {
			found = append(found, Process{PID: id, Group: id})
		}
	}
	return found
}

// Processes lists none here.
func Processes() []Process { return nil }

func hasName([]byte, string) bool { return false }
