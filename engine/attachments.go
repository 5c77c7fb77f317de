package engine

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"wisp/engine/thread"
	"wisp/protocol"
)

// The bounds of what goes with a prompt.
const (
	maxAttachments     = 20
	maxAttachmentBytes = 256 << 10 // of one; the rest is left out, and said
	maxAttachmentNames = 200       // of a folder
)

// attach reads what goes with the prompt that is the request. What can't be read is told to the person, and named to the model.
func (t *turn) attach(all []protocol.Attachment, request string) []thread.Attachment {
	var read []thread.Attachment
	for i, a := range all {
		if i == maxAttachments {
			t.note("warning", request, "%d attachments were left out: a prompt takes %d", len(all)-i, maxAttachments)
			break
		}
		name := a.Path
		if name == "" {
			name = "attachment " + fmt.Sprint(i+1)
		}
		text, err := t.attachment(a)
		if err != nil {
			t.note("error", request, "%s wasn't attached: %v", clip(name, 200), err)
			text = "(it could not be read: " + err.Error() + ")"
		}
		read = append(read, thread.Attachment{Name: name, Text: text})
	}
	return read
}

// attachment reads one: a file or a folder by its path, or data.
func (t *turn) attachment(a protocol.Attachment) (string, error) {
	if a.Path == "" {
		data, err := base64.StdEncoding.DecodeString(a.Data)
		if err != nil {
			return "", errors.New("its data is no base64")
		}
		return attachedText([]byte(t.commits.secrets.Text(string(data))), a.MediaType)
	}
	path := a.Path
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(t.config.Person, rest)
	} else if !filepath.IsAbs(path) {
		path = filepath.Join(t.directory, path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("there is no %s", path)
	case err != nil:
		return "", err
	case info.IsDir():
		return folderNames(path)
	case !info.Mode().IsRegular(): // a pipe or a device would be read for ever
		return "", fmt.Errorf("%s is no regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	// It is masked before it is cut, so that no piece of a secret is left at its end.
	data, err := io.ReadAll(io.LimitReader(t.commits.secrets.Reader(file), maxAttachmentBytes+1))
	if err != nil {
		return "", err
	}
	text, err := attachedText(data, "")
	if err == nil && len(data) > maxAttachmentBytes {
		text += fmt.Sprintf("\n… %d bytes left out: read_file has the rest", max(info.Size()-maxAttachmentBytes, 1))
	}
	return text, err
}

// attachedText is an attachment's text, where it is text.
func attachedText(data []byte, mediaType string) (string, error) {
	if strings.HasPrefix(mediaType, "image/") {
		return "", errors.New("this wisp doesn't pass images to models yet")
	}
	cut := len(data) > maxAttachmentBytes
	text := string(data)
	if cut {
		text = cutText(text, maxAttachmentBytes)
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return "", errors.New("it is no text")
	}
	return text, nil
}

// folderNames is a folder's listing.
func folderNames(path string) (string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, e := range entries {
		if i == maxAttachmentNames {
			fmt.Fprintf(&b, "… %d more: list_files has them\n", len(entries)-i)
			break
		}
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		b.WriteString(name + "\n")
	}
	return b.String(), nil
}

// note tells the person something about a prompt of this turn.
func (t *turn) note(level, request, format string, a ...any) {
	t.out.post(protocol.Note{Level: level, Text: fmt.Sprintf(format, a...), Request: request})
}
