package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"wisp/cmd/place"
	"wisp/engine"
	"wisp/engine/reap"
	"wisp/engine/secret"
)

// models is `wisp models`: what can be used here, and why what can't.
func models(args []string) int {
	if len(args) > 0 {
		return fail(statusUsage, "wisp models takes no %q", args[0])
	}
	where, err := place.Find(os.Getenv)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	c, err := readDocument(where.Configuration)
	if err != nil {
		fail(0, "%v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	fmt.Println(engine.ModelsText(newCatalog(c.configuration, os.Getenv, reap.New(), secret.New(nil)).List(ctx)))
	return statusOK
}
