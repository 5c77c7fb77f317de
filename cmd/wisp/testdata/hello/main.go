// Command hello is the Go program that wisp's start is measured against.
package main

import "fmt"

func main() { fmt.Println("hello, world") }
