package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"wisp/engine/secret"
	"wisp/protocol"
)

// hookPatience bounds the hook: what takes longer waits for a person or a network, and the command waits for it.
const hookPatience = 5 * time.Second

// hook is what hooks.shellEnv adds to the environment of every command. It runs before the first command in a directory, and what it
// printed holds until the directory changes. Any goroutine of the session may ask; one at a time does.
type hook struct {
	run     func(ctx context.Context, directory string) ([]string, error) // nil: there is none
	secrets *secret.Mask
	out     *outbox

	turn chan struct{} // holds one: whoever has it may touch what is below
	of   string        // the directory that env is of; "" before the first
	env  []string
	told bool
}

func newHook(c *Config, out *outbox) *hook {
	return &hook{run: c.ShellEnv, secrets: c.Secrets, out: out, turn: make(chan struct{}, 1)}
}

// in returns what is added in a directory. A failure is told once, and adds nothing.
func (h *hook) in(ctx context.Context, directory string) []string {
	if h.run == nil || !h.take(ctx) {
		return nil
	}
	defer h.give()
	if h.of == directory {
		return h.env
	}
	within, cancel := context.WithTimeout(ctx, hookPatience)
	defer cancel()
	env, err := h.run(within, directory)
	switch {
	case ctx.Err() != nil: // a stop is no failure of its
		return nil
	case within.Err() != nil:
		env, err = nil, fmt.Errorf("it took longer than %s", hookPatience)
	}
	h.of, h.env = directory, env
	h.secrets.Learn(env)
	if err != nil && !h.told {
		h.told = true
		h.out.post(protocol.Note{Level: "warning", Text: fmt.Sprintf("hooks.shellEnv: %v. Commands run without what it adds", err)})
	}
	return env
}

// holds says whether commands have a variable of that name: from the environment they are given, or the hook's.
func (h *hook) holds(env []string, name string) bool {
	has := func(entry string) bool { return strings.HasPrefix(entry, name+"=") }
	if slices.ContainsFunc(env, has) {
		return true
	}
	if h.run == nil || !h.take(context.Background()) {
		return false
	}
	defer h.give()
	return slices.ContainsFunc(h.env, has)
}

func (h *hook) take(ctx context.Context) bool {
	select {
	case h.turn <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (h *hook) give() { <-h.turn }

// env is the environment of a command in the conversation's directory.
func (w *work) env(ctx context.Context) []string {
	return slices.Concat(w.config.Env, w.hook.in(ctx, w.directory))
}
