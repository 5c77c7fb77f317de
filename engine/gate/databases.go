package gate

import (
	"slices"
	"strings"
)

// rateDatabase rates the programs that speak to a database. A statement in the line is looked at by its words; one from a file
// isn't seen: moderate.
func rateDatabase(program string, args []string, text string) (rating, bool) {
	switch program {
	case "psql", "mysql", "mariadb", "sqlite3", "mongo", "mongosh", "redis-cli", "valkey-cli", "clickhouse-client", "clickhouse", "cqlsh", "duckdb", "sqlcmd", "sqlplus", "usql", "pgcli", "mycli", "litecli", "cockroach",
		"bq", "snowsql", "cypher-shell", "influx", "beeline", "hive", "trino", "presto", "sqlite", "mssql-cli", "iredis":
		if destroysData(strings.Join(args, " ")) || destroysData(text) {
			return high("it destroys data, changes who may, or runs a program"), true
		}
		return moderate("it may change a database"), true
	case "dropdb", "dropuser", "pg_resetwal", "pg_dropcluster", "pg_resetxlog":
		return high("it deletes a database"), true
	case "pg_restore", "mongorestore", "pgbackrest":
		if has(args, "c", "dhUptnFjLSTU", "--clean", "--drop") || slices.Contains(args, "restore") {
			return high("it drops what is in the database first"), true
		}
		return moderate("it may change a database"), true
	case "mysqladmin", "mariadb-admin":
		if slices.ContainsFunc(args, func(a string) bool {
			return isOneOf(a, "drop", "shutdown", "kill", "password", "reload", "refresh") || strings.HasPrefix(a, "flush-")
		}) {
			return high("it drops or stops a database, or changes who may"), true
		}
		return moderate("it may change a database"), true
	case "flyway", "liquibase", "dbmate", "goose", "sqitch", "prisma", "atlas", "migrate", "alembic", "knex", "sequelize", "typeorm", "drizzle-kit":
		if slices.ContainsFunc(args, func(a string) bool {
			return isOneOf(a, "clean", "down", "down-to", "undo", "redo", "downgrade", "revert", "schema:drop", "migrate:down") || destroys(a)
		}) || has(args, "", "", "--force-reset", "--accept-data-loss") {
			return high("it deletes a database, or takes its schema back"), true
		}
		return moderate("it changes a database's schema"), true
	case "pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport", "mongoimport", "createdb", "createuser", "pg_ctl", "pg_isready", "vacuumdb", "reindexdb", "initdb":
		return moderate("it reads or changes a database"), true
	}
	return rating{}, false
}

// destroysData reports whether a text holds a statement that deletes, drops or overwrites, changes who may, or has the database
// run a program. Words of other statements can't be told from it: they over-rate.
func destroysData(text string) bool {
	text = strings.ToLower(text)
	for _, way := range []string{".shell", ".system", "dropdatabase", ".remove(", ".drop", "config set", "config rewrite", "module load", "script flush", "alter user", "alter role", "create user", "set password", " program '", "xp_cmdshell", `\! `, "into outfile", "into dumpfile",
		"load_extension", "writefile("} {
		if strings.Contains(text, way) {
			return true
		}
	}
	where := strings.Contains(text, "where")
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c != '_' && c != '-' && (c < 'a' || c > 'z') }) {
		switch word {
		case "drop", "delete", "truncate", "flushall", "flushdb", "deletemany", "deleteone", "remove", "grant", "revoke", "unlink", "shutdown", "del", "rm", "replicaof", "slaveof", "findanddelete", "findoneanddelete", "reset":
			return true
		case "update":
			if !where && strings.Contains(text, " set ") {
				return true
			}
		}
	}
	return false
}

// resetsDatabase reports whether an argument is a task of a framework that drops a database or takes its schema back:
// `rails db:drop`, `artisan migrate:fresh`, `mix ecto.reset`, `manage.py flush`, `flask db downgrade`.
func resetsDatabase(args []string) bool {
	managed := false
	for i, a := range args {
		switch a {
		case "db:drop", "db:reset", "db:purge", "db:wipe", "db:rollback", "db:schema:load", "db:migrate:reset", "migrate:fresh", "migrate:reset", "migrate:refresh", "migrate:rollback",
			"db:drop:all", "db:migrate:undo", "db:migrate:undo:all", "ecto.drop", "ecto.reset", "ecto.rollback", "reset_db", "sqlflush":
			return true
		case "reset", "downgrade":
			if i > 0 && (args[i-1] == "migrate" || args[i-1] == "db") {
				return true
			}
		case "flush":
			if managed {
				return true
			}
		case "zero": // migrate APP zero takes all of them back
			if managed && slices.Contains(args[:i], "migrate") {
				return true
			}
		}
		managed = managed || strings.HasSuffix(a, "manage.py") || a == "django" || strings.HasSuffix(a, "django-admin")
	}
	return false
}
