package main

import (
	"strings"

	"wisp/engine/sandbox"
)

// fullLandlock is the version of Landlock's interface that has all that wisp uses of it.
const fullLandlock = 6

// sandbox says what holds commands, and whether it does.
func (a *around) sandbox(l *loaded, s *sheet) {
	if l.err != nil {
		s.note("means", "", "the sandbox wasn't looked at: no session could start here")
		return
	}
	c := a.confine(l)
	a.means(c, l, s)
	a.trial(c, l, s)
	a.network(c, s)
	a.writable(c, l, s)
	if a.os == "linux" {
		a.kernelMeans(c, s)
	}
	if c.fault == "" && c.means != sandbox.None {
		for _, gap := range c.gaps {
			s.note("gap", gapTodo(gap), "%s", gap)
		}
	}
}

// means is what holds commands, and why.
func (a *around) means(c confined, l *loaded, s *sheet) {
	switch {
	case c.fault != "":
		todo := `install what is missing, or take "sandbox.means" out of the configuration`
		if strings.Contains(c.fault, "sandbox.network") {
			todo = `install what is missing, or set "sandbox": {"network": true}`
		}
		s.wrong("means", todo+". No command runs until then, but those typed after !!", "%s", c.fault)
	case c.means != sandbox.None:
		s.ok("means", "%s: %s", c.means, c.reason)
	case l.prepared.settings.Sandbox.Means == sandbox.None:
		s.note("means", `take "sandbox": {"means": "none"} out of the configuration`, "none: %s. A command can write wherever you can", c.reason)
	default:
		s.wrong("means", "Linux: install bubblewrap, or a kernel of 5.13 or later with Landlock. Else run wisp in a container or on a machine of its own",
			"none: %s. A command can write wherever you can", c.reason)
	}
}

// trial is what commands did that tried.
func (a *around) trial(c confined, l *loaded, s *sheet) {
	t := c.trial
	switch {
	case t == nil && c.fault != "":
		return // said
	case t == nil:
		s.wrong("a command", "make the temporary directory writable", "the sandbox couldn't be tried: %s", c.untried)
		return
	case t.failure != "":
		s.wrong("a command", `set "sandbox.means" to another, or see to what it says`, "none can run: %s", t.failure)
		return
	}
	s.ok("a command", "runs, in %.1f ms", t.seconds*1000)
	if c.means == sandbox.None {
		return // nothing is held, which is said
	}
	const report = "don't trust this sandbox: set \"sandbox.means\" to another, and tell wisp's makers with what uname -a says"
	switch {
	case !t.everything:
		s.wrong("a command", report, "one that tried to leave the sandbox didn't come to its end")
		return
	case t.inside:
		s.ok("writing inside", "works")
	default:
		s.wrong("writing inside", report, "a command can't write where it should")
	}
	if t.outside {
		s.wrong("writing outside", report, "a command wrote outside the sandbox")
	} else {
		s.ok("writing outside", "is refused")
	}
	if t.signalled {
		s.wrong("signals", report, "a command can send wisp signals")
	} else {
		s.ok("signals", "a command can't reach wisp")
	}
	const looked = "a git hook inside can be written, and is only looked at after each command: Landlock can't take a part out"
	switch works := c.bwrap != "" && c.bwrapFault == ""; {
	case !t.protected:
		s.ok("protected places", "a git hook inside can't be written")
	case c.means != sandbox.Landlock:
		s.wrong("protected places", report, "a command wrote a git hook inside")
	case works && l.prepared.settings.Sandbox.Means == sandbox.Auto:
		s.ok("protected places", "none lies in a writable directory here. Where one does, bubblewrap is taken, which holds it")
	case works:
		s.note("protected places", `take "sandbox.means" out of the configuration: bubblewrap, which works here, holds them`, looked)
	default:
		s.note("protected places", "install bubblewrap: it holds them", looked)
	}
}

// network is whether it is cut where it should be.
func (a *around) network(c confined, s *sheet) {
	const cut = "sandbox.network is false, and "
	switch t := c.trial; {
	case c.network:
		s.ok("network", "is open, as sandbox.network says")
	case t == nil || t.failure != "" || !t.everything:
		return // no command runs: said
	case len(t.reached) > 0:
		s.wrong("network", "don't trust it: take what needs the network to be cut elsewhere, and tell wisp's makers", cut+"a command reached it all the same, by %s", strings.Join(t.reached, ", "))
	case t.unreached != "":
		s.note("network", "", cut+"whether it is cut couldn't be tried: %s", t.unreached)
	default:
		s.ok("network", cut+"it is cut: TCP, UDP and a socket in the file system were tried")
	}
}

