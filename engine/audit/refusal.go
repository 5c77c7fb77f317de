package audit

// SandboxRefusal is what the sandbox refused of a command; see guard.md, "Audit".
type SandboxRefusal struct {
	Verdict string   `json:"verdict"` // "refused", "not-the-sandbox" or "guess"
	Paths   []string `json:"paths"`   // that it is about, absolute
	Network bool     `json:"network"` // the network was refused
}
