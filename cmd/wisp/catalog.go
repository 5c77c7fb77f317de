package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"wisp/engine/model"
	"wisp/engine/model/find"
	"wisp/engine/model/ollama"
	"wisp/engine/model/openai"
	"wisp/engine/model/scripted"
	"wisp/engine/reap"
	"wisp/engine/secret"
)

// catalog is the machine's models: the configured providers, the known ones, and the scripted model. It reads the
// environment for keys and addresses; a key goes nowhere but into the requests of its own provider.
type catalog struct {
	configured map[string]provider
	env        func(string) string
	http       *http.Client
	stall      time.Duration
	family     *reap.Family
	secrets    *secret.Mask // is told of a key that comes from a command
}

func newCatalog(c configuration, env func(string) string, family *reap.Family, secrets *secret.Mask) *catalog {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment}
	return &catalog{
		configured: c.Providers, env: env, family: family, secrets: secrets,
		http:  &http.Client{Transport: transport},
		stall: time.Duration(c.Model.StallSeconds) * time.Second,
	}
}

// Open implements engine.Models.
func (c *catalog) Open(name string) (model.Client, error) {
	kind, of, ok := strings.Cut(name, ":")
	if !ok || of == "" {
		return nil, fmt.Errorf("a model is named PROVIDER:NAME, such as ollama:qwen3, not %q: /models lists those there are", name)
	}
	if kind == "scripted" {
		return c.openScript(of)
	}
	if p, ok := c.configured[kind]; ok {
		return c.open(kind, of, p)
	}
	if kind == "ollama" {
		return c.open(kind, of, provider{Type: "ollama"})
	}
	if preset, ok := openai.PresetOf(kind); ok {
		return c.openPreset(preset, of), nil
	}
	return nil, fmt.Errorf("there is no provider %q: there are %s; providers.%s in the configuration adds one", kind, strings.Join(c.providers(), ", "), kind)
}

// providers are the names that a model's may begin with.
func (c *catalog) providers() []string {
	names := []string{"ollama"}
	for _, p := range openai.Presets() {
		names = append(names, p.Name)
	}
	for name := range c.configured {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[1:])
	return append(names, "scripted")
}

// openScript opens a script, or the built-in tour.
func (c *catalog) openScript(name string) (model.Client, error) {
	if name == "tour" {
		tour := scripted.Tour()
		tour.Stall = c.stall
		return tour, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("script %s can't be read: %w", name, err)
	}
	defer file.Close()
	script, err := scripted.New(name, file)
	if err != nil {
		return nil, err
	}
	script.Stall = c.stall
	return script, nil
}

// open makes a client of a configured provider.
func (c *catalog) open(kind, of string, p provider) (model.Client, error) {
	switch p.Type {
	case "ollama":
		return c.keyed(p, func(key string) model.Client {
			base := p.BaseURL
			if base == "" {
				base = ollama.BaseURL(c.env("OLLAMA_HOST"))
			}
			return ollama.New(ollama.Config{
				Provider: kind, Model: of, BaseURL: base, Key: key, KeyName: keyName(kind, p), Headers: p.Headers, HTTP: c.http, Stall: c.stall,
				Window: p.ContextWindow,
			})
		}), nil
	case "openai", "":
		if p.BaseURL == "" {
			return nil, fmt.Errorf("providers.%s has no baseUrl in the configuration", kind)
		}
		return c.keyed(p, func(key string) model.Client {
			return openai.New(openai.Config{
				Provider: kind, Model: of, BaseURL: p.BaseURL, Key: key, KeyName: keyName(kind, p), Headers: p.Headers, HTTP: c.http, Stall: c.stall,
				Window: p.ContextWindow,
			})
		}), nil
	}
	return nil, fmt.Errorf("providers.%s is of type %q, which this wisp doesn't speak: it speaks openai and ollama", kind, p.Type)
}

// openPreset makes a client of a known service or server.
func (c *catalog) openPreset(p openai.Preset, of string) *openai.Client {
	base := p.BaseURL
	if p.Name == "openai" && c.env("OPENAI_BASE_URL") != "" {
		base = c.env("OPENAI_BASE_URL")
	}
	config := openai.Config{
		Provider: p.Name, Model: of, BaseURL: base, KeyName: p.KeyName, HTTP: c.http, Stall: c.stall, Start: p.Start,
	}
	if p.KeyName != "" {
		config.Key = c.env(p.KeyName)
	} else {
		config.KeyName = keyName(p.Name, provider{})
	}
	return openai.New(config)
}

