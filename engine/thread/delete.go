package thread

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Deleted is what went with a thread.
type Deleted struct {
	Outputs int   // stored outputs
	Files   int   // all files, the record and the outputs among them
	Bytes   int64 // of them
}

// Delete takes a thread away: its record, what is rebuilt from it, its outputs, and what its turns changed of files. It returns a
// *[HeldError] where another process writes it. The folder gets another name first, so that what a crash leaves of it is no
// thread.
func Delete(home, id string) (Deleted, error) {
	var d Deleted
	id, err := parseID(id)
	if err != nil {
		return d, err
	}
	at := folder(home, id)
	file, err := os.OpenFile(filepath.Join(at, fileName), os.O_RDWR, 0)
	if os.IsNotExist(err) {
		return d, fmt.Errorf("thread %s: %w", id, ErrNotFound)
	}
	if err == nil { // one that can't be opened is held by nobody who could
		defer file.Close()
		if err := hold(file, Config{Home: home, ID: id, Now: func() time.Time { return time.Time{} }}); err != nil {
			return d, err
		}
	}
	gone := filepath.Join(home, "threads", ".deleted-"+id)
	if err := os.Rename(at, gone); err != nil {
		return d, fmt.Errorf("thread %s can't be deleted: %w", id, cause(err))
	}
	filepath.WalkDir(gone, func(path string, f fs.DirEntry, err error) error {
		if err != nil || !f.Type().IsRegular() {
			return nil
		}
		if f.Name() == holderName && filepath.Dir(path) == gone {
			return nil // ours
		}
		d.Files++
		if info, err := f.Info(); err == nil {
			d.Bytes += info.Size()
		}
		if filepath.Base(filepath.Dir(path)) == "outputs" && filepath.Ext(path) == extension {
			d.Outputs++
		}
		return nil
	})
	if err := os.RemoveAll(gone); err != nil {
		return d, fmt.Errorf("thread %s is no longer listed, but not all of %s could be removed: %w", id, gone, cause(err))
	}
	return d, nil
}
