package sandbox

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"sync"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// kept is the rooms that commands are started in. To make one takes as long as a command's start, so each is kept for as long as
// it fits. Any goroutine may use it.
type kept struct {
	mu    sync.Mutex // held while a command is started
	rooms map[lodging]*room
	work  sync.WaitGroup // waits for the rooms' threads
}

// lodging is what the commands in one room have in common. They are in one sandbox, and can reach one another.
type lodging struct {
	means   Means
	stay    Stay
	network bool
}

// room is an OS thread that has restricted itself and then starts commands: what the thread may not, its children never may. It
// does nothing else, and ends with the session. Its own commands can't reach it, see filter and restrict.
type room struct {
	places []spot   // where may be written, as it was
	parts  []part   // its mounts
	hidden []string // the sockets that are covered
	starts chan func()
}

// mostStale is how often a room is found stale, and another made, before it is an error.
const mostStale = 3

// errStale says that a room's mounts aren't whole: one of the places was replaced by another outside.
var errStale = errors.New("the mounts are stale")

// start calls start on the thread of the room that fits a command.
func (k *kept) start(v *Visit, start func() error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	err := errStale
	for n := 0; n < mostStale && errors.Is(err, errStale); n++ {
		var r *room
		if r, err = k.room(v); err != nil {
			return &Error{"the sandbox could not be made: " + err.Error(), err}
		}
		done := make(chan error, 1)
		r.starts <- func() {
			if !r.whole() {
				done <- errStale
				return
			}
			done <- start()
		}
		if err = <-done; errors.Is(err, errStale) {
			k.leave(v.lodging())
		}
	}
	return err
}

// lodging is a command's.
func (v *Visit) lodging() lodging {
	l := lodging{v.choice.means, v.stay, v.network}
	l.stay.Offline = false // network says it
	return l
}

// room returns the room that fits a command, made where there is none.
func (k *kept) room(v *Visit) (*room, error) {
	r := &room{starts: make(chan func())}
	if v.choice.means == Landlock {
		r.places = placesOf(v.roots)
	}
	if v.choice.mounts {
		r.parts, r.hidden = v.wantedParts(), daemons()
	}
	key := v.lodging()
	if old := k.rooms[key]; old != nil && old.fits(r) {
		return old, nil
	}
	k.leave(key)
	ready := make(chan error, 1)
	k.work.Go(func() { k.stand(r, v, ready) })
	if err := <-ready; err != nil {
		return nil, err
	}
	if k.rooms == nil {
		k.rooms = map[lodging]*room{}
	}
	k.rooms[key] = r
	return r, nil
}

// fits says whether a room is as another would be if it were made now.
func (r *room) fits(now *room) bool {
	return slices.Equal(r.places, now.places) && slices.Equal(r.hidden, now.hidden) &&
		slices.EqualFunc(r.parts, now.parts, func(a, b part) bool { return a.path == b.path && a.fixed == b.fixed })
}

// leave ends a room.
func (k *kept) leave(key lodging) {
	if r := k.rooms[key]; r != nil {
		close(r.starts)
		delete(k.rooms, key)
	}
}

// close ends them all. A command that comes later makes its own again.
func (k *kept) close() {
	k.mu.Lock()
	for key := range k.rooms {
		k.leave(key)
	}
	k.mu.Unlock()
	k.work.Wait()
}

// stand restricts the calling goroutine's thread, says on ready how that went, and starts commands until the room is left. The
// process's first thread can't end, and would stay behind: where it is the one, it is held until another has been taken.
func (k *kept) stand(r *room, v *Visit, ready chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
	tid := unix.Gettid()
	if tid == unix.Getpid() {
		other := make(chan error, 1)
		k.work.Go(func() { k.stand(r, v, other) })
		ready <- <-other
		runtime.UnlockOSThread()
		return
	}
	err := v.restrict(r, tid)
	ready <- err
	if err != nil {
		return
	}
	for start := range r.starts {
		start()
	}
}

// restrict takes away from the calling thread what its commands aren't to have.
func (v *Visit) restrict(r *room, tid int) error {
	// To its commands the thread is one of their own, which they may look into, and so into all of wisp's memory. Nobody may look
	// into a process that isn't dumpable.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fault("dumpable", err)
	}
	if v.choice.mounts {
		if err := r.mount(v.stay.ReadOnly); err != nil {
			return err
		}
	}
	if v.choice.means == Landlock {
		if err := dropPowers(); err != nil && v.choice.mounts {
			return err // they could take the mounts away again
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fault("no_new_privs", err)
	}
	if err := v.landlock(r); err != nil {
		return err
	}
	return install(filter{
		network: v.network, scoped: v.box.now().scopes() || v.choice.pids,
		pid: uint32(os.Getpid()), tid: uint32(tid), group: uint32(unix.Getpgrp()),
	})
}

// landlock puts Landlock's rules on the calling thread.
func (v *Visit) landlock(r *room) error {
	var places []spot
	if v.choice.means == Landlock {
		places = slices.Concat(r.places, placesOf(v.devices()))
	}
	fd, err := v.box.now().ruleset(places)
	if err != nil || fd < 0 {
		return err
	}
	defer unix.Close(fd)
	if err := ll.LandlockRestrictSelf(fd, 0); err != nil {
		return fault("landlock_restrict_self", err)
	}
	return nil
}

// fault names the step that failed.
func fault(step string, err error) error { return &os.SyscallError{Syscall: step, Err: err} }
