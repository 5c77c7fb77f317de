package sandbox

// StartFiles are the names, below a person's home directory, of the files and directories that a login, a shell, git or ssh
// reads and obeys: what no command may write. The gate knows them from here, so that both hold the same.
func StartFiles() []string { return startFiles() }
