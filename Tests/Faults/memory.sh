#!/usr/bin/env bash
# Loads with too little memory, then with a little more, and so on until a load
# comes to its end, all into one database, and compares with a load that had
# enough. A program that gets no memory ends at once, wherever it is.
#
#   Tests/Faults/memory.sh MILL      LINES=50000 FROM=40 STEP=10 (MiB)
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The runtime's report of a crash would need the memory that there isn't.
export SWIFT_BACKTRACE=enable=no

fail() {
    echo "$*" >&2
    exit 1
}

"$mill" mint --output "$scratch/minted" --count "${LINES:-50000}" --archives 3 --seed 20 > /dev/null
ingest() {
    "$mill" ingest "$scratch"/minted/*.jsonl.gz --trust "$scratch/minted/root.pem" --database "$1" --jobs 1 --quiet
}
lines() {
    [ -e "$1" ] || { echo 0; return; }
    sqlite3 "$1" "SELECT coalesce(sum(lines), 0) FROM archives" 2> /dev/null || echo 0
}
ingest "$scratch/whole.sqlite"
Tests/Faults/content.sh "$scratch/whole.sqlite" > "$scratch/whole"

database="$scratch/starved.sqlite"
failed=0 midway=0
for ((mebibytes = ${FROM:-40}; ; mebibytes += ${STEP:-10})); do
    [ "$mebibytes" -lt 4096 ] || fail "4 GiB are not enough: $(cat "$scratch/errors")"
    status=0
    # The shell would tell of every crash.
    { (ulimit -v $((mebibytes * 1024)) && ingest "$database") 2> "$scratch/errors" || status=$?; } 2> /dev/null
    [ "$status" != 0 ] || break
    failed=$((failed + 1))
    settled=$(lines "$database")
    if [ "$settled" -gt 0 ]; then midway=$((midway + 1)); fi
done
[ "$midway" -gt 0 ] || fail "no load ended midway: give a smaller STEP"
Tests/Faults/content.sh "$database" | cmp - "$scratch/whole" || fail "other rows"
[ "$(sqlite3 "$database" "PRAGMA integrity_check")" = ok ] || fail "the database is damaged"
echo "$failed loads ran out of memory, $midway of them with lines settled; $mebibytes MiB of addresses were enough; all the same"
