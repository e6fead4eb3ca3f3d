#!/usr/bin/env bash
# Loads small archives in a random order, 200 times: by one, two or three, some killed,
# some that leave facts to the next, some lines rejected first and read by retry; between
# them archives are retracted and verdicts worked out again, and beside them reports keep
# facts, of which some are killed, too. Facts must be what their definitions give (check)
# after each tenth step, and behind the last.
#
#   Tests/Faults/facts.sh MILL      LOADS=60 LINES=12000 SEED=7
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$1
loads=${LOADS:-200}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
RANDOM=${SEED:-$$}
echo "seed ${SEED:-$$}"

fail() {
    echo "$*" >&2
    exit 1
}

minted=$scratch/minted database=$scratch/facts.sqlite
"$mill" mint --output "$minted" --count "${LINES:-12000}" --archives 150 --signed 0.4 --seed 21 > /dev/null
mapfile -t archives < <(printf '%s\n' "$minted"/*.jsonl.gz | shuf --random-source=<(yes "$RANDOM"))

mill() {
    local status=0
    "$mill" "$@" --database "$database" --quiet > /dev/null 2> "$scratch/errors" || status=$?
    [ "$status" = 0 ] || fail "$*: exit status $status: $(cat "$scratch/errors")"
}
ingest() { mill ingest "$@" --trust "$minted/root.pem" --keep-receipts --max-rejected 1; }

# A report that keeps facts which loads leave to it, beside the next step; killed in the midst of it, or waited for.
reports=(customer-value storefronts offers entitled refund-owners receipts-to-refresh storekit-migration subscription-churn)
ask() {
    "$mill" report "${reports[RANDOM % ${#reports[@]}]}" --database "$database" --format csv > /dev/null \
        2> "$scratch/report-errors" || [ $? = 137 ] || cp "$scratch/report-errors" "$scratch/report-failed"
}

killed=0 next=0
ingest "${archives[@]:0:40}"
for ((load = 1; load <= loads; load++)); do
    next=$(((next + 1) % ${#archives[@]}))
    some=("${archives[@]:next:1 + RANDOM % 3}")
    ask 2> /dev/null &
    asked=$!
    [ $((RANDOM % 3)) = 0 ] || wait "$asked"
    case $((RANDOM % 12)) in
        0 | 1) ingest "${some[@]}" --no-facts ;;
        2 | 3)
            # All in one process, so that the kill meets it, in the load or in the facts behind it.
            "$mill" ingest "${some[@]}" --trust "$minted/root.pem" --keep-receipts --max-rejected 1 \
                --database "$database" --quiet > /dev/null 2>&1 &
            sleep "0.$((RANDOM % 5))$((RANDOM % 10))"
            ! kill -KILL $! 2> /dev/null || killed=$((killed + 1))
            { wait $! || true; } 2> /dev/null
            ;;
        4)
            ingest "${some[0]}" --receipt-key elsewhere
            mill retry "${some[0]}" --trust "$minted/root.pem" --keep-receipts
            ;;
        5)
            ingest "${some[0]}"
            mill retract "${some[0]}"
            ;;
        6) mill regrade --trust "$minted/root.pem" ;;
        *) ingest "${some[@]}" ;;
    esac
    [ $((RANDOM % 4)) != 0 ] || pkill -KILL -P "$asked" || true
    wait "$asked"
    [ ! -e "$scratch/report-failed" ] || fail "a report failed: $(cat "$scratch/report-failed")"
    [ $((load % 10)) != 0 ] || mill check
done
ingest "${archives[@]}"
mill check
echo "$loads steps, $killed kills: facts are what their definitions give"