// Find implements engine.Models.
func (c *catalog) Find(ctx context.Context) (name, why string) {
	if found, ok := find.Find(ctx, c.places()); ok {
		return found.Name, found.Why
	}
	return "scripted:tour", noModel
}

// noModel is what a newcomer without a model is told.
const noModel = "no model was found on this machine, so this is the built-in tour (scripted:tour). Any of these sets one up: `ollama pull qwen3` with Ollama running; " +
	"`export OPENAI_API_KEY=…`; `wisp chat --model PROVIDER:NAME` with a provider of your own in the configuration. Typed commands work as ever"

// places are where models may be on this machine, without the configured providers: the servers first, then the services
// whose key is known.
func (c *catalog) places() []find.Place {
	host := ollama.BaseURL(c.env("OLLAMA_HOST"))
	places := []find.Place{{Label: "Ollama", URL: host, Lister: ollama.New(ollama.Config{BaseURL: host, HTTP: c.http})}}
	for _, p := range openai.Presets() {
		switch {
		case p.KeyName == "":
			places = append(places, find.Place{Label: p.Label, URL: p.BaseURL, Lister: c.openPreset(p, "")})
		case c.env(p.KeyName) != "":
			places = append(places, find.Place{Label: p.Label, URL: p.BaseURL, Model: p.Name + ":" + p.Model, Key: p.KeyName})
		}
	}
	return places
}

// List implements engine.Models.
func (c *catalog) List(ctx context.Context) []model.Info {
	listers := map[string]model.Lister{"ollama": ollama.New(ollama.Config{BaseURL: ollama.BaseURL(c.env("OLLAMA_HOST")), HTTP: c.http})}
	for _, p := range openai.Presets() {
		if p.KeyName == "" || c.env(p.KeyName) != "" { // a service without a key can't be asked anything
			listers[p.Name] = c.openPreset(p, "")
		}
	}
	all := c.listConfigured(listers)
	return append(listAll(ctx, listers, all), model.Info{Name: "scripted:tour", Tools: true})
}

// listConfigured adds the configured providers to the listers, and returns the models that the configuration names.
func (c *catalog) listConfigured(listers map[string]model.Lister) []model.Info {
	var all []model.Info
	for kind, p := range c.configured {
		client, err := c.open(kind, "any", p)
		switch {
		case err != nil:
			all = append(all, model.Info{Name: kind + ":", Problem: err.Error()})
			delete(listers, kind)
		case len(p.Models) == 0:
			if lister, ok := client.(model.Lister); ok {
				listers[kind] = lister
			}
		default:
			for _, m := range p.Models {
				all = append(all, model.Info{Name: kind + ":" + m, Window: p.ContextWindow, Tools: true})
			}
			delete(listers, kind)
		}
	}
	return all
}

// keyName is where a provider's key comes from, or would, for the sentence when it is refused or wanted.
func keyName(kind string, p provider) string {
	if p.APIKeyEnv != "" {
		return p.APIKeyEnv
	}
	if p.APIKeyCommand != "" {
		return "what apiKeyCommand prints"
	}
	return "providers." + kind + ".apiKeyEnv in the configuration"
}

// providerKeys are the variables that hold the keys of wisp's own providers.
func providerKeys(configured map[string]provider) []string {
	var keys []string
	for _, p := range openai.Presets() {
		keys = append(keys, p.KeyName)
	}
	for _, p := range configured {
		keys = append(keys, p.APIKeyEnv)
	}
	return keys
}

// secretsOf is what is masked: what looks like a secret in the environment, the keys of wisp's own providers, and the headers that
// are configured for them.
func secretsOf(environ []string, configured map[string]provider) *secret.Mask {
	secrets := secret.New(environ, providerKeys(configured)...)
	for name, p := range configured {
		for header, value := range p.Headers {
			if secret.Named(header) {
				_, token, scheme := strings.Cut(value, " ") // Bearer TOKEN
				if !scheme {
					token = value
				}
				secrets.Hide("providers."+name+"."+header, token)
			}
		}
	}
	return secrets
}

// commandEnv is the environment of commands: the person's, without the keys of wisp's own providers.
func commandEnv(environ []string, configured map[string]provider) []string {
	keys := providerKeys(configured)
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return name != "" && slices.Contains(keys, name)
	})
}
