#!/usr/bin/env bash
# Loads while twenty readers run reports one after another, and compares with a
# load that has the machine to itself: no reader may fail, and the loader may not
# take a fifth more CPU time. By the clock it takes as long as the readers leave it
# of the cores, which is printed and not checked.
#
#   Tests/Faults/readers.sh MILL      READERS=20 LINES=40000
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$1
mint=${MINT:-$(dirname "$mill")/receiptmint}
readers=${READERS:-20}
scratch=$(mktemp -d)
stop() {
    touch "$scratch/loaded"
    wait
    rm -rf "$scratch"
}
trap stop EXIT

fail() {
    echo "$*" >&2
    exit 1
}

"$mint" --output "$scratch/minted" --count "${LINES:-40000}" --archives 4 --seed 20 > /dev/null
archives=("$scratch"/minted/*.jsonl.gz)

# Loads into a database that holds the first archive; prints milliseconds, of CPU
# time and by the clock.
load() {
    local times
    times=$({ TIMEFORMAT='%U %S %R'; time "$mill" ingest "${archives[@]}" --trust "$scratch/minted/root.pem" \
        --database "$1" --quiet; } 2>&1) || fail "the load failed: $times"
    awk '{ printf "%d %d\n", ($1 + $2) * 1000, $3 * 1000 }' <<< "$times"
}

reader() {
    local reports=(refunds freemium-migration customer-value active-subscriptions archive-loads fraud-signals) count=0
    while [ ! -e "$scratch/loaded" ]; do
        "$mill" report "${reports[$(((count + $1) % ${#reports[@]}))]}" --database "$scratch/read.sqlite" \
            --format csv > /dev/null 2> "$scratch/reader-$1.errors" ||
            { cp "$scratch/reader-$1.errors" "$scratch/failed-$1"; return; }
        count=$((count + 1))
    done
    echo "$count" > "$scratch/reader-$1.count"
}

for database in alone read; do
    "$mill" ingest "${archives[0]}" --trust "$scratch/minted/root.pem" --database "$scratch/$database.sqlite" --quiet
done
times=$(load "$scratch/alone.sqlite")
read -r alone alone_clock <<< "$times"
for ((number = 0; number < readers; number++)); do reader "$number" & done
times=$(load "$scratch/read.sqlite")
read -r beside beside_clock <<< "$times"
touch "$scratch/loaded"
wait
for failed in "$scratch"/failed-*; do
    [ ! -e "$failed" ] || fail "a reader failed: $(cat "$failed")"
done
read_reports=$(cat "$scratch"/reader-*.count | awk '{ sum += $1 } END { print sum }')
[ "$read_reports" -gt 0 ] || fail "no report was read"
cmp <(Tests/Faults/content.sh "$scratch/alone.sqlite") <(Tests/Faults/content.sh "$scratch/read.sqlite") ||
    fail "the database holds other rows"
echo "$readers readers, $read_reports reports, none failed; loading took $alone ms of CPU alone, $beside beside them;" \
    "by the clock $alone_clock and $beside_clock ms on $(nproc) cores"
[ $((beside * 5)) -lt $((alone * 6)) ] || fail "the loader took a fifth more CPU time, or more"
