package undo

import (
	"syscall"
	"time"
)

func changedAt(s *syscall.Stat_t) time.Time { return time.Unix(int64(s.Ctim.Sec), int64(s.Ctim.Nsec)) }
