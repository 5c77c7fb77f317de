package gate

import (
	"slices"
	"strings"
)

// What prints a secret gives it to the model, and with that to another machine: such a command carries data out.

// reveals reports whether a program of a cloud prints a secret: words are its plain words, args what follows its verb.
func reveals(program string, words, args []string) bool {
	said := strings.Join(words, " ")
	begins := func(all ...string) bool {
		return slices.ContainsFunc(all, func(one string) bool { return said == one || strings.HasPrefix(said, one+" ") })
	}
	switch program {
	case "kubectl", "oc":
		secret := slices.ContainsFunc(words, func(word string) bool {
			kind, _, _ := strings.Cut(word, "/")
			return slices.ContainsFunc(strings.Split(kind, ","), func(one string) bool { return one == "secret" || one == "secrets" })
		})
		return begins("config view") && has(args, "", "", "--raw") && !slices.Contains(args, "--raw=false") || begins("create token") || begins("whoami") && has(args, "t", "", "--show-token") ||
			begins("get") && secret && slices.ContainsFunc(valuesOf(args, "o", "--output"), func(form string) bool { return form != "name" && form != "wide" })
	case "aws":
		return begins("configure export-credentials", "secretsmanager get-secret-value", "secretsmanager batch-get-secret-value", "ecr get-login-password", "ecr get-login", "ecr-public get-login-password",
			"sts get-session-token", "sts assume-role", "sts get-federation-token", "iam create-access-key", "codeartifact get-authorization-token", "rds generate-db-auth-token", "eks get-token", "kms decrypt",
			"sso get-role-credentials", "configure get aws_secret_access_key", "configure get aws_session_token", "lightsail download-default-key-pair", "ec2 get-password-data") ||
			begins("ssm") && has(args, "", "", "--with-decryption")
	case "az":
		return begins("account get-access-token", "acr credential", "ad sp create-for-rbac", "ad sp credential", "ad app credential") ||
			slices.Contains(words, "keyvault") && (slices.Contains(words, "show") || slices.Contains(words, "download") || slices.Contains(words, "backup")) ||
			slices.Contains(words, "keys") && slices.Contains(words, "list") || slices.Contains(words, "list-keys") || has(args, "", "", "--expose-token")
	case "gcloud":
		return strings.Contains(said, "print-access-token") || strings.Contains(said, "print-identity-token") || begins("secrets versions access", "kms decrypt", "iam service-accounts keys create", "config config-helper")
	case "gh", "glab":
		return begins("auth token") || begins("auth status") && has(args, "t", "h", "--show-token")
	case "heroku":
		return begins("auth:token", "config", "config:get", "pg:credentials:url", "redis:credentials")
	case "fly", "flyctl":
		return begins("auth token", "tokens create")
	case "firebase":
		return begins("login:ci", "functions:secrets:access")
	case "netlify":
		return begins("env:get", "env:list")
	case "pulumi":
		return has(args, "", "", "--show-secrets")
	}
	return false
}

// rateKeys rates the programs that keep keys and passwords: high where they show one, give one out or destroy one.
func rateKeys(program string, args []string) (rating, bool) {
	bare := append(bareArguments(args), "", "")
	shown, harm := false, slices.ContainsFunc(bare, destroys)
	switch program {
	case "gpg", "gpg2":
		shown = slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--export-s") })
		harm = slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--delete-") || strings.HasPrefix(a, "--send-") })
	case "ssh-keygen", "ssh-add":
	case "security":
		shown = isOneOf(bare[0], "dump-keychain", "export") || strings.HasPrefix(bare[0], "find-") && slices.ContainsFunc(args, func(a string) bool { return a == "-w" || a == "-g" })
		harm = harm || isOneOf(bare[0], "set-keychain-password", "add-trusted-cert", "authorizationdb")
	case "pass", "gopass":
		shown = !isOneOf(bare[0], "ls", "list", "find", "search", "grep", "help", "version", "git", "init", "insert", "generate", "edit", "mv", "cp", "") && !harm
	case "op":
		shown = bare[0] == "read" || bare[0] == "inject" || bare[1] == "get" || bare[0] == "document" || has(args, "", "", "--reveal") || bare[0] == "signin" && has(args, "", "", "--raw")
	case "vault", "bao":
		shown = bare[0] == "read" || bare[0] == "unwrap" || bare[0] == "print" || bare[0] == "login" || bare[0] == "kv" && bare[1] == "get" || bare[0] == "token" && bare[1] == "create"
		harm = harm || isOneOf(bare[1], "seal", "disable", "rekey") || bare[0] == "seal"
	case "keyctl":
		shown = isOneOf(bare[0], "print", "read", "pipe")
		harm = harm || isOneOf(bare[0], "clear", "unlink", "invalidate", "reap")
	case "secret-tool", "keyring", "lpass", "bw", "chamber", "kwallet-query", "pass-cli":
		shown = isOneOf(bare[0], "lookup", "search", "get", "show", "export", "read") || program == "kwallet-query"
	case "doppler", "infisical":
		shown = bare[0] == "secrets" && !isOneOf(bare[1], "names", "set")
	case "sops", "ansible-vault":
		shown = has(args, "d", "", "--decrypt") || isOneOf(bare[0], "view", "decrypt", "exec-env")
	default:
		if strings.HasPrefix(program, "docker-credential-") || strings.HasPrefix(program, "git-credential-") {
			return high("it shows or changes stored passwords"), true
		}
		return rating{}, false
	}
	switch {
	case shown:
		return high("it shows a secret"), true
	case harm:
		return high("it destroys, changes or gives out keys"), true
	}
	return moderate("it handles keys"), true
}
