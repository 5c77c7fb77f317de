package proc

import "wisp/engine/sandbox"

// TrySandbox tries out what the first command in the sandbox would have to wait for, some milliseconds. It needn't be called.
func (r *Runner) TrySandbox() { r.groups.TrySandbox() }

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
