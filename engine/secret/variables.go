package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// The bounds of what is masked by its value.
const (
	// maxValues is how many values there may be: an environment has some hundred variables.
	maxValues = 300
	// maxValue is how long one may be, a line of it where it has several: longer ones are files rather than keys.
	maxValue = 4 << 10
	// leastValue is how long one must be to be masked wherever it stands.
	leastValue = 8
	// leastLine is how long a line of a value of several lines must be.
	leastLine = 16
)

// value is a text that is masked as name.
type value struct {
	name, text string
	only       bool // only as NAME=value: it is too short, or an ordinary word
}

// secretsOf returns what is secret in an environment, sorted, so that of two names of one value it is always the same that is shown.
func secretsOf(env, keys []string) []value {
	var all []value
	for _, entry := range env {
		name, text, _ := strings.Cut(entry, "=")
		text = strings.TrimSpace(text)
		switch {
		case text == "" || name == "":
		case slices.Contains(keys, name) || Named(name):
			all = append(all, hidden(name, text)...)
		case strings.HasPrefix(name, "AWS_") && random(text):
			all = append(all, hidden(name, text)...)
		default:
			all = append(all, within(name, text)...)
		}
	}
	slices.SortFunc(all, func(a, b value) int { return strings.Compare(a.name, b.name) })
	return all
}

// hidden returns what is to be masked of a value that is a secret by its name.
func hidden(name, text string) []value {
	text = strings.TrimSpace(text)
	inner := within(name, text)
	switch {
	case len(inner) > 0 && !strings.ContainsAny(text, "\n"):
		return inner
	case len(text) < 4 || placeholder(text) || harmless(text):
		return nil
	case len(text) < leastValue || ordinary(text):
		return []value{{name, text, true}}
	}
	all := inner
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		several := len(line) != len(text)
		switch {
		case len(line) > maxValue || several && len(line) < leastLine, strings.HasPrefix(line, "-----"):
		case several && strings.HasPrefix(text, "{"): // a file of JSON has lines that others have
		default:
			all = append(all, value{name, line, false})
		}
	}
	return all
}

// within returns the passwords within a value that is more than one: a URL's, a connection string's.
func within(name, text string) []value {
	var all []value
	add := func(password string) {
		if plain, err := url.PathUnescape(password); err == nil && plain != password {
			all = append(all, value{name, plain, len(plain) < leastValue || ordinary(plain)})
		}
		if len(password) >= 4 && !placeholder(password) {
			all = append(all, value{name, password, len(password) < leastValue || ordinary(password)})
		}
	}
	if scheme, rest, ok := strings.Cut(text, "://"); ok && !strings.ContainsAny(scheme, " \n") {
		authority, _, _ := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(authority, '@'); at >= 0 {
			if _, password, ok := strings.Cut(authority[:at], ":"); ok {
				add(password)
			}
		}
	}
	lower := strings.ToLower(text)
	for _, key := range [...]string{"password=", "pwd=", "accountkey=", "sharedaccesskey="} {
		if at := strings.Index(lower, key); at >= 0 && len(lower) == len(text) {
			password := text[at+len(key):]
			if end := strings.IndexAny(password, "; &\n\"'"); end >= 0 {
				password = password[:end]
			}
			add(password)
		}
	}
	return all
}

// Named says whether a variable, a field or a header of that name holds a secret.
func Named(name string) bool {
	words := strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	if len(words) == 0 || name == "PWD" || name == "OLDPWD" {
		return false
	}
	for _, w := range words {
		switch w {
		case "PUBLIC", "MAX", "MIN", "LIMIT", "COUNT", "NUM", "SIZE", "LENGTH", "TTL", "TIMEOUT", "PARALLELISM", "FINGERPRINT", "POLICY":
			return false
		}
	}
	switch words[len(words)-1] {
	case "NAME", "TYPE", "PATH", "FILE", "DIR", "ARN", "REGION", "PROFILE", "USER", "USERNAME", "EMAIL", "HOST", "PORT", "ENDPOINT",
		"ALGORITHM", "VERSION", "PROVIDER", "STORE", "HELPER", "SOCK", "SOCKET", "COMMAND", "HEADER", "ENABLED", "REQUIRED", "ASKPASS":
		return false
	}
	whole := strings.Join(words, "_")
	for _, part := range [...]string{"PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "CREDENTIAL", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "AUTHTOKEN"} {
		if strings.Contains(whole, part) {
			return true
		}
	}
	last := len(words) - 1
	for last > 0 && slices.Contains([]string{"ID", "B64", "BASE64", "PEM", "JSON", "OLD", "NEW", "DEV", "PROD", "STAGING", "TEST"}, words[last]) || last > 0 && number(words[last]) {
		last--
	}
	switch w := words[last]; w {
	case "KEY", "KEYS", "TOKEN", "TOKENS", "PASS", "PWD", "PAT", "CREDS", "AUTH", "PSK", "DSN", "JWT", "COOKIE", "BEARER", "SIGNATURE", "AUTHORIZATION":
		return true
	default:
		return strings.HasSuffix(w, "TOKEN") || strings.HasSuffix(w, "PASS") && w != "BYPASS" && w != "COMPASS" || strings.HasSuffix(w, "PASSWD") || len(words) > 1 && strings.HasSuffix(w, "PWD")
	}
}

