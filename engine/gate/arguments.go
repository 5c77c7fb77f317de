package gate

import (
	"slices"
	"strings"
)

// bareArguments returns the arguments that are no options.
func bareArguments(args []string) []string {
	var out []string
	for i, a := range args {
		if a == "--" {
			return append(out, args[i+1:]...)
		}
		if !strings.HasPrefix(a, "-") {
			out = append(out, a)
		}
	}
	return out
}

// plainArguments returns the arguments that are neither options nor the values of options, given the letters that take one.
func plainArguments(args []string, valued string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return append(out, args[i+1:]...)
		case len(a) < 2 || a[0] != '-':
			out = append(out, a)
		case len(a) == 2 && strings.IndexByte(valued, a[1]) >= 0:
			i++
		}
	}
	return out
}

// has reports whether an option is among arguments: one of the letters of short, in a cluster too (valued letters end
// a cluster), or one of the long names, which GNU programs take abbreviated and with =value.
func has(args []string, short, valued string, long ...string) bool {
	return option(args, short, valued, long...) != ""
}

// option returns the argument that has it; see has.
func option(args []string, short, valued string, long ...string) string {
	for _, a := range args {
		switch {
		case a == "--":
			return ""
		case strings.HasPrefix(a, "--"):
			name, _, _ := strings.Cut(a, "=")
			for _, l := range long {
				if len(name) > 2 && strings.HasPrefix(l, name) {
					return l
				}
			}
		case len(a) > 1 && a[0] == '-':
			name, _, _ := strings.Cut(a, "=")
			if slices.Contains(long, name) { // -delete: one dash, and never abbreviated
				return name
			}
			for i := 1; i < len(a); i++ {
				if strings.IndexByte(short, a[i]) >= 0 {
					return "-" + a[i:i+1]
				}
				if strings.IndexByte(valued, a[i]) >= 0 {
					break
				}
			}
		}
	}
	return ""
}
