#!/usr/bin/env bash
# Loads with too little memory, then with a little more, and so on until a load
# comes to its end, all into one database, and compares with a load that had
# enough. A program that gets no memory ends at once, wherever it is; but one that
# gets none for a thread waits until it does (libdispatch), and is killed here.
#
#   Tests/Faults/memory.sh MILL      LINES=100000 FROM=80 STEP=20 (MiB) PATIENCE=60
#
# MINTED=FOLDER takes archives that were minted before, with their root.pem.
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$1
mint=${MINT:-$(dirname "$mill")/receiptmint}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The runtime's report of a crash would need the memory that there isn't.
export SWIFT_BACKTRACE=enable=no

fail() {
    echo "$*" >&2
    exit 1
}

minted=${MINTED:-$scratch/minted}
[ -n "${MINTED:-}" ] || "$mint" --output "$minted" --count "${LINES:-100000}" --archives 3 --seed 20 > /dev/null
ingest() {
    timeout --signal KILL "${PATIENCE:-60}" \
        "$mill" ingest "$minted"/*.jsonl.gz --trust "$minted/root.pem" --database "$1" --jobs 1 --quiet
}
lines() {
    [ -e "$1" ] || { echo 0; return; }
    sqlite3 "$1" "SELECT coalesce(sum(lines), 0) FROM archives" 2> /dev/null || echo 0
}
PATIENCE=0 ingest "$scratch/whole.sqlite"
Tests/Faults/content.sh "$scratch/whole.sqlite" > "$scratch/whole"

database="$scratch/starved.sqlite"
failed=0 midway=0
for ((mebibytes = ${FROM:-80}; ; mebibytes += ${STEP:-20})); do
    [ "$mebibytes" -lt 4096 ] || fail "4 GiB are not enough: $(cat "$scratch/errors")"
    status=0
    # The shell would print a message for every crash.
    { (ulimit -v $((mebibytes * 1024)) && ingest "$database") 2> "$scratch/errors" || status=$?; } 2> /dev/null
    [ "$status" != 0 ] || break
    failed=$((failed + 1))
    settled=$(lines "$database")
    if [ "$settled" -gt 0 ]; then midway=$((midway + 1)); fi
done
[ "$midway" -gt 0 ] || fail "no load ended midway: give a smaller STEP"
Tests/Faults/content.sh "$database" | cmp - "$scratch/whole" || fail "other rows"
[ "$(sqlite3 "$database" "PRAGMA integrity_check")" = ok ] || fail "the database is damaged"
echo "$failed loads had too little memory, $midway of them after lines were settled; $mebibytes MiB of addresses were enough; the rows are the same"
