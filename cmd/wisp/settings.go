package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
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
	Permission       struct {
		Shell orderedRules `json:"shell"`
	} `json:"permission"`
	Approval struct {
		Threshold      string `json:"threshold"`
		TimeoutSeconds *int   `json:"timeoutSeconds"`
	} `json:"approval"`
	Audit struct {
		Required *bool `json:"required"`
	} `json:"audit"`
	Tools struct {
		Shell *bool `json:"shell"`
	} `json:"tools"`
	Sandbox struct {
		Means         string   `json:"means"`
		Network       *bool    `json:"network"`
		WritablePaths []string `json:"writablePaths"`
	} `json:"sandbox"`
	Input place.Input `json:"input"`
	Hooks struct {
		ShellEnv string `json:"shellEnv"`
	} `json:"hooks"`
}

// modelSetting is a model's name, or an object with more.
type modelSetting struct {
	Name         string `json:"name"`
	StallSeconds int    `json:"stallSeconds"`
}

// UnmarshalJSON takes "ollama:qwen3" beside {"name": "ollama:qwen3"}.
func (m *modelSetting) UnmarshalJSON(data []byte) error {
	switch {
	case len(data) > 0 && data[0] == '"':
		return json.Unmarshal(data, &m.Name)
	case len(data) == 0 || data[0] != '{':
		return errors.New("model must be a name or an object")
	}
	type plain modelSetting
	return strictly(data, (*plain)(m))
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
}

// orderedRules are permission.shell's, in the order of the file: the last that matches decides.
type orderedRules []gate.Rule

// UnmarshalJSON keeps the order.
func (r *orderedRules) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("permission.shell must be an object of patterns: {\"git push *\": \"ask\"}")
	}
	for d.More() {
		pattern, err := d.Token()
		if err != nil {
			return err
		}
		var decision string
		if err := d.Decode(&decision); err != nil || !slices.Contains([]string{"allow", "ask", "deny"}, decision) {
			return fmt.Errorf("permission.shell: %q must be \"allow\", \"ask\" or \"deny\"", pattern)
		}
		*r = append(*r, gate.Rule{Pattern: pattern.(string), Decision: gate.Decision(decision), Source: "the configuration"})
	}
	return nil
}

// strictly decodes JSON and names a key that isn't known.
func strictly(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// readConfiguration reads a file. A file that isn't there is an empty one; a fault names the file and the line.
func readConfiguration(path string) (configuration, error) {
	var c configuration
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("configuration %s can't be read: %w", path, err)
	}
	plain, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return c, fmt.Errorf("configuration %s: %s", path, strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if err := strictly(plain, &c); err != nil {
		c = configuration{}
		return c, fmt.Errorf("configuration %s%s: %s", path, lineOf(plain, err), faultText(err))
	}
	return c, nil
}

// faultText says what is wrong in the file's own words, without Go's.
func faultText(err error) string {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return strings.TrimPrefix(err.Error(), "json: ")
	}
	name := kind.Field
	if name == "" {
		name = "a setting"
	}
	return fmt.Sprintf("%s must be %s, not %s", name, wanted(kind.Type), kind.Value)
}

// wanted is what a setting must be, in words.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// lineOf says where in a file a fault of decoding is: Standardize keeps every line where it was.
func lineOf(text []byte, err error) string {
	offset := int64(-1)
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		offset = kind.Offset
	case errors.As(err, &syntax):
		offset = syntax.Offset
	default: // an unknown key: it is in the fault's text
		if _, key, ok := strings.Cut(err.Error(), "unknown field "); ok {
			offset = int64(bytes.Index(text, []byte(key)))
		}
	}
	if offset < 0 || offset > int64(len(text)) {
		return ""
	}
	return fmt.Sprintf(", line %d", 1+bytes.Count(text[:offset], []byte("\n")))
}

// settings fills in the defaults. A threshold that isn't one is a fault, as a file that can't be read is: then a model is
// asked about everything, so that no rule that stands there is loosened.
func (c configuration) settings() (engine.Settings, error) {
	s := engine.Defaults()
	set := func(to *int, value int) {
		if value > 0 {
			*to = value
		}
	}
	set(&s.ShownOutputLines, c.ShownOutputLines)
	set(&s.ModelOutputBytes, c.ModelOutputBytes)
	set(&s.MaxSteps, c.MaxSteps)
	set(&s.MaxSameCalls, c.MaxSameCalls)
	s.Rules, s.Instructions = c.Permission.Shell, c.Instructions
	if t := c.Approval.TimeoutSeconds; t != nil && *t >= 0 {
		s.ApprovalTimeout = time.Duration(*t) * time.Second
	}
	if c.Audit.Required != nil {
		s.AuditRequired = *c.Audit.Required
	}
	if c.Tools.Shell != nil {
		s.ShellTools = *c.Tools.Shell
	}
	s.Sandbox.Means, s.Sandbox.Writable = sandbox.Means(c.Sandbox.Means), c.Sandbox.WritablePaths
	if c.Sandbox.Network != nil {
		s.Sandbox.Network = *c.Sandbox.Network
	}
	for _, path := range c.Sandbox.WritablePaths {
		if !filepath.IsAbs(path) && path != "~" && !strings.HasPrefix(path, "~/") {
			return s, fmt.Errorf("sandbox.writablePaths: %q must be absolute or begin with ~/: it is left out, and the model is asked about every command until it is mended", path)
		}
	}
	switch c.Approval.Threshold {
	case "", "moderate":
	case "low":
		s.Threshold = gate.Low
	case "high":
		s.Threshold = gate.High
	default:
		s.Threshold = gate.Low
		return s, fmt.Errorf("approval.threshold must be low, moderate or high, not %q: the model is asked about every command until it is mended", c.Approval.Threshold)
	}
	return s, nil
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
