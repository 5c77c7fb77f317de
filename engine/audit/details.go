package audit

// The details of each kind. Every field has a row in docs/logging.md, which a test checks.

// SessionStartDetails are SessionStart's.
type SessionStartDetails struct {
	Thread    string `json:"thread"`
	Directory string `json:"directory"`
	Resumed   bool   `json:"resumed"`
	Sandbox   string `json:"sandbox"`
}

// SessionEndDetails are SessionEnd's.
type SessionEndDetails struct {
	Reason string `json:"reason"`
}

// ModelResolvedDetails are ModelResolved's.
type ModelResolvedDetails struct {
	Model  string `json:"model"`
	Why    string `json:"why"`
	Window int    `json:"window"`
}

// PromptDetails are Prompt's.
type PromptDetails struct {
	Origin string `json:"origin"`
	Text   string `json:"text"` // at most 4 KiB
	Bytes  int    `json:"bytes"`
	Steer  bool   `json:"steer"`
}

// ResponseDetails are Response's: one answer of the model to one request.
type ResponseDetails struct {
	Model        string  `json:"model"`
	Text         string  `json:"text"` // at most 4 KiB
	Bytes        int     `json:"bytes"`
	Calls        int     `json:"calls"`
	InputTokens  int     `json:"inputTokens"`
	OutputTokens int     `json:"outputTokens"`
	CachedTokens int     `json:"cachedTokens"`
	FirstSeconds float64 `json:"firstSeconds"`
	Seconds      float64 `json:"seconds"`
	Cut          bool    `json:"cut"`
}

// ReasoningDetails are Reasoning's.
type ReasoningDetails struct {
	Bytes int `json:"bytes"`
}

// ToolCallDetails are ToolCall's.
type ToolCallDetails struct {
	Tool      string `json:"tool"`
	Arguments string `json:"arguments"` // as JSON, at most 4 KiB
	Problem   string `json:"problem"`   // why it can't be planned
}

// ToolResultDetails are ToolResult's.
type ToolResultDetails struct {
	Tool      string  `json:"tool"`
	Failed    bool    `json:"failed"`
	Stopped   bool    `json:"stopped"`
	Truncated bool    `json:"truncated"`
	Bytes     int64   `json:"bytes"`
	Lines     int64   `json:"lines"`
	Seconds   float64 `json:"seconds"`
}

// PolicyDecisionDetails are PolicyDecision's.
type PolicyDecisionDetails struct {
	Origin   string `json:"origin"`
	Command  string `json:"command"`
	Decision string `json:"decision"`
	Rule     string `json:"rule"`
}

// RiskVerdictDetails are RiskVerdict's.
type RiskVerdictDetails struct {
	Command string   `json:"command"`
	Level   string   `json:"level"`
	Reasons []string `json:"reasons"`
}

// ApprovalAskedDetails are ApprovalAsked's.
type ApprovalAskedDetails struct {
	Approval string   `json:"approval"`
	Command  string   `json:"command"`
	Line     string   `json:"line"`
	Pattern  string   `json:"pattern"`
	Level    string   `json:"level"`
	Reasons  []string `json:"reasons"`
}

// ApprovalDecidedDetails are ApprovalDecided's.
type ApprovalDecidedDetails struct {
	Approval string `json:"approval"`
	Decision string `json:"decision"`
	By       string `json:"by"` // "person", "timeout", "stop", "no-face"
	Reason   string `json:"reason"`
}

// CommandTypedDetails are CommandTyped's; guard.md, "Audit".
type CommandTypedDetails struct {
	Origin         string          `json:"origin"`
	ID             string          `json:"id"`
	Command        string          `json:"command"`
	Directory      string          `json:"directory"`
	Decision       string          `json:"decision"`
	Rule           string          `json:"rule"`
	ExitStatus     int             `json:"exitStatus"`
	Stopped        bool            `json:"stopped"`
	Truncated      bool            `json:"truncated"`
	Outside        bool            `json:"outside"`
	Private        bool            `json:"private"`
	Attached       bool            `json:"attached"`
	Bytes          int64           `json:"bytes"`
	Lines          int64           `json:"lines"`
	Seconds        float64         `json:"seconds"`
	Left           int             `json:"left"`
	SandboxRefusal *SandboxRefusal `json:"sandboxRefusal"` // null: none
	Changed        []string        `json:"changed"`        // protected places, null: none
	Failure        string          `json:"failure"`
	Task           string          `json:"task"`
}

// CommandOutcomeDetails are CommandOutcome's: a command of the model's, without its text.
type CommandOutcomeDetails struct {
	Origin         string          `json:"origin"`
	Directory      string          `json:"directory"`
	Decision       string          `json:"decision"`
	Rule           string          `json:"rule"`
	ExitStatus     int             `json:"exitStatus"`
	Stopped        bool            `json:"stopped"`
	TimedOut       bool            `json:"timedOut"`
	Truncated      bool            `json:"truncated"`
	Outside        bool            `json:"outside"`
	Private        bool            `json:"private"`
	Attached       bool            `json:"attached"`
	Bytes          int64           `json:"bytes"`
	Lines          int64           `json:"lines"`
	Seconds        float64         `json:"seconds"`
	Left           int             `json:"left"`
	SandboxRefusal *SandboxRefusal `json:"sandboxRefusal"` // null: none
	Changed        []string        `json:"changed"`        // protected places, null: none
	Failure        string          `json:"failure"`
}

