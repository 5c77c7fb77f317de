package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wisp/engine/command"
	"wisp/protocol"
)

// The bounds of the person's own commands.
const (
	maxCustom      = 200      // in one folder
	maxCustomBytes = 64 << 10 // of one
	maxCustomName  = 40
)

// arguments stands in the text of a command for what is typed behind its name.
const arguments = "$ARGUMENTS"

// custom is a command of the person's own or of the project's: a Markdown file whose text is a prompt.
type custom struct {
	name    string
	path    string
	help    string
	project bool
}

// customs are the commands that there are now, sorted: the person's commands/*.md beside their configuration, and the project's
// .wisp/commands/*.md. The person's counts where both have a name, and a name of wisp's own can't be taken: left says which were.
func (s *Session) customs() (all []custom, left []string) {
	if s.config.Configuration != "" {
		all = customsIn(filepath.Join(filepath.Dir(s.config.Configuration), "commands"), false)
	}
	for _, dir := range upToTop(s.state.directory) { // the nearest that has some
		found := customsIn(filepath.Join(dir, ".wisp", "commands"), true)
		for _, c := range found {
			if !slices.ContainsFunc(all, func(o custom) bool { return o.name == c.name }) {
				all = append(all, c)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	all = slices.DeleteFunc(all, func(c custom) bool {
		_, taken := command.Find(c.name)
		if taken {
			left = append(left, c.path)
		}
		return taken
	})
	slices.SortFunc(all, func(a, b custom) int { return strings.Compare(a.name, b.name) })
	return all, left
}

// customsIn are the commands of one folder.
func customsIn(folder string, project bool) []custom {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var all []custom
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".md")
		if !ok || !customName(name) || len(all) == maxCustom {
			continue
		}
		c := custom{name: name, path: filepath.Join(folder, e.Name()), project: project}
		if text, err := c.read(); err == nil {
			c.help, _ = frontMatter(text)
			all = append(all, c)
		}
	}
	return all
}

// customName says whether a file's name is one that can be typed: letters in lower case, digits, - and _.
func customName(name string) bool {
	return name != "" && len(name) <= maxCustomName && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == "" && name[0] != '-'
}

// read reads the file. A project's must be in the project's folder, wherever links lead: no file of the person's becomes a prompt by
// a link in a project.
func (c custom) read() (string, error) {
	info, err := os.Stat(c.path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is no regular file")
	case c.project && !inside(filepath.Dir(filepath.Dir(filepath.Dir(c.path))), c.path):
		return "", errors.New("it leads out of the project")
	case info.Size() > maxCustomBytes:
		return "", fmt.Errorf("it has %d bytes, and %d are the most", info.Size(), maxCustomBytes)
	}
	file, err := os.Open(c.path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxCustomBytes))
	return strings.ToValidUTF8(string(data), "\uFFFD"), err
}

// frontMatter parts a file into its description and its text. Other settings of a front matter are passed over.
func frontMatter(text string) (description, body string) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	head, rest, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !strings.HasPrefix(text, "---\n") || !ok {
		return clip(strings.Trim(firstLine(text), "# "), 100), text
	}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) == "description" {
			description = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	if description == "" {
		description = strings.Trim(firstLine(rest), "# ")
	}
	return clip(description, 100), rest
}

// custom sends what a command of the person's own says, as their prompt; false where there is none of that name. Typing it is the
// person's word, as for any prompt. What a project wrote is shown as it goes, and names no file outside the project: that is the
// person's to name, behind the command.
func (s *Session) custom(ctx context.Context, name, typed string, l protocol.Line) bool {
	all, _ := s.customs()
	i := slices.IndexFunc(all, func(c custom) bool { return c.name == name })
	if i < 0 {
		return false
	}
	c := all[i]
	text, err := c.read()
	if err != nil {
		s.note("error", l.ID.ID, "/%s can't be read from %s: %v", name, c.path, err)
		s.settled()
		return true
	}
	_, body := frontMatter(text)
	body = strings.TrimSpace(body)
	prompt := strings.ReplaceAll(body, arguments, typed)
	if !strings.Contains(body, arguments) && typed != "" {
		prompt += "\n\n" + typed
	}
	p := protocol.Prompt{ID: l.ID, Text: prompt}
	if c.project {
		s.note("info", l.ID.ID, "/%s is the project's, from %s. It goes to the model as your prompt:\n%s", name, c.path, clip(prompt, 2<<10))
		p.Attachments = s.typedMentions(typed)
	} else {
		p.Attachments = s.typedMentions(prompt)
	}
	s.hold(ctx, p)
	return true
}
