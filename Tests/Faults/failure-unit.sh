#!/usr/bin/env bash
# Tests what a failed night sends: the examples of pipelines/failure, with a sendmail that keeps the mail and a web server
# that keeps the message. Both have to say what is wrong and what to type, and no secret may stand in an argument.
#
#     failure-unit.sh RECEIPTMILL
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$(realpath "$1") examples=$PWD/pipelines/failure samples=$PWD/data-samples
scratch=$(mktemp -d) server=
trap '[ -z "$server" ] || kill "$server"; rm -r "$scratch"' EXIT
cd "$scratch"
fail() { echo "$*" >&2; exit 1; }

# A night that fails: the archive is cut short, and has a name that would end a string of JSON.
mkdir bin spool
head -c 3000 "$samples/receipts-001.jsonl.gz" > 'spool/the "first".gz'
cat > night.yaml <<END
database: mill.sqlite
create: true
trust: {anchors: [$samples/root.pem]}
archives: [{path: "spool/*.gz"}]
END
"$mill" run night.yaml 2> /dev/null && fail "a night whose archive is cut short is no failure"

ln -s "$mill" bin/receiptmill
printf '#!/bin/sh\nprintf "%%s\\n" "$@" > "%s/arguments"\ncat > "%s/mail"\n' "$scratch" "$scratch" > bin/sendmail
# curl itself, with its arguments kept.
printf '#!/bin/sh\nprintf "%%s\\n" "$@" > "%s/arguments"\nexec %s "$@"\n' "$scratch" "$(command -v curl)" > bin/curl
chmod +x bin/*
export PATH="$scratch/bin:$PATH" RECEIPTMILL_PIPELINE=$scratch/night.yaml

# Checks that a text names the unit, the fault and the next command.
expect() {
    local word
    for word in 'receiptmill.service failed' 'cut short' 'a person is needed' 'receiptmill run' 'journalctl -u'; do
        grep -qF "$word" "$1" || fail "$1 lacks '$word': $(cat "$1")"
    done
}

RECEIPTMILL_MAIL_TO=operator@example.com "$examples/mail" receiptmill.service
expect mail
grep -qx 'To: operator@example.com' mail || fail "the mail goes to nobody: $(cat mail)"
grep -q 'operator' arguments && fail "an argument of sendmail names a person: $(cat arguments)"

python3 - > port 2> server.log <<'END' &
import http.server, json, sys
class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        open("message", "w").write(json.loads(body)["text"])
        open("path", "w").write(self.path)
        self.send_response(200 if self.headers["Content-Type"] == "application/json" else 400)
        self.end_headers()
server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
print(server.server_port, flush=True)
server.serve_forever()
END
server=$!
while [ ! -s port ]; do kill -0 "$server" || fail "no web server: $(cat server.log)"; sleep 0.05; done
printf 'http://127.0.0.1:%s/hooks/the-secret\n' "$(cat port)" > webhook
CREDENTIALS_DIRECTORY=$scratch "$examples/webhook" receiptmill.service
expect message
grep -qF 'the "first".gz' message || fail "the message lost characters: $(cat message)"
[ "$(cat path)" = /hooks/the-secret ] || fail "the message went elsewhere: $(cat path)"
grep -q 'secret' arguments && fail "an argument of curl has the secret: $(cat arguments)"
cp message former
RECEIPTMILL_WEBHOOK_FILE=$scratch/webhook "$examples/webhook" receiptmill-backup.service
grep -qF 'receiptmill-backup.service failed' message || fail "no second message"
echo "no address" > webhook
RECEIPTMILL_WEBHOOK_FILE=$scratch/webhook "$examples/webhook" receiptmill.service 2> /dev/null && fail "no address is no fault"

# The drop-ins are parts of the unit that systemd takes.
if command -v systemd-analyze > /dev/null; then
    for example in mail webhook; do
        mkdir -p "units-$example/receiptmill-failure@.service.d"
        sed -e '/^User=/d' -e '/^Group=/d' -e "s#/usr/share/receiptmill/pipelines/failure#$examples#" \
            "$examples/$example.conf" > "units-$example/receiptmill-failure@.service.d/$example.conf"
        cp "$examples/../systemd/receiptmill-failure@.service" "units-$example/"
        SYSTEMD_UNIT_PATH=$scratch/units-$example: systemd-analyze verify --man=no \
            "units-$example/receiptmill-failure@.service" > verified 2>&1 || fail "$(cat verified)"
        [ ! -s verified ] || fail "$(cat verified)"
    done
fi
echo "mail and web hook say what is wrong"
