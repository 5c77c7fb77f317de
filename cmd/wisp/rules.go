package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"wisp/cmd/place"
	"wisp/engine/gate"
	"wisp/engine/text"
)

// families are the rules by family; see guard.md, "Rules".
type families struct {
	Shell             orderedRules `json:"shell"`
	Edit              orderedRules `json:"edit"`
	Read              orderedRules `json:"read"`
	ExternalDirectory orderedRules `json:"external_directory"`
}

// rules are all of them, family by family.
func (p families) rules() []gate.Rule {
	return slices.Concat(p.Shell, p.Edit, p.Read, p.ExternalDirectory)
}

// orderedRules are one family's, in the order of the file: the last that matches decides.
type orderedRules []gate.Rule

// read implements own: each rule knows where it stands, for a refusal and a warning to say.
func (o *orderedRules) read(r *reader, v *hujson.Value, key string) error {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return r.wrong(v, "%s must be an object of patterns, such as {\"git push *\": \"ask\"}, not %s", key, kindName(v))
	}
	whole := reader{document: r.document} // a pattern is no key that could be left out
	return whole.members(object, key, func(pattern string, at, value *hujson.Value) error {
		if strings.TrimSpace(pattern) != pattern || pattern == "" {
			return r.wrong(at, "%s: %s is empty, or begins or ends with a blank: it would match nothing", key, quoted(pattern))
		}
		decision := ""
		if literal, ok := value.Value.(hujson.Literal); ok && literal.Kind() == '"' {
			decision = literal.String()
		}
		if !slices.Contains([]string{"allow", "ask", "deny"}, decision) {
			return r.wrong(value, "%s: %s must be \"allow\", \"ask\" or \"deny\"", key, quoted(pattern))
		}
		*o = append(*o, gate.Rule{
			Family: strings.TrimPrefix(key, "permission."), Pattern: pattern, Decision: gate.Decision(decision),
			Source: text.Line(fmt.Sprintf("%s, line %d", r.path, place.Line(r.text, at.StartOffset))),
		})
		r.set(value, key, pattern)
		return nil
	})
}

// withoutAllow leaves out the rules that allow: where others may be missing, none of them holds.
func withoutAllow(all []gate.Rule) []gate.Rule {
	var rest []gate.Rule
	for _, r := range all {
		if r.Decision != gate.Allow {
			rest = append(rest, r)
		}
	}
	return rest
}

// wideRules says of each rule that allows more than it seems to.
func wideRules(all []gate.Rule) []string {
	var said []string
	for _, r := range all {
		if wide := gate.Wide(r); wide != "" {
			said = append(said, text.Line(fmt.Sprintf("%s: permission.%s: %s", r.Source, r.Family, wide)))
		}
	}
	return said
}
