package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"wisp/engine/model"
)

// keyPatience bounds apiKeyCommand: a key that takes longer needs a person, and there is none to ask here.
const keyPatience = 10 * time.Second

// keyed is a client whose key comes from a command, which runs with the first request and not before.
type keyed struct {
	key  func(ctx context.Context) (string, error)
	make func(key string) model.Client

	mu     sync.Mutex
	client model.Client
}

// keyed makes a client that knows its key: at once where the environment holds it.
func (c *catalog) keyed(p provider, of func(key string) model.Client) model.Client {
	if p.APIKeyCommand == "" {
		key := ""
		if p.APIKeyEnv != "" {
			key = c.env(p.APIKeyEnv)
		}
		return of(key)
	}
	return &keyed{make: of, key: func(ctx context.Context) (string, error) { return c.runKeyCommand(ctx, p.APIKeyCommand) }}
}

// ready returns the client, and runs the command for its key where that hasn't been done.
func (k *keyed) ready(ctx context.Context) (model.Client, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.client == nil {
		key, err := k.key(ctx)
		if err != nil {
			return nil, err
		}
		k.client = k.make(key)
	}
	return k.client, nil
}

// Stream implements model.Client.
func (k *keyed) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Piece, error] {
	client, err := k.ready(ctx)
	if err != nil {
		return func(yield func(model.Piece, error) bool) { yield(model.Piece{}, err) }
	}
	return client.Stream(ctx, r)
}

// Describe implements model.Describer.
func (k *keyed) Describe(ctx context.Context) (model.Info, error) {
	client, err := k.ready(ctx)
	if err != nil {
		return model.Info{}, err
	}
	if d, ok := client.(model.Describer); ok {
		return d.Describe(ctx)
	}
	return model.Info{}, errors.New("nothing is known of the model")
}

// List implements model.Lister.
func (k *keyed) List(ctx context.Context) ([]model.Info, error) {
	client, err := k.ready(ctx)
	if err != nil {
		return nil, err
	}
	if l, ok := client.(model.Lister); ok {
		return l.List(ctx)
	}
	return nil, nil
}

// runKeyCommand runs the person's own apiKeyCommand, from their own configuration, and returns the first line it prints.
func (c *catalog) runKeyCommand(ctx context.Context, line string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyPatience)
	defer cancel()
	var out strings.Builder
	cmd := exec.Command("/bin/sh", "-c", line)
	cmd.Stdout = &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.WaitDelay = time.Second
	if err := c.family.Start(cmd); err != nil {
		return "", &model.Error{Kind: model.BadKey, Message: fmt.Sprintf("apiKeyCommand could not start: %v", err)}
	}
	kill := context.AfterFunc(ctx, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err := c.family.Wait(cmd)
	kill()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return "", cause
	}
	key, _, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
	if err != nil || key == "" {
		return "", &model.Error{Kind: model.BadKey, Message: "apiKeyCommand gave no key: run it by hand to see why"}
	}
	c.secrets.Hide("apiKeyCommand", key)
	return key, nil
}

// listAll asks all servers at once for their models, and adds those that answer to what is known.
func listAll(ctx context.Context, listers map[string]model.Lister, all []model.Info) []model.Info {
	var mu sync.Mutex
	var asking sync.WaitGroup
	for kind, lister := range listers {
		asking.Go(func() {
			got, err := lister.List(ctx)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				got = []model.Info{{Name: kind + ":", Problem: err.Error()}}
			}
			all = append(all, got...)
		})
	}
	asking.Wait()
	slices.SortStableFunc(all, func(a, b model.Info) int {
		if (a.Problem == "") != (b.Problem == "") {
			if a.Problem == "" {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all
}
