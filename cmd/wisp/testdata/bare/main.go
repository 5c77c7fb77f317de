// Command bare is the plainest client of a model that Go makes: for each line on its standard input it sends one request
// to the URL of its first argument, decodes the pieces of the answer, and says in a line "done" how many they were. It
// prints none of them: wisp's turns are measured against what can't be done without.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// chunk is one piece of an answer.
type chunk struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
	} `json:"choices"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		n, err := ask(os.Args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("done", n)
	}
}

// ask makes one request.
func ask(url string) (pieces int, err error) {
	answer, err := http.Post(url, "application/json", strings.NewReader(`{"stream":true}`))
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || string(data) == "[DONE]" {
			continue
		}
		var c chunk
		if err := json.Unmarshal(data, &c); err != nil {
			return pieces, err
		}
		for _, choice := range c.Choices {
			if choice.Delta.Content != "" {
				pieces++
			}
		}
	}
	return pieces, lines.Err()
}
