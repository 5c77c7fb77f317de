package tools

import "wisp/engine/tasks"

// All returns every tool, in the order that a model is told of them. They hold nothing that costs anything to make.
func All(m Machine) []Tool {
	if m.Seen == nil {
		m.Seen = &Seen{}
	}
	if m.Tasks == nil {
		m.Tasks = &tasks.Set{}
	}
	all := []Tool{
		newShell(m), newShellOutput(m), newShellKill(m), newShellMonitor(m), newShellSession(m), newSleep(),
		newReadFile(m), newWriteFile(m), newEditFile(m), newNotebookEdit(m), newListFiles(m), newSearchFiles(m),
		newMemory(), newTodo(),
	}
	if len(m.Shelf.All()) > 0 { // else there is nothing to find
		all = append(all, newToolSearch(m))
	}
	return all
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
