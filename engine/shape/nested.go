package shape

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// combined checks allOf, anyOf, oneOf, not, and if.
func (s *checking) combined(schema map[string]any, v any, at string, depth int) string {
	fits := func(one any) bool { return s.check(one, v, at, depth+1) == "" }
	for _, one := range of(schema, "allOf") {
		if why := s.check(one, v, at, depth+1); why != "" {
			return why
		}
	}
	if all := of(schema, "anyOf"); all != nil && !slices.ContainsFunc(all, fits) {
		return fmt.Sprintf("%s fits none of the %d forms that it may have: %s", named(at), len(all), s.check(all[0], v, at, depth+1))
	}
	if all := of(schema, "oneOf"); all != nil {
		n := 0
		for _, one := range all {
			if fits(one) {
				n++
			}
		}
		if n != 1 {
			return fmt.Sprintf("%s must fit one of the %d forms that it may have, and fits %d", named(at), len(all), n)
		}
	}
	if not, ok := schema["not"]; ok && fits(not) {
		return named(at) + " has a form that it may not have"
	}
	if when, ok := schema["if"]; ok {
		then := schema["else"]
		if fits(when) {
			then = schema["then"]
		}
		if then != nil {
			return s.check(then, v, at, depth+1)
		}
	}
	return ""
}

// of are the schemas of a keyword.
func of(schema map[string]any, key string) []any {
	all, _ := schema[key].([]any)
	return all
}

// object checks what is asked of an object, in the order of its names.
func (s *checking) object(schema map[string]any, v any, at string, depth int) string {
	object, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	for _, name := range of(schema, "required") {
		if _, ok := object[name.(string)]; !ok {
			return fmt.Sprintf("%s lacks %q, which is required", named(at), name)
		}
	}
	if why := counted(schema, "Properties", len(object), at, "properties"); why != "" {
		return why
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if why := s.member(schema, name, object[name], at, depth); why != "" {
			return why
		}
	}
	for name, one := range within(schema, "dependentSchemas") {
		if _, ok := object[name]; ok {
			if why := s.check(one, v, at, depth+1); why != "" {
				return why
			}
		}
	}
	return ""
}

// within are the schemas of a keyword, by name.
func within(schema map[string]any, key string) map[string]any {
	all, _ := schema[key].(map[string]any)
	return all
}

// member checks one member of an object.
func (s *checking) member(schema map[string]any, name string, v any, at string, depth int) string {
	here := at + "/" + name
	if names, ok := schema["propertyNames"]; ok {
		if why := s.check(names, name, here, depth+1); why != "" {
			return why
		}
	}
	known := false
	if one, ok := within(schema, "properties")[name]; ok {
		known = true
		if why := s.check(one, v, here, depth+1); why != "" {
			return why
		}
	}
	for pattern, one := range within(schema, "patternProperties") {
		if s.patterns[pattern].MatchString(name) {
			known = true
			if why := s.check(one, v, here, depth+1); why != "" {
				return why
			}
		}
	}
	if more, ok := schema["additionalProperties"]; ok && !known {
		if more == false {
			return fmt.Sprintf("%s has %q, which isn't asked for", named(at), name)
		}
		return s.check(more, v, here, depth+1)
	}
	return ""
}

// array checks what is asked of a list.
func (s *checking) array(schema map[string]any, v any, at string, depth int) string {
	all, ok := v.([]any)
	if !ok {
		return ""
	}
	if why := counted(schema, "Items", len(all), at, "items"); why != "" {
		return why
	}
	first := of(schema, "prefixItems")
	items, rest := schema["items"]
	found := 0
	for i, one := range all {
		here := at + "/" + strconv.Itoa(i)
		why := ""
		switch {
		case i < len(first):
			why = s.check(first[i], one, here, depth+1)
		case rest:
			why = s.check(items, one, here, depth+1)
		}
		if why != "" {
			return why
		}
		if want, ok := schema["contains"]; ok && s.check(want, one, here, depth+1) == "" {
			found++
		}
		if schema["uniqueItems"] == true && slices.ContainsFunc(all[:i], func(before any) bool { return reflect.DeepEqual(before, one) }) {
			return here + " stands in the list twice"
		}
	}
	if _, ok := schema["contains"]; !ok {
		return ""
	}
	if _, ok := schema["minContains"]; !ok && found == 0 {
		return named(at) + " has no item of the form that it must contain"
	}
	return counted(schema, "Contains", found, at, "items of the form that it must contain")
}
