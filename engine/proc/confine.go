package proc

import (
	"os"
	"os/exec"

	"wisp/engine/gate"
	"wisp/engine/sandbox"
)

// visit is a job's stay in the sandbox; nil where it runs outside.
func (r *Runner) visit(job Job) *sandbox.Visit {
	if r.config.Sandbox == nil || job.Cleared.Outside() {
		return nil
	}
	return r.config.Sandbox.Visit(r.try, stay(job.Cleared))
}

// TrySandbox tries out what the first command in the sandbox would have to wait for, some milliseconds. It needn't be called.
func (r *Runner) TrySandbox() {
	if r.config.Sandbox != nil {
		r.config.Sandbox.Prepare(r.try)
	}
}

// closeSandbox ends what the sandbox keeps for commands to come.
func (r *Runner) closeSandbox() {
	if r.config.Sandbox != nil {
		r.config.Sandbox.Close()
	}
}

// try runs what a sandbox tries itself out with.
func (r *Runner) try(cmd *exec.Cmd, start func() error) error {
	err := r.family.Register(func() (*os.Process, error) {
		err := start()
		return cmd.Process, err
	})
	if err != nil {
		return err
	}
	return r.family.Wait(cmd)
}

// launch starts a shell, inside where v says so.
func (r *Runner) launch(cmd *exec.Cmd, v *sandbox.Visit) error {
	if v == nil {
		return r.family.Start(cmd)
	}
	return r.family.Register(func() (*os.Process, error) {
		err := v.Start(cmd)
		return cmd.Process, err
	})
}

// confined adds to an outcome what the sandbox has to say of it.
func confined(v *sandbox.Visit, job Job, o *Outcome) {
	if v == nil {
		return
	}
	if why := v.Broken(o.ExitStatus, o.Stderr.Text, o.Stdout.Text != ""); why != "" {
		*o = Outcome{Failure: why}
		return
	}
	o.Changed = v.Changed(o.Left > 0)
	if o.ExitStatus == 0 || o.Stopped || o.TimedOut {
		return
	}
	plan := job.Cleared.Plan()
	o.SandboxRefusal = v.Refused(sandbox.Failed{
		Command: plan.Command, Directory: plan.Directory, Env: job.Env, Status: o.ExitStatus, Output: o.Stdout.Text + "\n" + o.Stderr.Text,
	})
}

// stay is what the gate cleared a command for, beyond what the sandbox holds every command to.
func stay(c gate.Cleared) sandbox.Stay {
	return sandbox.Stay{ReadOnly: c.ReadOnly(), Offline: c.Offline(), Typed: c.Origin() == gate.Person}
}