// ProcessStartDetails are ProcessStart's: a command that the person typed is about to begin. It is written before, so that a kill
// of wisp leaves a trace of what ran; CommandTyped follows with the end. Another is written when it goes on in the background, with
// its Task. A model's command has its ToolCall, and one of these where it runs in the background.
type ProcessStartDetails struct {
	Origin    string `json:"origin"`
	Command   string `json:"command"`
	Directory string `json:"directory"`
	Outside   bool   `json:"outside"`
	Attached  bool   `json:"attached"`
	Task      string `json:"task"`
}

// ProcessEndDetails are ProcessEnd's: a task in the background has ended. A typed one's CommandTyped has the rest, a model's
// CommandOutcome.
type ProcessEndDetails struct {
	Origin     string  `json:"origin"`
	Command    string  `json:"command"`
	Task       string  `json:"task"`
	ExitStatus int     `json:"exitStatus"`
	Stopped    bool    `json:"stopped"`
	By         string  `json:"by"` // "person", "model", "session", ""
	Seconds    float64 `json:"seconds"`
	Left       int     `json:"left"`
	Failure    string  `json:"failure"`
}

// ProcessNoticeDetails are ProcessNotice's: what the model is told of tasks, with its next request.
type ProcessNoticeDetails struct {
	Task string `json:"task"` // t1; t1, t2 where several ended together
	Text string `json:"text"` // at most 4 KiB
}

// FileWriteDetails are FileWrite's: a call changed a file. What a command did is told where it was seen.
type FileWriteDetails struct {
	Tool    string `json:"tool"`
	Path    string `json:"path"`
	Made    bool   `json:"made"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	Bytes   int64  `json:"bytes"`
}

// FileUndoDetails are FileUndo's: the person took a turn's changes back, or returned them.
type FileUndoDetails struct {
	Action   string   `json:"action"` // undo or redo
	Of       int      `json:"of"`     // the turn
	Restored []string `json:"restored"`
	Left     []string `json:"left"`
}

// ContextMemoryDetails are ContextMemory's: the model recalled or noted something.
type ContextMemoryDetails struct {
	Line   string `json:"line"` // at most 4 KiB of what it asked
	Failed bool   `json:"failed"`
	Bytes  int    `json:"bytes"` // of the answer
}

// FactRecordedDetails are FactRecorded's.
type FactRecordedDetails struct {
	Fact    string `json:"fact"` // its id
	Scope   string `json:"scope"`
	Subject string `json:"subject"`
	Name    string `json:"name"`
	Value   string `json:"value"`
	Source  string `json:"source"`
	Detail  string `json:"detail"`
}

// FactSupersededDetails are FactSuperseded's: it has another value, source or scope than it had.
type FactSupersededDetails struct {
	Fact    string `json:"fact"` // its id
	Scope   string `json:"scope"`
	Subject string `json:"subject"`
	Name    string `json:"name"`
	Value   string `json:"value"`
	Source  string `json:"source"`
	Detail  string `json:"detail"`
	Before  string `json:"before"` // the value
}

// FactDeletedDetails are FactDeleted's.
type FactDeletedDetails struct {
	Fact    string `json:"fact"` // its id
	Scope   string `json:"scope"`
	Subject string `json:"subject"`
	Name    string `json:"name"`
	Value   string `json:"value"`
	Source  string `json:"source"`
	Detail  string `json:"detail"`
}

// TurnStoppedDetails are TurnStopped's.
type TurnStoppedDetails struct {
	Seconds float64 `json:"seconds"`
	Killed  bool    `json:"killed"`
}

// ConfigChangeDetails are ConfigChange's.
type ConfigChangeDetails struct {
	Setting string `json:"setting"`
	From    string `json:"from"`
	To      string `json:"to"`
}

// HostHelloDetails are HostHello's: a face that said who it is.
type HostHelloDetails struct {
	Client       string   `json:"client"`
	Version      string   `json:"version"`
	Protocol     int      `json:"protocol"`
	Capabilities []string `json:"capabilities"`
}

// ContextReferenceDetails are ContextReference's: outputs that are told in short once another turn begins.
type ContextReferenceDetails struct {
	First   int `json:"first"`
	Last    int `json:"last"`
	Outputs int `json:"outputs"`
	Bytes   int `json:"bytes"`
	Told    int `json:"told"`
}

// ContextSummaryDetails are ContextSummary's: what from now on stands for the turns that went.
type ContextSummaryDetails struct {
	By           string  `json:"by"`
	Problem      string  `json:"problem"` // at most 4 KiB
	Through      int     `json:"through"`
	Turns        int     `json:"turns"`
	Bytes        int     `json:"bytes"`
	InputTokens  int     `json:"inputTokens"`
	OutputTokens int     `json:"outputTokens"`
	Seconds      float64 `json:"seconds"`
}

// CondensationDetails are Condensation's: what the next requests tell in short. The record has all of it.
type CondensationDetails struct {
	Reason       string `json:"reason"` // "window", "overflow" or "person"
	Focus        string `json:"focus"`  // at most 4 KiB
	Through      int    `json:"through"`
	Turns        int    `json:"turns"`
	References   int    `json:"references"`
	Texts        int    `json:"texts"`
	Squeeze      int    `json:"squeeze"`
	Before       int    `json:"before"`
	After        int    `json:"after"`
	Window       int    `json:"window"`
	By           string `json:"by"`
	Problem      string `json:"problem"` // at most 4 KiB
	Facts        int    `json:"facts"`
	SummaryBytes int    `json:"summaryBytes"`
}
