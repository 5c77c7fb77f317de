package engine

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wisp/engine/secret"
	"wisp/protocol"
)

// hooked is a hook of a function, and what the person was told.
func hooked(run func(context.Context, string) ([]string, error)) (*hook, func() string) {
	read, write := io.Pipe()
	out := newOutbox(protocol.NewConn(read, write))
	h := newHook(&Config{ShellEnv: run, Secrets: secret.New(nil)}, out)
	return h, func() string {
		var told []string
		for _, p := range out.queue {
			if n, ok := p.line.(protocol.Note); ok {
				told = append(told, n.Text)
			}
		}
		return strings.Join(told, "\n")
	}
}

func TestHook(t *testing.T) {
	t.Parallel()
	ran := 0
	h, told := hooked(func(_ context.Context, directory string) ([]string, error) {
		ran++
		if directory == "/broken" {
			return nil, errors.New("it ended with exit 1")
		}
		return []string{"HERE=" + directory, "PROJECT_TOKEN=planted-value-31"}, nil
	})
	for _, test := range []struct {
		directory string
		env       []string
		ran       int
	}{
		{"/a", []string{"HERE=/a", "PROJECT_TOKEN=planted-value-31"}, 1},
		{"/a", []string{"HERE=/a", "PROJECT_TOKEN=planted-value-31"}, 1},
		{"/broken", nil, 2},
		{"/broken", nil, 2},
		{"/b", []string{"HERE=/b", "PROJECT_TOKEN=planted-value-31"}, 3},
		{"/broken", nil, 4},
	} {
		if env := h.in(t.Context(), test.directory); !slices.Equal(env, test.env) || ran != test.ran {
			t.Errorf("%s: %v after %d runs", test.directory, env, ran)
		}
	}
	if got := h.secrets.Text("planted-value-31"); got != "[secret:PROJECT_TOKEN]" {
		t.Errorf("masked: %s", got)
	}
	if told() != "hooks.shellEnv: it ended with exit 1. Commands run without what it adds" {
		t.Errorf("told: %s", told())
	}
	if h.in(t.Context(), "/a"); !h.holds(nil, "PROJECT_TOKEN") || !h.holds([]string{"A=1"}, "A") || h.holds(nil, "B") {
		t.Error("what it holds")
	}
}

func TestHookInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, told := hooked(func(ctx context.Context, _ string) ([]string, error) {
			<-ctx.Done()
			return []string{"LATE=1"}, context.Cause(ctx)
		})
		began := time.Now()
		if env := h.in(t.Context(), "/a"); env != nil || time.Since(began) != hookPatience || !strings.Contains(told(), "longer than 5s") {
			t.Errorf("%v after %v, told %q", env, time.Since(began), told())
		}
		// A stop ends it at once, is no failure, and the next command asks again.
		h, told = hooked(h.run)
		stopped, stop := context.WithCancel(t.Context())
		stop()
		if env := h.in(stopped, "/b"); env != nil || told() != "" || h.of != "" {
			t.Errorf("stopped: %v, told %q", env, told())
		}
	})
}
