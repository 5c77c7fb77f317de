package openai

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"slices"
	"strings"

	"wisp/engine/model"
)

// entry is one model of a list, in the words of llama.cpp, LM Studio, vLLM, OpenRouter, Groq and Mistral.
type entry struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Type    string `json:"type"` // LM Studio: "llm", "vlm", "embeddings"
	OwnedBy string `json:"owned_by"`
	Meta    struct {
		Context      int `json:"n_ctx"`
		TrainContext int `json:"n_ctx_train"`
	} `json:"meta"`
	MaxModelLen      int             `json:"max_model_len"`
	ContextLength    int             `json:"context_length"`
	ContextWindow    int             `json:"context_window"`
	LoadedContext    int             `json:"loaded_context_length"`
	MaxContextLength int             `json:"max_context_length"`
	Parameters       []string        `json:"supported_parameters"` // OpenRouter
	Capabilities     json.RawMessage `json:"capabilities"`         // an object or a list
}

// List returns the models that the server has. What a server doesn't tell is taken for granted: that a model can
// use tools, and that it can chat unless its name says otherwise.
func (c *Client) List(ctx context.Context) ([]model.Info, error) {
	late := c.server().Late(ctx)
	entries, err := c.entries(ctx, "/models")
	if misplaced(err) && c.root() {
		entries, err = c.entries(ctx, "/models")
	}
	if err != nil {
		return nil, late(err)
	}
	infos := make([]model.Info, 0, len(entries))
	for _, e := range entries {
		infos = append(infos, e.info(c.config.Provider))
	}
	return infos, nil
}

// Describe says what is known of the client's own model. The window is that of the running server where it tells
// that, not only what the model could do.
func (c *Client) Describe(ctx context.Context) (model.Info, error) {
	info := model.Info{Name: c.config.Provider + ":" + c.config.Model, Tools: true}
	entries, err := c.entries(ctx, "/models")
	if misplaced(err) && c.root() {
		entries, err = c.entries(ctx, "/models")
	}
	if err != nil {
		return info, err
	}
	at := slices.IndexFunc(entries, func(e entry) bool { return e.ID == c.config.Model })
	llama := len(entries) == 1 && entries[0].OwnedBy == "llamacpp" // it has one model, by whatever name
	if llama {
		at = 0
	}
	if at >= 0 {
		name := info.Name
		info = entries[at].info(c.config.Provider)
		info.Name = name
	}
	switch {
	case c.config.Window > 0:
		info.Window = c.config.Window
	case llama:
		info.Window = c.running(ctx, info.Window)
	case info.Window == 0 && c.local():
		info.Window = c.loaded(ctx)
	}
	return info, ctx.Err()
}

func (c *Client) entries(ctx context.Context, path string) ([]entry, error) {
	var raw json.RawMessage
	if err := c.server().Fetch(ctx, path, nil, &raw); err != nil {
		return nil, err
	}
	var list []entry
	if json.Unmarshal(raw, &list) == nil {
		return list, nil
	}
	var object struct {
		Data   []entry         `json:"data"`
		Models []entry         `json:"models"`
		Error  json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(raw, &object) // what has another type is left out, and the rest is there
	if object.Data == nil && object.Models == nil {
		return nil, c.server().Fault(0, nil, raw)
	}
	if len(object.Data) == 0 {
		return object.Models, nil
	}
	return object.Data, nil
}

func (e entry) info(provider string) model.Info {
	if e.ID == "" {
		e.ID = e.Name
	}
	info := model.Info{Name: provider + ":" + e.ID, Tools: true}
	for _, n := range []int{
		e.LoadedContext, e.Meta.Context, e.MaxModelLen, e.ContextLength, e.ContextWindow, e.MaxContextLength, e.Meta.TrainContext,
	} {
		if n > 0 {
			info.Window = n
			break
		}
	}
	if len(e.Parameters) > 0 {
		info.Tools = slices.Contains(e.Parameters, "tools")
		info.Thinking = slices.Contains(e.Parameters, "reasoning")
	}
	var can map[string]bool
	if json.Unmarshal(e.Capabilities, &can) == nil {
		if tools, told := can["function_calling"]; told {
			info.Tools = tools
		}
		if chat, told := can["completion_chat"]; told && !chat {
			info.Problem = "it can't chat"
		}
	}
	if e.Type == "embeddings" || e.Type == "embedding" || notChat(e.ID) {
		info.Problem = "it can't chat"
	}
	if info.Problem != "" {
		info.Tools = false
	}
	return info
}

// notChat says whether a model's name is that of one for other things than chats: no list of OpenAI's tells.
func notChat(id string) bool {
	id = strings.ToLower(id)
	for _, word := range []string{"embed", "whisper", "tts", "dall-e", "moderation", "rerank", "transcribe", "gpt-image", "sora", "babbage", "davinci"} {
		if strings.Contains(id, word) {
			return true
		}
	}
	return false
}

// local says whether the server is on this machine, where it may be asked in its own way.
func (c *Client) local() bool {
	u, err := url.Parse(c.server().URL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// own is a wire to the root of the server.
func (c *Client) own() *model.Wire {
	w := c.server()
	return w.At(strings.TrimSuffix(w.URL, "/v1"))
}

// running is the window that llama.cpp was started with, else the one given.
func (c *Client) running(ctx context.Context, window int) int {
	var properties struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	if c.own().Fetch(ctx, "/props", nil, &properties) == nil && properties.Settings.Context > 0 {
		return properties.Settings.Context
	}
	return window
}

// loaded is the window that LM Studio has loaded the model with; 0 where it's another server.
func (c *Client) loaded(ctx context.Context) int {
	var e entry
	if c.own().Fetch(ctx, "/api/v0/models/"+c.config.Model, nil, &e) != nil {
		return 0
	}
	return e.info("").Window
}
