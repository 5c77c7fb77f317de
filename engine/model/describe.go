package model

import "context"

// Describer is a client that can say what its model is. Asking may reach the server; it ends with ctx.
type Describer interface {
	Describe(ctx context.Context) (Info, error)
}

// Lister is a client that can say which models its server has, in the server's order. It ends with ctx.
type Lister interface {
	List(ctx context.Context) ([]Info, error)
}
