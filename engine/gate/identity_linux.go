package gate

import "syscall"

// changedAt is the time of a file's last change in nanoseconds, its content's or its inode's.
func changedAt(s *syscall.Stat_t) int64 { return s.Ctim.Nano() }
