package engine

import (
	"context"
	"sync"

	"wisp/engine/model"
)

// Models is what the session knows of the machine's models; cmd makes it from the configuration and the environment.
type Models interface {
	// Open returns a client for a model by its name: "ollama:qwen3". The error is a sentence with what to do.
	Open(name string) (model.Client, error)
	// Find looks for what this machine has, in under 300 ms, and says why it took what it took.
	Find(ctx context.Context) (name, why string)
	// List returns the models that can be used, and those that can't with the reason.
	List(ctx context.Context) []model.Info
}

// chosen is the model that the conversation is with. The loop chooses; turns and lookups read.
type chosen struct {
	models Models

	mu     sync.Mutex
	name   string
	client model.Client
	info   model.Info
	known  bool          // the search for one has ended
	asked  chan struct{} // closed when the model's server has said its window, or didn't
	told   bool          // it is closed
}

// choose opens a model and takes it.
func (c *chosen) choose(name string) error {
	client, err := c.models.Open(name)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.name, c.client, c.known = name, client, true
	c.info, c.asked = model.Info{Name: name}, make(chan struct{})
	c.told = false
	return nil
}

// settle says that the search has ended without a model.
func (c *chosen) settle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = true
}

// describe asks the model's server for its window, once after each choice; the answer is false where it can't be had or another was chosen since.
func (c *chosen) describe(ctx context.Context) bool {
	c.mu.Lock()
	name, client, asked := c.name, c.client, c.asked
	c.mu.Unlock()
	defer c.answered(asked)
	d, ok := client.(model.Describer)
	if !ok {
		return false
	}
	info, err := d.Describe(ctx)
	if err != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name != name {
		return false
	}
	info.Name = name
	c.info = info
	return true
}

func (c *chosen) now() (name string, client model.Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.name, c.client
}

// answered says that the server was asked since a choice, whatever came of it. A choice that comes quickly after another is asked
// for twice.
func (c *chosen) answered(asked chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked == asked && !c.told {
		c.told = true
		close(asked)
	}
}

// await waits until the model's server has been asked for its window, and returns it.
func (c *chosen) await(ctx context.Context) int {
	c.mu.Lock()
	asked := c.asked
	c.mu.Unlock()
	select {
	case <-asked:
	case <-ctx.Done():
	}
	return c.window()
}

// window is the model's, in tokens; 0 while it isn't known.
func (c *chosen) window() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.info.Window
}

// resolved says that the search for a model has ended.
func (c *chosen) resolved() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}

// tailBytes is how much of a stream's end the model is given: see commands.md, "Running".
func (c *chosen) tailBytes(setting int) int {
	const small, large, largeWindow = 4 << 10, 16 << 10, 32_768
	switch {
	case setting > 0:
		return setting
	case c.window() >= largeWindow:
		return large
	}
	return small
}
