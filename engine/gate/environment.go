package gate

import (
	"slices"
	"strings"
)

// maxNamed bounds the variables of the environment that a line's values are looked up for.
const maxNamed = 8

// environment returns the variables that a line names and doesn't set first, as the environment has them: `$WISP_HOME/x` is
// a path that is known. Those that the shell changes by itself are followed elsewhere.
func environment(line string, env []string) []string {
	var out []string
	for at := 0; len(env) > 0 && len(out) < maxNamed; {
		next := strings.IndexByte(line[at:], '$')
		if next < 0 {
			break
		}
		before := line[:at+next]
		at += next + 1
		name, _, _ := variable(line[at:])
		switch name {
		case "", "HOME", "PWD", "OLDPWD", "PATH", "IFS", "_":
			continue
		}
		if strings.Contains(before, name+"=") || strings.Contains(before, "for "+name+" ") || slices.ContainsFunc(out, func(v string) bool { return strings.HasPrefix(v, name+"=") }) {
			continue
		}
		for _, entry := range slices.Backward(env) {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				if len(value) > maxValue {
					value = unknownValue
				}
				out = append(out, name+"="+value)
				break
			}
		}
	}
	return out
}
