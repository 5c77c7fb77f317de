package tools

// All returns every tool, in the order that a model is told of them. They hold nothing that costs anything to make.
func All(m Machine) []Tool {
	if m.Seen == nil {
		m.Seen = &Seen{}
	}
	return []Tool{newShell(m), newShellSession(m), newReadFile(m), newWriteFile(m), newEditFile(m), newNotebookEdit(m), newListFiles(m), newSearchFiles(m)}
}

// Find returns the tool of that name. run_command is an older name of shell, and still taken.
func Find(tools []Tool, name string) (Tool, bool) {
	if name == "run_command" {
		name = shellName
	}
	for _, tool := range tools {
		if tool.Spec().Name == name {
			return tool, true
		}
	}
	return nil, false
}
