package gate

import (
	"path"
	"slices"
	"strings"
)

// together rates what only the whole line shows: what is downloaded or decoded and run, and an address that is set and
// then sent to.
func together(all []judged) {
	fetched, decodes, redirected := downloads(all), false, false
	for i, s := range all {
		switch {
		case decoder(s.Segment):
			decodes = true
		case s.Program == "git" && setsAddress(s.Words):
			redirected = true
		case redirected && s.Program == "git" && verbOf("git", s.Words[1:]).known == "push":
			all[i].rating = s.rating.raise(High, "the line sets the address that it sends commits to")
		}
		if s.more && s.level == Low && givenNames(all, i) {
			all[i].rating = s.rating.raise(Moderate, "it reads whatever files another command names")
		}
		switch {
		case i > 0 && s.piped && s.level == Moderate && isOneOf(all[i-1].Program, "echo", "printf", "cat"):
			if r, ok := rateDatabase(s.Program, nil, all[i-1].Text); ok { // echo 'drop table x' | psql
				all[i].rating = s.rating.raise(r.level, r.reasons[0])
			}
		case fetched != nil && s.Unknown:
			all[i].rating = s.rating.raise(High, "it may run what the line downloads")
		case fetched != nil && runsOne(s.Segment, fetched):
			all[i].rating = s.rating.raise(High, "it runs what the line downloads")
		case decodes && s.Fed && s.Unknown:
			all[i].rating = s.rating.raise(High, "it runs what the line decodes, which hides what that is")
		}
	}
}

// givenNames reports whether xargs gives a segment names that aren't those of files found here: what a file holds, or what a
// command makes of others. find, ls and the like name what is there, and some commands only choose among names.
func givenNames(all []judged, at int) bool {
	for at--; at >= 0 && all[at].Program != "xargs" && all[at].Program != "gxargs"; at-- {
	}
	if at < 0 || !all[at].piped && !all[at].sent {
		return false
	}
	for at--; at >= 0 && all[at+1].piped; at-- {
		switch all[at].Program {
		case "find", "gfind", "bfs", "fd", "fdfind", "git", "ls", "echo", "printf", "rg", "grep", "egrep", "seq", "which":
			if !all[at].piped {
				return false
			}
		case "sort", "head", "tail", "uniq", "cat":
		default:
			return true
		}
	}
	return true
}

// downloads returns the names of the files that a line downloads; nil where it downloads nothing.
func downloads(all []judged) []string {
	var names []string
	for _, s := range all {
		switch s.Program {
		case "curl", "wget", "nc", "ncat", "netcat", "ftp", "aria2c", "http", "https", "fetch", "iwr", "irm", "Invoke-WebRequest", "Invoke-RestMethod", "xh", "scp", "lwp-download":
			names = append(names, s.Program)
			for _, a := range s.Words[1:] {
				if !strings.HasPrefix(a, "-") {
					names = append(names, path.Base(a))
				}
			}
			for _, w := range effective(s.Writes) {
				names = append(names, path.Base(w))
			}
		}
	}
	return names
}

// runsOne reports whether a segment runs one of some files: by its path, or as an interpreter's script.
func runsOne(s Segment, names []string) bool {
	if len(s.Words) == 0 {
		return false
	}
	ran := s.Words[0]
	if bare := bareArguments(s.Words[1:]); isInterpreter(s.Program) && len(bare) > 0 {
		ran = bare[0]
	} else if !strings.Contains(ran, "/") || systemPath(ran) {
		return false
	}
	return slices.Contains(names[1:], path.Base(ran))
}

// decoder reports whether a segment makes bytes out of text that doesn't show them.
func decoder(s Segment) bool {
	if len(s.Words) == 0 {
		return false
	}
	args := s.Words[1:]
	switch s.Program {
	case "base64", "base32", "basenc":
		return has(args, "dD", "wi", "--decode")
	case "xxd":
		return has(args, "r", "")
	case "openssl":
		return has(args, "d", "", "-d")
	case "gunzip", "zcat", "bzcat", "xzcat", "uudecode", "rev", "tr", "gpg", "unxz", "zstdcat":
		return true
	}
	return false
}

// setsAddress reports whether git is told an address: remote add, remote set-url.
func setsAddress(words []string) bool {
	known := verbOf("git", words[1:]).known
	return known == "remote add" || known == "remote set-url"
}
