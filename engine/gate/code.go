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

// resetsDatabase reports whether an argument is a task of a framework that drops a database or takes its schema back:
// `rails db:drop`, `artisan migrate:fresh`, `mix ecto.reset`.
func resetsDatabase(args []string) bool {
	for i, a := range args {
		switch a {
		case "db:drop", "db:reset", "db:purge", "db:wipe", "db:rollback", "db:schema:load", "db:migrate:reset", "migrate:fresh", "migrate:reset", "migrate:refresh", "migrate:rollback",
			"db:drop:all", "db:migrate:undo", "db:migrate:undo:all", "ecto.drop", "ecto.reset", "ecto.rollback", "reset_db", "sqlflush":
			return true
		case "reset":
			if i > 0 && (args[i-1] == "migrate" || args[i-1] == "db") {
				return true
			}
		}
	}
	return false
}