func number(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// harmless says that a value can be no secret, whatever it is called: a truth value, a path, an address without a password.
func harmless(text string) bool {
	switch strings.ToLower(text) {
	case "true", "false", "none", "null", "undefined", "auto", "default", "disabled", "enabled", "required", "optional":
		return true
	}
	if strings.Contains(text, "://") {
		return true // within has looked for a password
	}
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || len(text) > 2 && text[1] == ':' && text[2] == '\\' {
		return !random(strings.TrimLeft(text, "/.~")) // base64 may begin with a slash
	}
	return strings.Trim(text, "0123456789.,:+- ") == "" && len(text) < 16
}

// ordinary says that a value is a word, or words, that stands in texts for what it says.
func ordinary(text string) bool {
	letters, digits, words := 0, 0, 0
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r >= 0x80 || !isLetter(byte(r)) }) {
		words++
		letters += len(part)
		if !usual(strings.ToLower(part)) {
			return false
		}
	}
	for i := range len(text) {
		if isDigit(text[i]) {
			digits++
		}
	}
	return digits <= 4 && letters+digits+words+2 >= len(text)
}

// usual knows words that are used for passwords that are none, or that a variable of such a name holds beside one.
func usual(word string) bool {
	switch word {
	case "a", "the", "my", "no", "not", "is", "key", "keys", "token", "secret", "secrets", "password", "passwd", "pass", "pwd", "admin", "administrator", "root", "user", "username",
		"guest", "test", "tests", "testing", "dev", "develop", "development", "local", "localhost", "prod", "production", "staging", "stage", "demo", "example", "sample", "dummy",
		"fake", "changeme", "change", "me", "letmein", "welcome", "qwerty", "postgres", "postgresql", "mysql", "mariadb", "mongo", "mongodb", "redis", "rabbitmq", "minio",
		"minioadmin", "elastic", "ollama", "docker", "kubernetes", "github", "gitlab", "google", "azure", "aws", "amazon", "database", "db", "app", "application", "service", "server",
		"client", "public", "private", "basic", "bearer", "oauth", "keychain", "keyring", "file", "env", "value", "string", "empty", "unset", "us", "eu", "ap", "east", "west",
		"north", "south", "central", "lmstudio", "llamacpp", "required", "disabled", "enabled", "anonymous", "wisp":
		return true
	}
	return false
}

// form is one way in which a value is printed.
type form struct {
	text string
	keep int  // how much of it is shown: NAME=
	edge bool // only as a whole word
}

// forms returns the ways in which a value is printed: as it is, as URLs, JSON and shells quote it, in hexadecimal, and in
// base64, alone or within more (as after "user:").
func (v value) forms() []form {
	if v.only {
		return v.assigned()
	}
	word := strings.IndexFunc(v.text, func(r rune) bool { return r >= 0x80 || !isLetter(byte(r)) }) < 0
	all := []form{{v.text, 0, word && len(v.text) < leastLine}}
	add := func(text string) {
		if len(text) >= leastValue && len(text) <= longestWord && !slices.ContainsFunc(all, func(f form) bool { return f.text == text }) {
			all = append(all, form{text, 0, false})
		}
	}
	add(url.QueryEscape(v.text))
	add(url.PathEscape(v.text))
	add(jsonText(v.text, true))
	add(jsonText(v.text, false))
	add(strings.ReplaceAll(v.text, `'`, `'\''`))
	add(shellText(v.text))
	add(hex.EncodeToString([]byte(v.text)))
	for _, of := range [...]*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		add(of.EncodeToString([]byte(v.text + "\n")))
		add(of.EncodeToString([]byte(v.text)))
		add(strings.TrimRight(of.EncodeToString([]byte(v.text)), "="))
		for before := range 3 { // bytes before it in its group of three
			whole := (before + len(v.text)) / 3 * 4
			from := (before*4 + 2) / 3 // the characters that what stands before has a part in
			if before > 0 {
				from = before + 1
			}
			encoded := of.EncodeToString(append(make([]byte, before), v.text...))
			add(encoded[min(from, whole):whole])
		}
	}
	return all
}

// assigned are the forms of a value that is masked only beside its variable's name.
func (v value) assigned() []form {
	var all []form
	for _, open := range [...]string{"=", `="`, "='"} {
		head := v.name + open
		all = append(all, form{head + v.text, len(head), true})
	}
	return all
}

// jsonText is a text as it stands within a string of JSON.
func jsonText(text string, html bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	if e.Encode(text) != nil {
		return text
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	return quoted[1 : len(quoted)-1]
}

// shellText is a text as a shell prints it with %q, and within double quotes.
func shellText(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c < 0x80 && !isWord(c) && !strings.ContainsRune("-./:=@%+,", rune(c)) {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
