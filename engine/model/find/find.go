// Package find looks for the models that this machine can use when none is configured.
//
// All places are asked at once and none is waited for longer than [Patience]. A server on this machine that has a
// model which can chat and use tools is preferred, in the order of the places; then a service whose key is known,
// which isn't asked; then a server on this machine whose model can only chat.
//
// What the package doesn't do: it starts and pulls nothing, reads no environment, and knows no provider: cmd hands
// it the places, each with the client that can list its models. Specified in models.md.
package find

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"wisp/engine/model"
)

// Patience bounds a search: within it a server on this machine answers many times over, and nobody notices the wait.
const Patience = 250 * time.Millisecond

// Place is where models may be.
type Place struct {
	Label string // for people: "Ollama"
	URL   string // where it was looked for
	// Lister asks the place; nil for a service that is taken by its key alone.
	Lister model.Lister
	Model  string // the model to begin with where there is no Lister: "openai:gpt-4.1"
	Key    string // the name of the key that is known: "OPENAI_API_KEY"
}

// Found is a model that can be used.
type Found struct {
	Name string // "ollama:qwen3:8b"
	Why  string // a plain sentence: "Ollama at http://127.0.0.1:11434 has qwen3:8b"
}

// Seen is what one place has, or why it has nothing.
type Seen struct {
	Place  Place
	Models []model.Info
	Err    error
}

// Find returns the model to begin with; false where there is none. It ends with ctx, and after Patience.
func Find(ctx context.Context, places []Place) (Found, bool) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	seen := Look(ctx, places)
	for _, s := range seen {
		if info, ok := first(s.Models, true); ok {
			return found(s.Place, info, ""), true
		}
	}
	for _, p := range places {
		if p.Lister == nil && p.Model != "" {
			return Found{Name: p.Model, Why: p.Key + " is set: this is " + p.Label}, true
		}
	}
	for _, s := range seen {
		if info, ok := first(s.Models, false); ok {
			return found(s.Place, info, ", which can't use tools"), true
		}
	}
	return Found{}, false
}

// Look asks all places at once and returns what each has, in their order. It waits for all of them or for ctx.
func Look(ctx context.Context, places []Place) []Seen {
	seen := make([]Seen, len(places))
	var wg sync.WaitGroup
	for i, p := range places {
		seen[i].Place = p
		if p.Lister != nil {
			wg.Go(func() { seen[i].Models, seen[i].Err = p.Lister.List(ctx) })
		}
	}
	wg.Wait()
	return seen
}

// first is the first model that can be used, with tools where they are wanted.
func first(models []model.Info, tools bool) (model.Info, bool) {
	for _, m := range models {
		if m.Problem == "" && (m.Tools || !tools) {
			return m, true
		}
	}
	return model.Info{}, false
}

func found(p Place, info model.Info, but string) Found {
	_, name, _ := strings.Cut(info.Name, ":")
	return Found{Name: info.Name, Why: fmt.Sprintf("%s at %s has %s%s", p.Label, p.URL, name, but)}
}
