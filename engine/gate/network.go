package gate

import (
	"slices"
	"strings"
)

// The line between moderate and high for the network is the direction: fetching changes nothing elsewhere, while a file,
// a substitution or a pipe that is sent may hold anything that can be read here.

// rateNetwork rates programs that reach other machines: high where they carry data out.
func rateNetwork(program string, args []string, s Segment) (rating, bool) {
	open := false
	for i, one := range s.words {
		open = open || i > 0 && one.open && strings.ContainsAny(one.text, "(`")
	}
	switch program {
	case "curl", "wget", "aria2c", "http", "https", "xh":
		return rateFetch(program, args, s, open), true
	case "scp", "rsync", "sftp", "rclone", "croc", "magic-wormhole", "wormhole":
		bare := bareArguments(args)
		if program == "rsync" && has(args, "", "", "--delete", "--del", "--delete-after", "--delete-excluded", "--remove-source-files") {
			return high("it deletes what the other side doesn't have"), true
		}
		if program == "rsync" && !slices.ContainsFunc(bare, remoteName) {
			return moderate("it copies files"), true
		}
		if len(bare) > 0 && !remoteName(bare[len(bare)-1]) && program != "sftp" && program != "rclone" {
			return moderate("it copies files from another machine"), true
		}
		return high("it carries files to another machine"), true
	case "socat", "telnet", "ftp", "lftp", "tftp", "mail", "mailx", "sendmail", "mutt", "neomutt", "swaks", "msmtp", "ssmtp", "mpack", "s-nail", "nail", "sendemail", "mail.mailutils", "ngrok", "cloudflared", "websocat", "localtunnel", "lt", "transfer":
		return high("it opens a connection that data can leave by"), true
	case "nc", "ncat", "netcat":
		if has(args, "z", "wpsiXxqoIOVTmM") && !has(args, "eclk", "wpsiXxqoIOVTmM", "--exec", "--sh-exec", "--listen") && !s.piped && !s.sent && !open {
			return moderate("it reaches the network"), true
		}
		return high("it opens a connection that data can leave by"), true
	case "ansible-playbook", "puppet", "chef-client", "salt", "ansible-pull":
		if has(args, "", "", "--check", "--syntax-check", "--list-tasks", "--list-hosts", "--list-tags", "--noop") {
			return moderate("it reaches the network"), true
		}
		return high("it changes what runs on other machines"), true
	case "ssh", "mosh", "autossh", "ssh-copy-id":
		if s.piped || s.sent || open {
			return high("what it is fed goes to another machine"), true
		}
		return moderate("it works on another machine"), true
	case "gsutil", "s3cmd", "azcopy", "mc", "s5cmd", "b2":
		return rateStore(args), true
	case "openssl":
		if len(args) > 0 && (args[0] == "s_client" || args[0] == "s_server") {
			return high("it opens a connection that data can leave by"), true
		}
		return moderate("it handles keys"), true
	case "getent", "ping", "ping6", "dig", "nslookup", "host", "traceroute", "tracepath", "whois", "nmap", "mtr", "arp", "ip", "ifconfig", "route", "iwconfig", "ethtool", "nmcli", "networksetup", "ollama":
		if program == "getent" && !slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "hosts") }) || program == "ip" && showsOnly(args) || program == "ifconfig" && len(args) < 2 {
			return low(), true
		}
		if isOneOf(program, "nmcli", "ip", "networksetup") && slices.ContainsFunc(bareArguments(args), destroys) {
			return high("it takes away what the machine reaches the network by"), true
		}
		if open {
			return high("what it asks for may carry data out"), true
		}
		return moderate("it reaches or changes the network"), true
	}
	return rating{}, false
}

// rateFetch rates the programs that fetch by HTTP: high where they send a file, or what only shows when the line runs.
func rateFetch(program string, args []string, s Segment, open bool) rating {
	const (
		sends   = "it sends files or data out"
		deletes = "it asks a server to delete"
		relied  = "it writes what the system or later commands rely on"
	)
	switch {
	case open:
		return high(sends)
	case program == "wget" || program == "aria2c":
		if has(args, "", "", "--post-file", "--body-file") || slices.ContainsFunc(valuesOf(args, "", "--post-data", "--body-data"), func(value string) bool { return strings.ContainsAny(value, "$`") }) {
			return high(sends)
		}
		if slices.ContainsFunc(valuesOf(args, "", "--method"), func(method string) bool { return strings.EqualFold(method, "DELETE") }) {
			return high(deletes)
		}
		if slices.ContainsFunc(valuesOf(args, "OoP", "--output-document", "--output-file", "--directory-prefix"), sensitive) {
			return high(relied)
		}
		return moderate("it reaches the network and may write files")
	case program != "curl": // HTTPie: name@file, or its input
		if s.piped || s.sent || slices.ContainsFunc(args, func(a string) bool {
			return strings.Contains(a, "@") && !strings.Contains(a, "://") && !strings.HasPrefix(a, "-")
		}) {
			return high(sends)
		}
		if slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(a, "DELETE") }) {
			return high(deletes)
		}
	case has(args, "TF", "oHXuAebcKdmwxrYyzEC", "--upload-file", "--form"):
		return high(sends)
	}
	for _, value := range valuesOf(args, "d", "--data", "--data-ascii", "--data-binary", "--data-raw", "--json", "--url-query") {
		if strings.HasPrefix(value, "@") || strings.ContainsAny(value, "$`") {
			return high(sends)
		}
	}
	for _, value := range valuesOf(args, "", "--data-urlencode") { // name@file
		if name, _, _ := strings.Cut(value, "="); strings.Contains(name, "@") || strings.ContainsAny(value, "$`") {
			return high(sends)
		}
	}
	if slices.ContainsFunc(valuesOf(args, "XQ", "--request", "--quote"), func(method string) bool { return strings.HasPrefix(strings.ToUpper(method), "DELE") }) {
		return high(deletes)
	}
	if slices.ContainsFunc(valuesOf(args, "oDc", "--output", "--output-dir", "--dump-header", "--cookie-jar"), sensitive) {
		return high(relied)
	}
	return moderate("it reaches the network")
}

// remoteName reports whether a word names a file on another machine: host:path, or a URL.
func remoteName(word string) bool {
	colon, slash := strings.Index(word, ":"), strings.Index(word, "/")
	return colon > 0 && (slash < 0 || colon < slash)
}

// rateStore rates the programs of one store each for files elsewhere.
func rateStore(args []string) rating {
	for _, a := range args {
		switch a {
		case "rm", "rb", "del", "delete", "remove", "rsync", "sync", "mv", "mirror":
			return high("it deletes or overwrites what is stored elsewhere")
		case "put", "upload", "cp", "copy", "pipe":
			if remoteName(args[len(args)-1]) || a == "put" || a == "upload" || a == "pipe" {
				return high("it carries files out")
			}
		}
	}
	return moderate("it reaches the network")
}

// showsOnly reports whether ip is told to show something: its words may be abbreviated, so that only what is known to
// show counts.
func showsOnly(args []string) bool {
	if slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-b") && a != "-br" && a != "-brief" || strings.HasPrefix(a, "-f")
	}) {
		return false
	}
	bare := bareArguments(args)
	return len(bare) < 2 || slices.Contains([]string{"show", "list", "ls", "lst", "sh", "get", "help"}, bare[1])
}