// writable is where commands may write.
func (a *around) writable(c confined, l *loaded, s *sheet) {
	if c.means == sandbox.None {
		return
	}
	s.ok("writable", "%s", few(c.roots))
	for _, path := range l.prepared.settings.Sandbox.Writable {
		if _, err := a.stat(a.tilde(path)); err != nil {
			s.note("writable", "make it, or take it out", "sandbox.writablePaths has %s, which isn't there and grants nothing", path)
		}
	}
}

// kernelMeans is what Linux has for a sandbox.
func (a *around) kernelMeans(c confined, s *sheet) {
	switch v, why := a.landlock(); {
	case v >= fullLandlock:
		s.ok("Landlock", "version %d, which has all that wisp uses", v)
	case v > 0:
		s.note("Landlock", "a newer kernel: "+landlockNeeds(v), "version %d, which can't hold %s", v, landlockLacks(v))
	case strings.Contains(why, "off"):
		lsm := a.text("/sys/kernel/security/lsm")
		s.note("Landlock", "boot with lsm=landlock,"+lsm, "%s: it isn't among lsm=%s", why, lsm)
	default:
		s.note("Landlock", "a kernel of 5.13 or later, built with it", "there is none: %s", why)
	}
	if c.bwrap == "" {
		s.note("bubblewrap", "install bubblewrap with your system's packages: it holds what Landlock can't", "isn't installed")
		return
	}
	if c.bwrapFault == "" {
		out, err := a.version(c.bwrap)
		if err != nil {
			out = "which doesn't say its version"
		}
		s.ok("bubblewrap", "%s, %s, works", c.bwrap, strings.TrimPrefix(out, "bubblewrap "))
		return
	}
	s.note("bubblewrap", "see the rows of user namespaces", "%s doesn't work here: %s", c.bwrap, c.bwrapFault)
	a.namespaces(s)
}

// landlockLacks is what a version below fullLandlock can't hold.
func landlockLacks(version int) string {
	var lacks []string
	for _, one := range []struct {
		from int
		what string
	}{{2, "renaming between directories (it is refused everywhere)"}, {3, "cutting files to nothing"}, {fullLandlock, "signals to other programs of yours"}} {
		if version < one.from {
			lacks = append(lacks, one.what)
		}
	}
	return strings.Join(lacks, ", ")
}

// landlockNeeds is the kernel that brings what a version lacks.
func landlockNeeds(version int) string {
	switch {
	case version < 2:
		return "5.19 for the first, 6.2 for the second, 6.12 for all"
	case version < 3:
		return "6.2 for the first, 6.12 for both"
	}
	return "6.12 or later"
}

// namespaces says why bubblewrap may not work: it needs user namespaces, which a system may keep from its users.
func (a *around) namespaces(s *sheet) {
	found := false
	for _, one := range []struct{ name, bad, todo string }{
		{"kernel/unprivileged_userns_clone", "0", "sudo sysctl kernel.unprivileged_userns_clone=1"},
		{"user/max_user_namespaces", "0", "sudo sysctl user.max_user_namespaces=15000"},
		{"kernel/apparmor_restrict_unprivileged_userns", "1", "give bwrap an AppArmor profile that allows userns (/etc/apparmor.d/bwrap), or sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
	} {
		if a.text("/proc/sys/"+one.name) == one.bad {
			found = true
			s.note("user namespaces", one.todo, "%s is %s", strings.ReplaceAll(one.name, "/", "."), one.bad)
		}
	}
	if found {
		return
	}
	todo := "see what the kernel's log says (dmesg) when bwrap is run"
	if _, err := a.stat("/.dockerenv"); err == nil {
		todo = "allow them for the container: docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined, or another profile"
	}
	s.note("user namespaces", todo, "the system's settings allow them, and something else keeps bubblewrap from them")
}

// gapTodo is what to do about a gap, where the sentence that tells it doesn't say all.
func gapTodo(gap string) string {
	switch {
	case strings.Contains(gap, "sandbox.network"):
		return `"sandbox": {"network": false} in the configuration`
	case strings.Contains(gap, "Install bubblewrap"):
		return "install bubblewrap with your system's packages"
	case strings.Contains(gap, "sandbox.means bwrap"):
		return `"sandbox": {"means": "bwrap"} in the configuration, where bubblewrap works`
	case strings.Contains(gap, "Linux "):
		return "a newer kernel, as it says"
	case strings.Contains(gap, "told after the command"):
		return "read what is told after a command, and remove what you didn't want"
	}
	return ""
}
