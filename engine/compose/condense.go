package compose

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"wisp/engine/facts"
	"wisp/engine/thread"
)

// Room is how large a request may be, in tokens as [View.Tokens] estimates them.
type Room struct {
	Window int // the most that is taken
	Goal   int // what a condensation makes of a request that is too large
}

// Plan is a condensation that is about to be made: what goes, before it is distilled.
type Plan struct {
	Before int // tokens of the request as it is
	Turns  int // how many turns go; 0 where outputs alone do
	First  int // the first of them
	Last   int // and the last
	Gone   []thread.Entry

	entries    []thread.Entry
	frame      frame
	cut        int // the index of the first entry that stays literal
	references int
	room       Room
}

// Plan says what is to go so that the request has its goal: the older outputs of the running turn, then the oldest turns, each with
// the commands typed before it; with all set, every turn that may. The newest turn that the model took part in stays, and what
// came after it.
func (c Composer) Plan(entries []thread.Entry, room Room, all bool) Plan {
	f := frameOf(entries)
	p := Plan{
		Before: c.View(entries).Tokens(), entries: entries, frame: f, cut: f.from, room: room, references: max(f.References, settled(entries)),
	}
	if all || p.Before > room.Goal && c.size(p) > room.Goal {
		may := cuts(entries, f.from)
		if !all {
			may = may[hopeless(entries, may, room.Goal):]
		}
		i := len(may) - 1
		if !all {
			i = min(i, sort.Search(len(may), func(i int) bool { return c.size(p.to(may[i])) <= room.Goal }))
		}
		p = p.to(may[i])
	}
	p.Gone = entries[f.from:p.cut]
	for i := range p.Gone {
		if e := &p.Gone[i]; opens(e) && e.Turn != p.Last {
			p.Last = e.Turn
			if p.Turns++; p.Turns == 1 {
				p.First = e.Turn
			}
		}
	}
	return p
}

// to is the plan with another cut.
func (p Plan) to(cut int) Plan {
	p.cut, p.Gone = cut, p.entries[p.frame.from:cut]
	return p
}

// settled is the number of the newest entry before the newest step of the newest turn: up to it outputs may be references.
func settled(entries []thread.Entry) int {
	turn := newest(entries)
	step, from := -1, len(entries)
	for i := len(entries) - 1; i >= 0 && entries[i].Turn == turn; i-- {
		switch e := &entries[i]; e.Kind {
		case thread.Reply, thread.CallKind, thread.OutputKind, thread.Reasoning:
			if step >= 0 && e.Step != step {
				return entries[from-1].Number
			}
			step, from = e.Step, i
		}
	}
	return 0
}

// cuts are where the literal turns may begin, the oldest first; the first is where they begin now. A turn begins with what came after
// the end of the one before it: a typed command goes with the turn after it.
func cuts(entries []thread.Entry, from int) []int {
	all := []int{from}
	turn, end, took := -1, from, 0 // the turn that is read, the end of its own entries, where the model last took part
	for i := from; i < len(entries); i++ {
		e := &entries[i]
		switch {
		case opens(e):
			if e.Turn != turn && end > all[len(all)-1] {
				all = append(all, end)
			}
			turn, end = e.Turn, i+1
		case e.Kind == thread.Reply, e.Kind == thread.CallKind:
			took, end = i, i+1
		case e.Kind == thread.OutputKind, e.Kind == thread.Reasoning, e.Kind == thread.StopKind:
			end = i + 1
		}
	}
	for len(all) > 1 && all[len(all)-1] > took {
		all = all[:len(all)-1]
	}
	return all
}

// hopeless is how many cuts leave more than the goal by their prompts and replies alone: of a long record most do, and trying each
// would compose all of it.
func hopeless(entries []thread.Entry, cuts []int, goal int) int {
	least, at := 0, len(entries)
	for i := len(cuts) - 1; i > 0; i-- {
		for at > cuts[i-1] {
			at--
			if kind := entries[at].Kind; kind == thread.Prompt || kind == thread.Reply {
				least += len(entries[at].Text)
			}
		}
		if tokens(least) > goal {
			return i
		}
	}
	return 0
}

// size estimates the request after a plan, with the room that its summary may take.
func (c Composer) size(p Plan) int {
	d := Distilled{Summary: p.frame.summary}
	if gone := volume(p.Gone); gone > 0 {
		d.Summary = strings.Repeat("x", min(p.shares(0, c.Window).summary, len(d.Summary)+gone/3))
	}
	return c.trial(p, d.Summary, p.condensation(c, d, 0))
}

// volume is how many bytes of text entries hold.
func volume(entries []thread.Entry) int {
	sum := 0
	for i := range entries {
		e := &entries[i]
		sum += len(e.Text)
		if e.Call != nil {
			sum += len(e.Call.Arguments)
		}
		if e.Output != nil {
			sum += len(e.Output.Text)
		}
	}
	return sum
}

// trial is how many tokens the request has with a condensation.
func (c Composer) trial(p Plan, summary string, made thread.Condensation) int {
	f := frame{Condensation: made, number: p.newest() + 2, summary: summary}
	return c.view(c.within(f, p.entries[p.cut:], newest(p.entries))).Tokens()
}

func (p Plan) newest() int {
	if len(p.entries) == 0 {
		return 0
	}
	return p.entries[len(p.entries)-1].Number
}

func (p Plan) shares(squeeze, window int) shares {
	if window <= 0 || p.room.Window > 0 && p.room.Window < window {
		window = p.room.Window
	}
	return sharesOf(window, squeeze)
}

