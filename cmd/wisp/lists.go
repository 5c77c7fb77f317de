package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"wisp/cmd/place"
	"wisp/engine"
	"wisp/engine/reap"
	"wisp/engine/secret"
	"wisp/protocol/phrase"
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

// threads is `wisp threads`: the conversations so far.
func threads(args []string) int {
	where, err := place.Find(os.Getenv)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	all, err := engine.Threads(where.Home)
	if err != nil {
		return fail(statusFailed, "%v", err)
	}
	if words := strings.ToLower(strings.Join(args, " ")); words != "" {
		var found []engine.Thread
		for _, t := range all {
			if strings.Contains(strings.ToLower(t.Title+" "+t.Directory+" "+t.ID), words) {
				found = append(found, t)
			}
		}
		all = found
	}
	if len(all) == 0 {
		fmt.Println("no conversations")
		return statusOK
	}
	printThreads(os.Stdout, all)
	return statusOK
}

// printThreads lists conversations, a line each.
func printThreads(w io.Writer, all []engine.Thread) {
	for i, t := range all {
		title := t.Title
		if t.Problem != "" {
			title = "can't be opened: " + t.Problem
		}
		fmt.Fprintf(w, "%3d  %s  %s  %s\n     %s\n", i+1, t.ID, t.Last.Local().Format("2006-01-02 15:04"), phrase.Inert(title), phrase.Inert(t.Directory))
	}
}
