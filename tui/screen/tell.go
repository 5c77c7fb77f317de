package screen

// Tell writes a sequence that the terminal draws nothing for, as it stands: a question to it, or a notification. It does
// nothing before Enter and after Leave. What is in it from elsewhere is the caller's to make harmless.
func (s *Screen) Tell(sequence string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.in || s.err != nil {
		return s.err
	}
	return s.send([]byte(sequence))
}
