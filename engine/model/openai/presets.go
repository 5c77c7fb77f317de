package openai

// Preset is a service or a local server that this client reaches, by the name that heads its models' names.
type Preset struct {
	Name    string // "groq", for groq:NAME
	Label   string // "Groq", for people
	BaseURL string
	KeyName string // the environment variable that holds its key; "" for a server on this machine
	Model   string // the model to begin with where only a key is known
	Start   string // what to do where nothing answers
}

// Presets returns the known ones, those on this machine first and in the order in which they are preferred.
func Presets() []Preset {
	return []Preset{
		{Name: "lmstudio", Label: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1", Start: "start its server: Developer, Start Server, or `lms server start`"},
		{Name: "llamacpp", Label: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1", Start: "start it with `llama-server --jinja -m MODEL.gguf`"},
		{Name: "openai", Label: "OpenAI", BaseURL: "https://api.openai.com/v1", KeyName: "OPENAI_API_KEY", Model: "gpt-4.1"},
		{Name: "openrouter", Label: "OpenRouter", BaseURL: "https://openrouter.ai/api/v1", KeyName: "OPENROUTER_API_KEY", Model: "openrouter/auto"},
		{Name: "groq", Label: "Groq", BaseURL: "https://api.groq.com/openai/v1", KeyName: "GROQ_API_KEY", Model: "llama-3.3-70b-versatile"},
		{Name: "mistral", Label: "Mistral", BaseURL: "https://api.mistral.ai/v1", KeyName: "MISTRAL_API_KEY", Model: "mistral-large-latest"},
	}
}

// PresetOf returns the preset of that name.
func PresetOf(name string) (Preset, bool) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}
