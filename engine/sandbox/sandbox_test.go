package sandbox

import (
	"os/exec"
	"testing"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func run(cmd *exec.Cmd, start func() error) error {
	if err := start(); err != nil {
		return err
	}
	return cmd.Wait()
}
