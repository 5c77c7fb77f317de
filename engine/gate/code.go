package gate

import "strings"

// rateCode rates an interpreter by the code in its segment: it runs what it is given, which is moderate; a call that
// deletes or sends is high. The language isn't parsed, so a name in a text counts too, and a name that the code puts
// together doesn't: moderate is what an interpreter always is at least.
func rateCode(s Segment) rating {
	for _, call := range []string{"rmtree", "rmSync(", "rmdirSync(", "unlinkSync(", "rm_rf", "rm_r(", "remove_tree", "remove_dir_all", "deleteDir", "os.remove(", "os.unlink(", "os.rmdir(",
		".unlink(", "unlink(", "unlink ", "File.delete", "fs.rm(", "fs.unlink(", "file.remove(", "Deno.remove", "delete-directory", "delete-file"} {
		if strings.Contains(s.Text, call) {
			return high("its code deletes files")
		}
	}
	for _, call := range []string{"requests.post(", "requests.put(", ".sendall(", "urlopen(", "Net::HTTP.post", "method:'POST'", `method:"POST"`, "method: 'POST'", `method: "POST"`, "smtplib", "/dev/tcp/"} {
		if strings.Contains(s.Text, call) {
			return high("its code sends data out")
		}
	}
	return moderate("it runs what it is given")
}
