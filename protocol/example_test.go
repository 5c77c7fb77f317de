package protocol_test

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"wisp/protocol"
)

// A whole exchange, as a face sees it: it says what it carries, asks one thing, answers one approval and leaves. Here
// the engine's side is written out; a real face starts `wisp chat --json` and makes the same Face of its pipes.
func Example() {
	engine, face := protocol.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() { play(engine) })

	send := func(m protocol.In) {
		fmt.Print("→ ", string(protocol.AppendIn(nil, m)))
		if err := face.Write(m); err != nil {
			fmt.Println(err)
		}
	}
	send(protocol.Hello{Client: "example", Capabilities: []string{"interrupt", "approve"}})
	for {
		m, err := face.Read()
		if err != nil {
			break // io.EOF: the engine has ended
		}
		switch m := m.(type) {
		case protocol.Ready:
			send(protocol.Prompt{ID: protocol.ID{ID: "p1"}, Text: "Install it."})
		case protocol.Delta:
			fmt.Print("  ", m.Text, "\n")
		case protocol.Approval:
			fmt.Printf("  %s? %s (%s)\n", m.Title, m.Command, m.Level)
			send(protocol.Answer{Approval: m.Approval, Decision: "once"})
		case protocol.Turn:
			if m.Phase == "end" {
				fmt.Println("  the turn ended:", m.Outcome)
				send(protocol.Quit{})
			}
		case protocol.Exit:
			fmt.Println("  the engine ended:", m.Reason)
		}
	}
	wg.Wait()
	// Output:
	// → {"type":"hello","client":"example","capabilities":["interrupt","approve"]}
	// → {"type":"prompt","id":"p1","text":"Install it."}
	//   Run command? make install (high)
	// → {"type":"answer","approval":"a1","decision":"once"}
	//   Done.
	//   the turn ended: ok
	// → {"type":"quit"}
	//   the engine ended: quit
}

// play is an engine that knows one conversation.
func play(engine *protocol.Conn) {
	seq := int64(0)
	say := func(messages ...protocol.Out) {
		for _, m := range messages {
			seq++
			if engine.Write(protocol.AppendOut(nil, seq, m)) != nil {
				return // the face has gone
			}
		}
	}
	for {
		m, err := engine.Read()
		if err != nil {
			break
		}
		switch m := m.(type) {
		case protocol.Hello:
			say(protocol.Ready{Protocol: protocol.Version, Directory: "/home/ada/engine"})
		case protocol.Prompt:
			say(protocol.Turn{Phase: "start", Turn: 1, Origin: "person", Request: m.Ref()},
				protocol.Approval{Approval: "a1", Title: "Run command", Command: "make install", Level: "high"})
		case protocol.Answer:
			say(protocol.Delta{Turn: 1, Text: "Done."},
				protocol.Turn{Phase: "end", Turn: 1, Origin: "person", Request: "p1", Outcome: "ok"})
		case protocol.Quit:
			say(protocol.Exit{Reason: "quit"})
			engine.Close()
			return
		}
	}
}

// What a line without a good message gives: a fault, after which reading goes on.
func ExampleConn_Read() {
	in := strings.NewReader("! git status\n" + `{"type":"promt","id":"p1"}` + "\n" + `{"type":"interrupt"}`)
	engine := protocol.NewConn(in, io.Discard)
	for range 3 {
		m, err := engine.Read()
		if fault, ok := err.(*protocol.Fault); ok {
			fmt.Println(fault.Code, "for", fault.Request)
			continue
		}
		fmt.Printf("%T\n", m)
	}
	// Output:
	// protocol.Line
	// unknown_type for p1
	// protocol.Interrupt
}
