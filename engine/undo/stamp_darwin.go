package undo

import (
	"syscall"
	"time"
)

func changedAt(s *syscall.Stat_t) time.Time { return time.Unix(s.Ctimespec.Sec, s.Ctimespec.Nsec) }
