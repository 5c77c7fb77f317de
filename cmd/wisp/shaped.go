package main

import (
	"fmt"
	"strings"

	"wisp/cmd/place"
	"wisp/engine/shape"
)

// shaped makes of a prompt one that asks for a reply of a file's JSON Schema, and returns what checks the reply.
func shaped(prompt, path string) (asked string, check func(reply string) (answer, complaint string), err error) {
	text, _, err := place.ReadFile(path)
	if err != nil {
		return "", nil, fmt.Errorf("--schema %s: %w", path, err)
	}
	schema, err := shape.Parse(text)
	if err != nil {
		return "", nil, fmt.Errorf("--schema %s: %w", path, err)
	}
	asked = prompt + "\n\nReply with one JSON value and no word around it. It must be of this JSON Schema:\n\n" + strings.TrimSpace(string(text))
	return asked, func(reply string) (string, string) {
		answer := unfenced(reply)
		if why := schema.Check([]byte(answer)); why != "" {
			return "", why
		}
		return answer + "\n", ""
	}, nil
}

// unfenced is a reply without the fence that models put around JSON.
func unfenced(reply string) string {
	text := strings.TrimSpace(reply)
	if body, ok := strings.CutSuffix(text, "```"); ok && strings.HasPrefix(text, "```") {
		if _, inner, ok := strings.Cut(body, "\n"); ok && !strings.Contains(inner, "```") {
			return strings.TrimSpace(inner)
		}
	}
	return text
}
