# wisp: build, run and check. Needs Go, git and a C compiler (for the race detector); the rest is fetched through Go, and the programs
# that the tests try it with by apt-get where they are missing.

VERSION     := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
# Without Go's HTTP/2: a model's server is asked one thing at a time, and its tables cost each start of wisp some 5 %.
GOBUILD     := CGO_ENABLED=0 go build -buildvcs=false -trimpath -tags nethttpomithttp2 -ldflags '-s -w -X main.version=$(VERSION)'
STATICCHECK := bin/tools/staticcheck-v0.8.2

.PHONY: build run test race programs lint golden eval bench fuzz clean

build: ## bin/wisp and bin/wisp-tui
	$(GOBUILD) -o bin/ ./cmd/...

run: build ## a chat: drawn on a terminal, else line by line
	@if [ -t 0 ] && [ -t 1 ]; then exec ./bin/wisp-tui; else exec ./bin/wisp chat; fi

# Everything that CI checks. go test also plays the fuzz targets' seeds.
test: build lint race

race: programs
	CGO_ENABLED=1 go test -race -timeout 8m ./...

# What the tests try wisp with, as PROGRAM:PACKAGE. The screen is tried in tmux, since no emulator re-wraps rows as terminals do;
# the others are programs that ask.
TRIED := tmux:tmux
ifeq ($(shell uname),Linux)
TRIED += vim:vim less:less dialog:dialog ssh:openssh-client sshd:openssh-server node:nodejs python3:python3 top:procps sudo:sudo
endif

programs:
	@missing=; for p in $(TRIED); do \
	  command -v "$${p%%:*}" >/dev/null || [ -x "/usr/sbin/$${p%%:*}" ] || missing="$$missing $${p#*:}"; done; \
	  [ -z "$$missing" ] || { apt-get update -qq && apt-get install -y -qq $$missing; } || \
	  { echo "the tests need$$missing: install them" >&2; exit 1; }

lint: $(STATICCHECK) ## gofmt, vet for both systems, staticcheck; the house rules are tests, in golden
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	GOOS=darwin go vet ./...
	$(STATICCHECK) ./...

# Built once into bin/tools, and outside go.mod: what checks the code is no part of it.
$(STATICCHECK):
	GOBIN='$(CURDIR)/bin/tools' go install honnef.co/go/tools/cmd/staticcheck@v0.8.2
	mv bin/tools/staticcheck $@

golden: ## rewrites the golden conversations, screens and pictures, and the schema with what happens now: read the diff
	go test ./golden -update
	go test ./protocol -run TestSchemaIsCheckedIn -update

eval: ## does a model still know what it was told before a long digression? On a stand-in, and on a local Ollama where one answers
	go test ./golden -run 'TestRecall|TestThousandTurns' -count=1 -v -timeout 60m -eval

pictures: ## README's pictures, from what wisp-tui looks like now
	go test ./golden -run TestPictures -update

bench: ## the figures of docs/performance.md, of whole processes; then those of the parts
	go test -run '^$$' -bench '^BenchmarkWisp$$' -timeout 20m ./cmd/wisp
	go test -run '^$$' -bench '^BenchmarkTUI$$' -timeout 20m ./cmd/wisp-tui
	go test -run '^$$' -bench . -benchmem -timeout 20m $$(go list ./... | grep -v /cmd/)

# Each fuzz target for a while: make fuzz FUZZTIME=5m
FUZZTIME ?= 20s
fuzz:
	@for f in $$(grep -rl --include='*_test.go' '^func Fuzz' . | sort); do \
	  for t in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' $$f); do \
	    go test -run '^$$' -fuzz "^$$t\$$" -fuzztime $(FUZZTIME) $$(dirname $$f) || exit 1; \
	  done; done

clean:
	rm -rf bin
