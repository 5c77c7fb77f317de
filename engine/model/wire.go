package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// errorBytes bounds what is read of an error's body, listBytes what is read of any other answer that isn't streamed.
const (
	errorBytes = 64 << 10
	listBytes  = MaxLine
)

// errStalled is the cause with which a silent request is ended.
var errStalled = errors.New("stalled")

// Wire is one server as a provider reaches it over HTTP. It has no timeouts but Stall: a model may think for as long as
// it likes, and whoever asked ends it with the context. Its fields are set before its first use.
type Wire struct {
	URL     string // the base; paths are added to it
	Model   string // the model that is asked for, for the sentences
	Key     string // sent as a bearer token; in no error
	KeyName string // where the key comes from: "OPENAI_API_KEY"
	Headers map[string]string
	HTTP    *http.Client  // nil: one of its own, without a proxy
	Stall   time.Duration // a silence for longer is a fault; 0: it isn't
	Start   string        // what to do where nothing answers: "start it with `ollama serve`"

	once   sync.Once
	client *http.Client
}

// From names the model and the address, for the sentences of a [Reply].
func (w *Wire) From() string { return w.from() }

func (w *Wire) from() string {
	if w.Model == "" {
		return w.address()
	}
	return w.Model + " at " + w.address()
}

func (w *Wire) keyName() string {
	if w.KeyName == "" {
		return "the configuration"
	}
	return w.KeyName
}

// address is the base URL without what may be secret in it.
func (w *Wire) address() string {
	u, err := url.Parse(w.URL)
	if err != nil || u.Host == "" {
		return Short(w.URL, wordsBytes)
	}
	return u.Scheme + "://" + u.Host + strings.TrimSuffix(u.Path, "/")
}

// Open sends a request and returns the body of a good answer, which the caller closes. Body is sent as JSON; nil sends
// none. Every error, of the body's reads too, is an *Error, or the cause of ctx where that has ended.
func (w *Wire) Open(ctx context.Context, path string, body any) (io.ReadCloser, error) {
	inner, cancel := context.WithCancelCause(ctx)
	request, err := w.request(inner, path, body)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	x := &exchange{wire: w, ctx: ctx, cancel: cancel}
	if w.Stall > 0 {
		x.timer = time.AfterFunc(w.Stall, func() { cancel(errStalled) })
	}
	response, err := w.http().Do(request)
	x.rest()
	if err != nil {
		cancel(nil)
		return nil, x.fault(err, inner)
	}
	x.body, x.inner = response.Body, inner
	if response.StatusCode/100 == 2 {
		return x, nil
	}
	defer x.Close()
	text, err := io.ReadAll(io.LimitReader(x, errorBytes))
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, w.Fault(response.StatusCode, response.Header, text)
}

// Fetch sends a request and decodes a good answer that isn't streamed.
func (w *Wire) Fetch(ctx context.Context, path string, body, into any) error {
	x, err := w.Open(ctx, path, body)
	if err != nil {
		return err
	}
	defer x.Close()
	text, err := io.ReadAll(io.LimitReader(x, listBytes))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		words, _ := Words(text)
		return &Error{Kind: BadReply, Message: w.address() + path + " answered with something else than was asked for: " + words}
	}
	return nil
}

// Late makes a sentence of a deadline of ctx that passes with nothing but silence, and leaves every other error as it is. For
// a list, which a person waits for; a turn has no deadline.
func (w *Wire) Late(ctx context.Context) func(error) error {
	deadline, _ := ctx.Deadline()
	patience := time.Until(deadline).Round(100 * time.Millisecond)
	return func(err error) error {
		if !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		seconds := strconv.FormatFloat(patience.Seconds(), 'f', -1, 64)
		return &Error{Kind: NoServer, Message: w.address() + " did not answer within " + seconds + " s"}
	}
}

func (w *Wire) request(ctx context.Context, path string, body any) (*http.Request, error) {
	method := http.MethodGet
	var reader io.Reader
	if body != nil {
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(body); err != nil {
			return nil, &Error{Kind: Rejected, Message: "the request can't be written as JSON: " + err.Error()}
		}
		method, reader = http.MethodPost, &b
	}
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(w.URL, "/")+path, reader)
	if err != nil || r.URL.Host == "" {
		return nil, &Error{Kind: NoServer, Message: "the base URL " + w.address() + " is no URL: write it as http://host:port/v1"}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "wisp")
	if w.Key != "" {
		r.Header.Set("Authorization", "Bearer "+w.Key)
	}
	for name, value := range w.Headers {
		r.Header.Set(name, value)
	}
	return r, nil
}

