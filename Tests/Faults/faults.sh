#!/usr/bin/env bash
# Loads a few lines with a fault at every write to the database, one load for
# each write and each kind of fault, goes on without fault, and compares with a
# load that met none. See failing-writes.c for the kinds.
#
#   Tests/Faults/faults.sh MILL [KIND…]      with STEP=8, every eighth write; with FIRST=3, from the third
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$1
shift
kinds=${*:-full error kill torn}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"${CC:-cc}" -O2 -Wall -Werror -shared -fPIC Tests/Faults/failing-writes.c -o "$scratch/failing-writes.so" -ldl
gzip -dc data-samples/receipts-001.jsonl.gz > "$scratch/lines"
head -n 3 "$scratch/lines" | gzip > "$scratch/a.gz"
sed -n '21,23p' "$scratch/lines" | gzip > "$scratch/b.gz"

ingest() { "$mill" ingest "$scratch"/[ab].gz --trust data-samples/root.pem --database "$1" --jobs 1 --quiet; }

fail() {
    echo "$*" >&2
    exit 1
}

# One load of the archives, with a fault at a write.
faulty() {
    LD_PRELOAD="$scratch/failing-writes.so" FAULT_PATH="$1" FAULT_KIND=$2 FAULT_AT=$3 FAULT_COUNT="$1-count" \
        ingest "$1" 2> "$1-errors"
}

faulty "$scratch/whole.sqlite" count 0
writes=$(cat "$scratch/whole.sqlite-count")
Tests/Faults/content.sh "$scratch/whole.sqlite" > "$scratch/whole"
[ -s "$scratch/whole" ] || fail "nothing was loaded"

# A fault of one kind at every write.
faults_of() {
    local kind=$1 database=$scratch/$1.sqlite loads=0 failed=0 at status
    for ((at = ${FIRST:-1}; at <= writes; at += ${STEP:-1})); do
        rm -f "$database"*
        status=0
        faulty "$database" "$kind" "$at" || status=$?
        case $kind:$status in
            *:0) ;; # SQLite can do without the write: the log is kept instead of emptied.
            full:7[34] | error:7[34] | kill:137 | torn:137) failed=$((failed + 1)) ;;
            *) fail "$kind at write $at: exit status $status: $(cat "$database-errors")" ;;
        esac
        ingest "$database" 2> "$database-errors" || fail "$kind at write $at, then: $(cat "$database-errors")"
        Tests/Faults/content.sh "$database" | cmp - "$scratch/whole" || fail "$kind at write $at: other rows"
        loads=$((loads + 1))
    done
    [ "$failed" -gt 0 ] || fail "$kind: no load failed"
    echo "$kind: $loads loads of $writes writes each, $failed ended by the fault; all hold the same"
}

running=() status=0
for kind in $kinds; do
    faults_of "$kind" &
    running+=($!)
done
for kind in "${running[@]}"; do wait "$kind" || status=1; done
exit "$status"
