package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"wisp/engine/model"
)

// shown is what the server says of a model. Nothing of it may be there: older servers tell less.
type shown struct {
	Capabilities []string `json:"capabilities"`
	Parameters   string   `json:"parameters"` // the Modelfile's, a line each
	// Info holds, among much else, ARCHITECTURE.context_length.
	Info map[string]json.RawMessage `json:"model_info"`

	Window int `json:"-"` // the model's own limit; 0: not told
	Number int `json:"-"` // num_ctx of the Modelfile; 0: none
}

// tools says whether the model can use tools. A server that tells no capabilities leaves that open: then it can.
func (s *shown) tools() bool {
	return s.Capabilities == nil || slices.Contains(s.Capabilities, "tools")
}

// thinking says whether the model is known to think: asking another to is an error.
func (s *shown) thinking() bool { return slices.Contains(s.Capabilities, "thinking") }

// chats says whether the model answers at all; one for embeddings doesn't.
func (s *shown) chats() bool {
	return s.Capabilities == nil || slices.Contains(s.Capabilities, "completion")
}

// show asks once what the model is. That the model isn't there is an error, and so is that the server isn't; whatever
// else goes wrong leaves everything open.
func (c *Client) show(ctx context.Context) (*shown, error) {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	if known != nil {
		return known, nil
	}
	s, err := c.ask(ctx, c.config.Model)
	var fault *model.Error
	if errors.As(err, &fault) && (fault.Kind == model.Rejected || fault.Kind == model.BadReply) {
		s, err = &shown{}, nil
	}
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = s
	return s, nil
}

func (c *Client) ask(ctx context.Context, name string) (*shown, error) {
	s := &shown{}
	if err := c.wire.Fetch(ctx, "/api/show", map[string]string{"model": name}, s); err != nil {
		return nil, err
	}
	for key, raw := range s.Info {
		if strings.HasSuffix(key, ".context_length") {
			_ = json.Unmarshal(raw, &s.Window) // not a number: not told
		}
	}
	for line := range strings.Lines(s.Parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			s.Number, _ = strconv.Atoi(f[1])
		}
	}
	s.Info = nil // it can be large
	return s, nil
}

// window is what is asked for where the request doesn't say: the configuration's, the Modelfile's, or the model's own
// limit up to DefaultWindow. 0 leaves it to the server.
func (c *Client) window(s *shown) int {
	window := min(s.Window, DefaultWindow)
	switch {
	case c.config.Window > 0:
		window = c.config.Window
	case s.Number > 0:
		window = s.Number
	}
	if s.Window > 0 {
		window = min(window, s.Window)
	}
	return window
}

// Describe says what is known of the client's own model. Its window is the one that requests ask for.
func (c *Client) Describe(ctx context.Context) (model.Info, error) {
	s, err := c.show(ctx)
	if err != nil {
		return model.Info{Name: c.name(c.config.Model)}, c.missing(ctx, err)
	}
	return c.info(c.config.Model, s), nil
}

// List returns the models that the server has, each with what it can do. Where ctx ends in the middle, what can't be
// told of the rest is left open.
func (c *Client) List(ctx context.Context) ([]model.Info, error) {
	late := c.wire.Late(ctx)
	infos, err := c.tags(ctx)
	for i, info := range infos {
		name := strings.TrimPrefix(info.Name, c.name(""))
		if s, err := c.ask(ctx, name); err == nil {
			infos[i] = c.info(name, s)
		}
	}
	return infos, late(err)
}

// tags returns the models that the server has by their names.
func (c *Client) tags(ctx context.Context) ([]model.Info, error) {
	var tags struct {
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	if err := c.wire.Fetch(ctx, "/api/tags", nil, &tags); err != nil {
		return nil, err
	}
	infos := make([]model.Info, 0, len(tags.Models))
	for _, m := range tags.Models {
		infos = append(infos, c.info(m.Name, &shown{}))
	}
	return infos, nil
}

func (c *Client) info(name string, s *shown) model.Info {
	info := model.Info{Name: c.name(name), Window: c.window(s), Tools: s.tools(), Thinking: s.thinking()}
	if !s.chats() {
		info.Problem, info.Tools = "it can't chat", false
	}
	return info
}

func (c *Client) name(model string) string { return c.config.Provider + ":" + model }