// At is the same server under another base URL, over the same connections.
func (w *Wire) At(url string) *Wire {
	return &Wire{URL: url, Model: w.Model, Key: w.Key, KeyName: w.KeyName, Headers: w.Headers, HTTP: w.http(), Stall: w.Stall, Start: w.Start}
}

// http is the client to use: the configured one, or its own. Redirects aren't followed, since they would turn the
// request into another.
func (w *Wire) http() *http.Client {
	w.once.Do(func() {
		c := http.Client{Transport: &http.Transport{
			DisableCompression: true, // a proxy that compresses holds the stream back
			IdleConnTimeout:    90 * time.Second,
		}}
		if w.HTTP != nil {
			c = *w.HTTP
		}
		c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		w.client = &c
	})
	return w.client
}

// exchange is the body of one answer, which watches for silence.
type exchange struct {
	wire   *Wire
	ctx    context.Context // the caller's
	inner  context.Context // the request's
	cancel context.CancelCauseFunc
	body   io.ReadCloser
	timer  *time.Timer // runs only while something is waited for
}

// rest stops the watch: the next silence is the reader's own.
func (x *exchange) rest() {
	if x.timer != nil {
		x.timer.Stop()
	}
}

func (x *exchange) Read(b []byte) (int, error) {
	if x.timer != nil {
		x.timer.Reset(x.wire.Stall)
	}
	n, err := x.body.Read(b)
	x.rest()
	if err != nil && !errors.Is(err, io.EOF) {
		return n, x.fault(err, x.inner)
	}
	return n, err
}

func (x *exchange) Close() error {
	x.rest()
	x.cancel(nil)
	return x.body.Close()
}

// fault turns what net/http says into an error of ours.
func (x *exchange) fault(err error, inner context.Context) error {
	if x.ctx.Err() != nil {
		return context.Cause(x.ctx)
	}
	if context.Cause(inner) == errStalled {
		return &Error{Kind: Stalled, Message: x.wire.from() + " was silent for " + x.wire.Stall.String() +
			": send the prompt again, or raise model.stallSeconds"}
	}
	return x.wire.lost(err)
}

// lost says how a connection could not be made, or broke.
func (w *Wire) lost(err error) *Error {
	var urlError *url.Error
	if errors.As(err, &urlError) {
		err = urlError.Err
	}
	why := Short(w.withoutKey(err.Error()), wordsBytes)
	var op *net.OpError
	var dns *net.DNSError
	start := w.Start
	if start == "" {
		start = "start it, or check the address"
	}
	none := "no server at " + w.address()
	switch {
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return &Error{Kind: NoServer, Message: none + ": the proxy can't be reached (" + why + "); check HTTPS_PROXY and NO_PROXY"}
	case errors.As(err, &dns):
		return &Error{Kind: NoServer, Message: none + ": the name " + Short(dns.Name, wordsBytes) + " was not found; check the address and the network"}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Error{Kind: NoServer, Message: none + ": " + start}
	case errors.As(err, &op) && op.Op == "dial":
		return &Error{Kind: NoServer, Message: none + " (" + why + "): " + start}
	case strings.Contains(why, "tls: ") || strings.Contains(why, "x509: "):
		return &Error{Kind: NoServer, Message: none + " that can be trusted (" + why + "): check the address and the certificate"}
	case strings.Contains(why, "HTTP response to HTTPS client"):
		return &Error{Kind: NoServer, Message: none + ": the one there speaks http, not https"}
	}
	return &Error{Kind: Lost, Message: "the connection to " + w.from() + " was lost (" + why + ")"}
}

// Cut is the fault of an answer that ended before its end.
func (w *Wire) Cut() *Error {
	return &Error{Kind: Lost, Message: "the answer of " + w.from() + " was cut off: the connection ended in the middle; send the prompt again to go on"}
}

// Missing adds to a NoModel error the models that the server has, and advice where there is some.
func (w *Wire) Missing(e *Error, there []Info, advice string) *Error {
	const most = 8 // names on one line
	names := make([]string, 0, most)
	for _, info := range there[:min(len(there), most)] {
		_, name, _ := strings.Cut(info.Name, ":")
		names = append(names, Short(name, wordsBytes))
	}
	told := *e
	if advice != "" {
		told.Message += ": " + advice
	}
	switch more := len(there) - len(names); {
	case len(names) == 0:
	case more > 0:
		told.Message += "; models there: " + strings.Join(names, ", ") + " and " + strconv.Itoa(more) + " more"
	default:
		told.Message += "; models there: " + strings.Join(names, ", ")
	}
	return &told
}
