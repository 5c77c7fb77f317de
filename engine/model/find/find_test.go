package find

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"wisp/engine/model"
)

type has []model.Info

func (h has) List(context.Context) ([]model.Info, error) { return h, nil }

type refuses struct{}

func (refuses) List(context.Context) ([]model.Info, error) { return nil, errors.New("no server") }

type silent struct{}

func (silent) List(ctx context.Context) ([]model.Info, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestFind(t *testing.T) {
	t.Parallel()
	tools := model.Info{Name: "ollama:qwen3:8b", Tools: true}
	talker := model.Info{Name: "lmstudio:gemma"}
	embedding := model.Info{Name: "ollama:nomic", Problem: "it can't chat"}
	key := Place{Label: "OpenAI", Model: "openai:gpt-4.1", Key: "OPENAI_API_KEY"}
	local := func(label string, l model.Lister) Place {
		return Place{Label: label, URL: "http://127.0.0.1:1", Lister: l}
	}
	for name, c := range map[string]struct {
		places []Place
		want   Found
	}{
		"a local one first": {[]Place{key, local("Ollama", has{embedding, tools})}, Found{"ollama:qwen3:8b", "Ollama at http://127.0.0.1:1 has qwen3:8b"}},
		"tools before talk": {[]Place{local("LM Studio", has{talker}), local("Ollama", has{tools})}, Found{"ollama:qwen3:8b", "Ollama at http://127.0.0.1:1 has qwen3:8b"}},
		"a key before talk": {[]Place{local("LM Studio", has{talker}), key}, Found{"openai:gpt-4.1", "OPENAI_API_KEY is set: this is OpenAI"}},
		"talk at last":      {[]Place{local("LM Studio", has{talker}), local("Ollama", refuses{})}, Found{"lmstudio:gemma", "LM Studio at http://127.0.0.1:1 has gemma, which can't use tools"}},
		"one is silent":     {[]Place{local("llama.cpp", silent{}), local("Ollama", has{tools})}, Found{"ollama:qwen3:8b", "Ollama at http://127.0.0.1:1 has qwen3:8b"}},
		"none":              {[]Place{local("Ollama", refuses{}), local("LM Studio", silent{}), local("Ollama", has{embedding})}, Found{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				got, ok := Find(t.Context(), c.places)
				if got != c.want || ok != (c.want != Found{}) {
					t.Errorf("%+v", got)
				}
				if took := time.Since(start); took > Patience {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}

func TestLookTellsWhyNot(t *testing.T) {
	t.Parallel()
	seen := Look(t.Context(), []Place{{Label: "a", Lister: refuses{}}, {Label: "b", Lister: has{{Name: "x:y"}}}, {Label: "c", Model: "c:d"}})
	if seen[0].Err == nil || len(seen[1].Models) != 1 || seen[2].Place.Label != "c" {
		t.Errorf("%+v", seen)
	}
}
