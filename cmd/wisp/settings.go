package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/tailscale/hujson"

	"wisp/cmd/place"
	"wisp/engine"
	"wisp/engine/gate"
	"wisp/engine/sandbox"
)

// configuration is the person's file: JSON with comments. Every key is optional; docs/configuration.md has them all.
type configuration struct {
	Model            modelSetting        `json:"model"`
	Providers        map[string]provider `json:"providers"`
	Shell            string              `json:"shell"`
	Instructions     string              `json:"instructions"`
	ShownOutputLines int                 `json:"shownOutputLines"`
	ModelOutputBytes int                 `json:"modelOutputBytes"`
	MaxSteps         int                 `json:"maxSteps"`
	MaxSameCalls     int                 `json:"maxSameCalls"`
	Context          struct {
		Target float64 `json:"target"`
	} `json:"context"`
	Permission families `json:"permission"`
	Approval   struct {
		Mode           string `json:"mode"`
		Threshold      string `json:"threshold"`
		TimeoutSeconds *int   `json:"timeoutSeconds"`
	} `json:"approval"`
	Audit struct {
		Required *bool `json:"required"`
		MaxBytes int   `json:"maxBytes"`
	} `json:"audit"`
	Outputs struct {
		MaxBytes int64 `json:"maxBytes"`
	} `json:"outputs"`
	Tools struct {
		Shell        *bool `json:"shell"`
		ShellSession *bool `json:"shell_session"`
	} `json:"tools"`
	Sandbox struct {
		Means         string   `json:"means"`
		Network       *bool    `json:"network"`
		WritablePaths []string `json:"writablePaths"`
	} `json:"sandbox"`
	Attach []string    `json:"attach"`
	Input  place.Input `json:"input"`
	Hooks  struct {
		ShellEnv string `json:"shellEnv"`
	} `json:"hooks"`
}

// modelSetting is a model's name, or an object with more.
type modelSetting struct {
	Name         string `json:"name"`
	StallSeconds int    `json:"stallSeconds"`
}

// read implements own: "ollama:qwen3" beside {"name": "ollama:qwen3"}.
func (m *modelSetting) read(r *reader, v *hujson.Value, key string) error {
	switch v.Value.Kind() {
	case '"':
		m.Name = v.Value.(hujson.Literal).String()
		r.set(v, key, "")
		return nil
	case '{':
		return r.object(v, reflect.ValueOf(m).Elem(), key)
	}
	return r.wrong(v, "%s must be a name or an object, not %s", key, kindName(v))
}

// provider is a server of models; see models.md.
type provider struct {
	Type          string            `json:"type"`
	BaseURL       string            `json:"baseUrl"`
	APIKeyEnv     string            `json:"apiKeyEnv"`
	APIKeyCommand string            `json:"apiKeyCommand"`
	Headers       map[string]string `json:"headers"`
	ContextWindow int               `json:"contextWindow"`
	Models        []string          `json:"models"`
	Prices        map[string]price  `json:"prices"`
}

// price is what a million tokens of a model cost.
type price struct {
	Input  float64 `json:"input"`
	Cached float64 `json:"cached"`
	Output float64 `json:"output"`
}

// prices are the configured ones by the models' whole names.
func (c configuration) prices() map[string]engine.Price {
	all := map[string]engine.Price{}
	for provider, p := range c.Providers {
		for name, of := range p.Prices {
			all[provider+":"+name] = engine.Price(of)
		}
	}
	return all
}

// settings fills in the defaults. A word that a setting doesn't take has been left out by then, and said (document.faults).
func (c configuration) settings() engine.Settings {
	s := engine.Defaults()
	set := func(to *int, value int) {
		if value > 0 {
			*to = value
		}
	}
	is := func(to *bool, value *bool) {
		if value != nil {
			*to = *value
		}
	}
	set(&s.ShownOutputLines, c.ShownOutputLines)
	set(&s.ModelOutputBytes, c.ModelOutputBytes)
	set(&s.MaxSteps, c.MaxSteps)
	set(&s.MaxSameCalls, c.MaxSameCalls)
	s.Rules, s.Instructions, s.ContextTarget = c.Permission.rules(), c.Instructions, c.Context.Target
	if t := c.Approval.TimeoutSeconds; t != nil && *t >= 0 {
		s.ApprovalTimeout = time.Duration(*t) * time.Second
	}
	if c.Approval.Mode != "" {
		s.Mode = gate.Mode(c.Approval.Mode)
	}
	switch c.Approval.Threshold {
	case "low":
		s.Threshold = gate.Low
	case "high":
		s.Threshold = gate.High
	}
	is(&s.AuditRequired, c.Audit.Required)
	set(&s.AuditBytes, c.Audit.MaxBytes)
	s.OutputBytes, s.Prices = max(c.Outputs.MaxBytes, 0), c.prices()
	is(&s.ShellTools, c.Tools.Shell)
	is(&s.SessionTools, c.Tools.ShellSession)
	s.SessionTools = s.SessionTools && s.ShellTools // one family
	s.Attach = c.Attach
	is(&s.Sandbox.Network, c.Sandbox.Network)
	s.Sandbox.Means, s.Sandbox.Writable = sandbox.Means(c.Sandbox.Means), c.Sandbox.WritablePaths
	return s
}

// findShell is the one rule for the person's commands and the model's; see commands.md, "Running".
func findShell(setting, shell string) (string, error) {
	if setting != "" {
		if _, err := os.Stat(setting); err != nil {
			return setting, fmt.Errorf("the shell of the configuration, %s, isn't there: commands will fail until \"shell\" names another", setting)
		}
		return setting, nil
	}
	known := []string{"sh", "bash", "zsh", "dash", "ksh", "fish"}
	if info, err := os.Stat(shell); err == nil && !info.IsDir() && filepath.IsAbs(shell) && slices.Contains(known, filepath.Base(shell)) {
		return shell, nil
	}
	return "/bin/sh", nil
}
