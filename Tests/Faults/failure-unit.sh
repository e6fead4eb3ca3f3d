#!/usr/bin/env bash
# Tests what a failed night sends: the examples of pipelines/failure, with a sendmail that keeps the mail, a web server
# that keeps the message, and a journal with the log of the last night. Mail and message must say what is wrong and what
# to type, also for a night that could not begin, and no argument may contain a secret.
#
#     failure-unit.sh RECEIPTMILL
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$(realpath "$1") examples=$PWD/pipelines/failure samples=$PWD/data-samples
scratch=$(mktemp -d) server= locker=
trap 'kill $server $locker 2> /dev/null || true; rm -r "$scratch"' EXIT
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
"$mill" run night.yaml --log-format text 2> log && fail "a night whose archive is cut short is no failure"

ln -s "$mill" bin/receiptmill
printf '#!/bin/sh\nprintf "%%s\\n" "$@" > "%s/arguments"\ncat > "%s/mail"\n' "$scratch" "$scratch" > bin/sendmail
printf '#!/bin/sh\n[ "$*" = "--unit $UNIT --lines 20 --no-pager --output short-iso" ] && tail -n 20 "%s/log"\n' \
    "$scratch" > bin/journalctl
# curl itself, with its arguments kept.
printf '#!/bin/sh\nprintf "%%s\\n" "$@" > "%s/arguments"\nexec %s "$@"\n' "$scratch" "$(command -v curl)" > bin/curl
chmod +x bin/*
export PATH="$scratch/bin:$PATH" RECEIPTMILL_PIPELINE=$scratch/night.yaml UNIT=receiptmill.service

# expect TEXT FAULT: checks that a text names the unit, the fault and the next command, and ends with the log.
expect() {
    local word
    for word in 'receiptmill.service failed' "$2" 'a person is needed' '→ receiptmill run' 'journalctl -u'; do
        grep -qF "$word" "$1" || fail "$1 lacks '$word': $(cat "$1")"
    done
    ! grep -qF 'all is well' "$1" || fail "$1 says that all is well: $(cat "$1")"
    [ "$(tail -n "$(wc -l < log)" "$1")" = "$(cat log)" ] || fail "$1 does not end with the log: $(cat "$1")"
}

RECEIPTMILL_MAIL_TO=operator@example.com "$examples/mail" receiptmill.service
expect mail 'cut short'
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
expect message 'cut short'
grep -qF 'the "first".gz' message || fail "the message lost characters: $(cat message)"
[ "$(cat path)" = /hooks/the-secret ] || fail "the message went elsewhere: $(cat path)"
grep -q 'secret' arguments && fail "an argument of curl has the secret: $(cat arguments)"
cp message former
UNIT=receiptmill-backup.service RECEIPTMILL_WEBHOOK_FILE=$scratch/webhook "$examples/webhook" receiptmill-backup.service
grep -qF 'receiptmill-backup.service failed' message || fail "no second message"

# Nights that could not begin have no row in the database: another program holds its lock, or its folder is read-only.
rm spool/* mill.sqlite* && cp "$samples/receipts-001.jsonl.gz" spool/
"$mill" run night.yaml
# refused FAULT: checks what is sent after a night that could not begin.
refused() {
    "$mill" run night.yaml --log-format text 2> log && fail "a night began all the same: $1"
    RECEIPTMILL_MAIL_TO=operator@example.com "$examples/mail" receiptmill.service
    RECEIPTMILL_WEBHOOK_FILE=$scratch/webhook "$examples/webhook" receiptmill.service
    expect mail "$1"
    expect message "$1"
}
python3 - > locked <<'END' &
import sqlite3, time
database = sqlite3.connect("mill.sqlite", isolation_level=None)
database.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
time.sleep(600)
END
locker=$!
while [ ! -s locked ]; do kill -0 "$locker" || fail "no lock"; sleep 0.05; done
refused 'database is locked'
kill "$locker"
wait "$locker" || locker=
"$mill" run night.yaml
"$mill" status --pipeline night.yaml > screen || fail "a success does not end it: $(cat screen)"
mkdir mill.sqlite-lock
refused 'no file of a run'
rmdir mill.sqlite-lock

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
