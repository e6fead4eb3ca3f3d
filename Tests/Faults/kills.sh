#!/usr/bin/env bash
# Kills loads of 20,000 lines at random instants, 200 times, goes on each time,
# and compares every view's rows with those of one load that was left alone. Every
# other load goes into a database of two archives.
#
#   Tests/Faults/kills.sh MILL      KILLS=20 LINES=100000 SIGNAL=TERM SEED=7
#
# A load commits every 1,000 lines (WINDOW=1000), so that it is killed between two commits.
# MINTED=FOLDER takes archives that were minted before, with their root.pem.
# Of every four databases, the first is loaded with models, and a kill comes at any time up to what
# such a load takes. A kill within the models undoes all of them, so that a load that is always
# killed early never ends. The other three are therefore loaded without models; kills come within
# a half, a third and a quarter of the time that takes, some times or some tens of times.
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$1
mint=${MINT:-$(dirname "$mill")/receiptmint}
kills=${KILLS:-200} signal=${SIGNAL:-KILL}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
RANDOM=${SEED:-$$}
echo "seed ${SEED:-$$}"

fail() {
    echo "$*" >&2
    exit 1
}

minted=${MINTED:-$scratch/minted}
[ -n "${MINTED:-}" ] || "$mint" --output "$minted" --count "${LINES:-20000}" --archives 5 --seed 20 > /dev/null
archives=("$minted"/*.jsonl.gz)
window=${WINDOW:-1000}
# Loads archives into a database, with the options that are given.
ingest() {
    exec "$mill" ingest "${archives[@]}" --trust "$minted/root.pem" --database "$1" --window "$window" "${@:2}" > /dev/null
}

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

started=$(milliseconds)
(ingest "$scratch/whole.sqlite" --no-refresh) 2> "$scratch/errors"
loading=$(($(milliseconds) - started))
(ingest "$scratch/whole.sqlite") 2> "$scratch/errors"
whole=$(($(milliseconds) - started))
Tests/Faults/content.sh "$scratch/whole.sqlite" > "$scratch/whole"
echo "a load left alone takes $loading ms, with models $whole ms"

killed=0 loads=0 resumed=0
while [ "$killed" -lt "$kills" ]; do
    # One database: killed again and again until a load reaches its end.
    database="$scratch/killed.sqlite"
    rm -f "$database"*
    case $((loads % 4)) in
        0) options=() longest=$whole ;;
        *) options=(--no-refresh) longest=$((loading / (loads % 4 + 1))) ;;
    esac
    # Every other one stands with its indices before, as a night finds it.
    [ $((loads % 2)) = 0 ] || (archives=("${archives[@]:0:2}"); ingest "$database") 2> "$scratch/errors"
    while :; do
        (ingest "$database" "${options[@]}") 2> "$scratch/errors" &
        process=$!
        delay=$((RANDOM * longest / 32768))
        sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
        if [ "$killed" -lt "$kills" ] && kill -"$signal" "$process" 2> /dev/null; then
            status=0
            # The shell would print a message for every kill.
            { wait "$process" || status=$?; } 2> /dev/null
            ! grep -q "going on after line" "$scratch/errors" || resumed=$((resumed + 1))
            case $signal:$status in
                KILL:137 | TERM:75) killed=$((killed + 1)) ;;
                # It was at its end already, or not yet listening.
                *:0 | TERM:143) ;;
                *) fail "exit status $status: $(cat "$scratch/errors")" ;;
            esac
            [ "$status" = 0 ] && break
        else
            wait "$process" || fail "exit status $?: $(cat "$scratch/errors")"
            break
        fi
    done
    loads=$((loads + 1))
    (ingest "$database") 2> "$scratch/errors" || fail "a load that came to its end can't be repeated"
    Tests/Faults/content.sh "$database" | cmp - "$scratch/whole" || fail "after $killed kills: other rows"
    "$mill" check --database "$database" --quiet || fail "the database is damaged, or breaks a promise"
    echo "load $loads: killed $killed times so far, the same rows"
done
[ "$resumed" -gt 0 ] || [ "$killed" -lt 20 ] || fail "no load was killed within an archive that an earlier one had begun"
echo "$killed SIG$signal in $loads loads, $resumed of them behind part of an archive; all hold the same"
