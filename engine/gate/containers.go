package gate

import "strings"

// rateDocker rates container programs.
func rateDocker(v verb) rating {
	first, second, _ := strings.Cut(v.known, " ")
	last := first
	if second != "" {
		last = second
	}
	if first == "compose" && has(v.args, "o", "", "--output", "--lock-image-digests") || first == "buildx" && has(v.args, "", "", "--bootstrap") {
		return moderate("it writes a file, or starts a container")
	}
	switch last {
	case "", "ps", "images", "ls", "inspect", "logs", "version", "info", "top", "stats", "port", "history", "df", "diff", "config", "events", "list", "help", "completion":
		if first == "manifest" || first == "trust" || v.elsewhere != "" {
			return moderate("it reaches the network")
		}
		return low()
	case "prune", "rmi", "kill", "reset":
		return high("it deletes containers, images or volumes")
	case "down":
		if has(v.args, "v", "t", "--volumes", "--rmi") || first == "stack" {
			return high("it deletes containers, images or volumes")
		}
	case "rm", "remove", "leave":
		if second != "" && first != "container" && first != "compose" || has(v.args, "fv", "", "--force", "--volumes") {
			return high("it deletes containers, images or volumes")
		}
	case "push", "login", "logout":
		return high("it carries an image or a credential out")
	case "run", "create":
		if found := opens(v.args); found != "" {
			return high("its " + found + " gives a container the machine")
		}
	}
	return moderate("it changes or starts containers")
}

// opens returns the option that gives a container the machine: its root or its system's directories to write, its devices,
// its processes, or the socket of what starts containers.
func opens(args []string) string {
	for i, a := range args {
		name, value, attached := strings.Cut(a, "=")
		if !attached && i+1 < len(args) {
			value = args[i+1]
		}
		switch name {
		case "--privileged", "--cap-add":
			return name
		case "--pid", "--userns", "--ipc", "--uts":
			if value == "host" {
				return name
			}
		case "--security-opt":
			if strings.Contains(value, "unconfined") {
				return name
			}
		case "--device":
			if rawDisk(value) {
				return name
			}
		case "-v", "--volume":
			from, to, _ := strings.Cut(value, ":")
			if from == "/" || strings.HasSuffix(from, "docker.sock") || strings.HasPrefix(from, "/") && sensitive(from+"/") && !strings.HasSuffix(to, ":ro") {
				return name
			}
		case "--mount":
			for _, part := range strings.Split(a+","+value, ",") {
				key, from, _ := strings.Cut(strings.TrimPrefix(part, "--mount="), "=")
				if (key == "source" || key == "src") && (from == "/" || strings.HasSuffix(from, "docker.sock")) {
					return name
				}
			}
		}
	}
	return ""
}
