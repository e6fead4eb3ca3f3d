#!/usr/bin/env bash
# A year of nights: every night brings an archive of lines that are new and, with
# every month, more lines that earlier nights had. What loading takes, and what it
# adds to the database, have to stay in proportion to what a night brings. Models
# count in neither, because each refresh reads the whole database: at the end of
# each month a copy is refreshed, and the CPU time of that is printed.
#
#   Tests/Faults/year.sh MILL      NIGHTS=365 NEW=200
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$1
mint=${MINT:-$(dirname "$mill")/receiptmint}
nights=${NIGHTS:-365} new=${NEW:-200}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
RANDOM=${SEED:-20}

fail() {
    echo "$*" >&2
    exit 1
}

"$mint" --output "$scratch/minted" --count $((nights * new)) --archives "$nights" --seed 20 > /dev/null
minted=("$scratch"/minted/*.jsonl.gz)
[ "${#minted[@]}" = "$nights" ] || fail "${#minted[@]} archives were minted"
database="$scratch/mill.sqlite"
size=0
for ((night = 1; night <= nights; night++)); do
    # Members of gzip, one behind the other: the night's own, and older ones.
    parts=("${minted[night - 1]}")
    for ((repeat = 0; repeat < night * 10 / nights; repeat++)); do parts+=("${minted[RANDOM % night]}"); done
    cat "${parts[@]}" > "$scratch/night-$night.jsonl.gz"
    times=$({ TIMEFORMAT='%U %S %R'; time "$mill" ingest "$scratch/night-$night.jsonl.gz" --quiet --no-refresh \
        --trust "$scratch/minted/root.pem" --database "$database"; } 2>&1) || fail "night $night failed: $times"
    rm "$scratch/night-$night.jsonl.gz"
    before=$size
    size=$(stat --format=%s "$database")
    models=0
    if ((night * 12 / nights > (night - 1) * 12 / nights)); then
        cp "$database" "$scratch/copy.sqlite"
        models=$({ TIMEFORMAT='%U'; time "$mill" refresh --quiet --database "$scratch/copy.sqlite"; } 2>&1) ||
            fail "the models of night $night failed: $models"
    fi
    echo "$night ${#parts[@]} $((size - before)) $times $models"
done > "$scratch/nights"

# Twelve months of as many nights. The first is left out of the comparison: it
# makes tables and indices.
awk -v nights="$nights" -v new="$new" '
    {
        month = int(($1 - 1) * 12 / nights) + 1
        count[month]++; lines[month] += $2 * new; bytes[month] += $3; cpu[month] += $4 + $5; wall[month] += $6
        models[month] += $7
    }
    END {
        print "month  nights  lines/night  CPU ms/night  wall ms/night  CPU us/line  bytes/line  user CPU s of a refresh"
        for (m = 1; m <= 12; m++)
            printf "%5d  %6d  %11d  %12.0f  %13.0f  %11.1f  %10.0f  %18.1f\n", m, count[m], lines[m] / count[m],
                cpu[m] * 1000 / count[m], wall[m] * 1000 / count[m], cpu[m] * 1e6 / lines[m], bytes[m] / lines[m], models[m]
        # A line that comes again takes less of both than a new one.
        slow = cpu[12] / lines[12] > cpu[2] / lines[2]
        large = bytes[12] / lines[12] > bytes[2] / lines[2]
        if (slow) print "a line of month 12 takes more time than one of month 2"
        if (large) print "a line of month 12 takes more disk space than one of month 2"
        exit slow || large
    }' "$scratch/nights"
