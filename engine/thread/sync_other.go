//go:build !linux

package thread

import "os"

// dataSync puts the file's bytes on the disk.
func dataSync(file *os.File) error { return file.Sync() }