// Condense makes the entries of a condensation, its summary first, and says whether it makes the request smaller. Where a
// plan and what was distilled of it don't reach the goal, the earlier block is cut; where not even the window is reached,
// outputs of the newest step and long texts of the turns before the newest prompt are too.
func (c Composer) Condense(p Plan, d Distilled) (entries []thread.Entry, smaller bool) {
	if len(p.Gone) == 0 {
		d = Distilled{Summary: p.frame.summary}
	}
	made, summary := p.squeezed(c, d)
	for _, texts := range []int{4 << 10, 1 << 10} {
		if made.After <= p.room.Window {
			break
		}
		cut := made
		cut.References, cut.Texts = p.newest(), texts
		if cut.After = c.trial(p, summary, cut); cut.After < made.After {
			made = cut
		}
	}
	return []thread.Entry{{Kind: thread.Summary, Text: summary}, {Kind: thread.CondensationKind, Condensation: &made}},
		made.After < p.Before-p.Before/50
}

// squeezed cuts the earlier block as little as the goal needs. Where no cut reaches that, it is as little as half the way to it
// needs, or what keeps the next request from being condensed again, or the window: what is cut for nothing is missed.
func (p Plan) squeezed(c Composer, d Distilled) (made thread.Condensation, summary string) {
	at := func(squeeze int) (thread.Condensation, string) {
		made := p.condensation(c, d, squeeze)
		summary := fitted(d.Summary, p.shares(squeeze, c.Window).summary)
		made.After = c.trial(p, summary, made)
		return made, summary
	}
	for _, most := range []int{p.room.Goal, (p.room.Goal + p.room.Window) / 2, p.room.Window * 4 / 5, p.room.Window} {
		for squeeze := range mostSqueeze + 1 {
			if made, summary = at(squeeze); made.After <= most {
				return made, summary
			}
		}
	}
	return made, summary
}

// condensation is what a plan makes of the record, with a block that is halved so often.
func (p Plan) condensation(c Composer, d Distilled, squeeze int) thread.Condensation {
	before := p.frame.Condensation
	made := thread.Condensation{
		Through: before.Through, Facts: d.Facts, Before: p.Before, Squeeze: squeeze, References: p.references,
		Turns: before.Turns, First: before.First, Mode: before.Mode, Directory: before.Directory,
	}
	turn := -1
	for i := range p.Gone {
		e := &p.Gone[i]
		made.Through = max(made.Through, e.Number)
		if e.Kind == thread.Prompt && made.First == "" && before.Through == 0 {
			made.First = legal(e.Text)
		}
		switch {
		case opens(e) && e.Turn != turn:
			turn = e.Turn
			made.Turns++
		case e.Kind == thread.Directory:
			made.Directory = e.Text
		case e.Kind == thread.Notice && e.Mode != "":
			made.Mode = e.Mode
		}
	}
	all := p.shares(squeeze, c.Window)
	if slices.ContainsFunc(c.Facts, func(f facts.Fact) bool { return f.Subject == facts.Task }) {
		made.First = ""
	}
	made.First = clipped(made.First, all.first)
	made.Known = bounded(c.known(made.Through, p.newest()+2, d.Facts), all.known)
	return made
}

// known are the conversation's facts that no literal turn shows, one a line: what persons and models said first, then what was
// observed, files last; the newest of each first.
func (c Composer) known(through, number int, distilled []thread.Fact) []string {
	all := slices.Clone(c.Facts)
	for _, d := range distilled {
		said := facts.Fact{Scope: facts.Thread, Subject: d.Subject, Name: cmp.Or(d.Name, d.Subject), Value: d.Value, Source: facts.Model, Entry: number}
		i := slices.IndexFunc(all, func(f facts.Fact) bool {
			return strings.EqualFold(f.Subject, said.Subject) && f.Name == said.Name
		})
		switch {
		case i < 0:
			all = append(all, said)
		case all[i].Source == facts.Model && all[i].Value != said.Value:
			all[i] = said
		}
	}
	all = slices.DeleteFunc(all, func(f facts.Fact) bool {
		shown := f.Entry > through && f.Entry != number
		return shown || f.Scope != facts.Thread || f.Subject == facts.Task || f.Subject == "workdir"
	})
	rank := func(f facts.Fact) int {
		switch {
		case f.Source == facts.Person:
			return 0
		case f.Source == facts.Model:
			return 1
		case f.Subject != "file":
			return 2
		}
		return 3
	}
	slices.SortStableFunc(all, func(a, b facts.Fact) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Entry, a.Entry))
	})
	lines := make([]string, 0, len(all))
	for _, f := range all {
		lines = append(lines, factLine(f))
	}
	return lines
}

// Growth is by how many tokens the last turns grew the conversation on average, and by how many the newest has so far.
func Growth(entries []thread.Entry) (average, now int) {
	const turns = 8
	current := newest(entries)
	turn, grown, total, seen := current, 0, 0, 0
	end := func() {
		switch {
		case turn == current:
			now = grown
		case turn > 0:
			total, seen = total+grown, seen+1
		}
	}
	for i := len(entries) - 1; i >= 0 && seen < turns; i-- {
		if entries[i].Turn != turn {
			end()
			turn, grown = entries[i].Turn, 0
		}
		grown += volume(entries[i : i+1])
	}
	if seen < turns {
		end()
	}
	return tokens(total / max(seen, 1)), tokens(now)
}
