package compose

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"wisp/engine/facts"
	"wisp/engine/thread"
)

// What a memo keeps changes no request, however the record grew, and whatever was asked for in between.
func TestMemoChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := numbered(rapid.SliceOfN(rapid.Custom(anyEntry), 1, 40).Draw(t, "entries"))
		if rapid.Bool().Draw(t, "in order") {
			turn := 0
			for i := range entries {
				if entries[i].Kind == thread.Prompt {
					turn++
				}
				entries[i].Turn = turn
			}
		}
		memo := &Memo{}
		for range rapid.IntRange(1, 12).Draw(t, "requests") {
			some := entries[:rapid.IntRange(0, len(entries)).Draw(t, "of")]
			c := Composer{Memory: rapid.IntRange(0, 5).Draw(t, "memory") > 0}
			if rapid.IntRange(0, 5).Draw(t, "permanent") == 0 {
				c.Permanent = []facts.Fact{{Subject: "a", Name: "b", Value: "c"}}
			}
			c.Facts = []facts.Fact{{Scope: facts.Session, Subject: "s", Name: "n", Value: fmt.Sprint(len(some))}}
			kept := c
			kept.Memo = memo
			if want, got := c.View(some), kept.View(some); !same(want, got) {
				t.Fatalf("without a memo\n%s %v\nwith it\n%s %v", shown(want.Request.Messages), want.Entries, shown(got.Request.Messages), got.Entries)
			}
			if want, got := c.Next(some), kept.Next(some); !same(want, got) {
				t.Fatalf("next, without a memo\n%s\nwith it\n%s", shown(want.Request.Messages), shown(got.Request.Messages))
			}
		}
	})
}

// same says whether two views show the same request; no messages and none at all are alike.
func same(a, b View) bool {
	return len(a.Request.Messages)+len(b.Request.Messages) == 0 || reflect.DeepEqual(a, b)
}

// BenchmarkMemo is the next request of 100 000 entries of which nothing was condensed, with what was kept of the one before, and the
// Markdown that shows it.
func BenchmarkMemo(b *testing.B) {
	var entries []thread.Entry
	for turn := 1; len(entries) < 100_000; turn++ {
		entries = append(entries, prompt(turn, "look at it, please"), call(turn, 1, "a"), output(turn, 1, "a", "some text of a file"), reply(turn, 2, "it is all well"))
	}
	c := Composer{Memory: true, Memo: &Memo{}}
	entries = numbered(entries)
	c.Next(entries)
	b.Run("next", func(b *testing.B) {
		for b.Loop() {
			c.Next(entries)
		}
	})
	v := c.Next(entries)
	b.Run("markdown", func(b *testing.B) {
		for b.Loop() {
			v.Markdown("# Context\n", 1<<20)
		}
	})
}
