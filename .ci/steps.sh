# The functions that .ci/run and .ci/nightly share; both scripts source the file at the root of the
# repository.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mill=$PWD/.build/release/receiptmill
mint=$PWD/.build/release/receiptmint
minted=$scratch/minted
export scratch mill mint minted

step() {
    local started=$SECONDS
    echo "== $1"
    "${@:2}"
    echo "== $1: $((SECONDS - started)) s"
}

fail() {
    echo "$*" >&2
    exit 1
}

# Runs a command and requires its exit status to be the given one.
expect_status() {
    local status=0
    "${@:2}" || status=$?
    [ "$status" = "$1" ] || fail "exit status $status instead of $1: ${*:2}"
}

# Gives the folder of real receipts to tests and tools, or warns that there is none.
real_receipts() {
    if [ -d ../shared/corpus ]; then
        RECEIPTMILL_CORPUS=$(cd ../shared/corpus && pwd)
        export RECEIPTMILL_CORPUS RECEIPTMILL_REQUIRE_CORPUS=1
        echo "with the real receipts of $RECEIPTMILL_CORPUS"
    else
        echo "!! ../shared/corpus is absent: of real receipts, those of Tests/RealReceipts alone are TESTED !!" >&2
    fi
}

# Runs all tests and keeps the summary of swift test. Debug builds are not optimised, so tests that
# run the program as a user does take the release, which is many times as fast.
tests() {
    make build
    RECEIPTMILL_BINARY=$mill make test 2>&1 | tee "$scratch/tests.log"
    test_summary=$(grep -aE 'Test run with [0-9]+ tests' "$scratch/tests.log" | tail -n 1)
    [ -n "$test_summary" ] || fail "swift test printed no summary"
}

# Mints archives with the given number of lines into "$minted", unless an earlier step has done so.
minted_lines() {
    [ -d "$minted" ] || "$mint" --output "$minted" --count "$1" --archives 5 --seed 20 > /dev/null
}

# Checks that a database holds all planted facts, that loading again changes nothing, and that
# damage shows in the exit status. The argument is the number of lines.
load() {
    local archives database="$scratch/mill.sqlite" before
    minted_lines "$1"
    archives=("$minted"/*.jsonl.gz)
    "$mill" ingest "${archives[@]}" --trust "$minted/root.pem" --database "$database"
    differences "$database" "$minted/truth.json"

    [ -z "$(sqlite3 "$database" "PRAGMA foreign_key_check")" ] || fail "a reference leads nowhere"

    before=$(dump_without_runs "$database" | sha256sum)
    "$mill" ingest "${archives[@]}" --trust "$minted/root.pem" --database "$database" --quiet
    [ "$before" = "$(dump_without_runs "$database" | sha256sum)" ] || fail "loading again changed the database"
    "$mill" check --database "$database" --quiet

    head -c 100000 "${archives[0]}" > "$scratch/cut.jsonl.gz"
    expect_status 65 "$mill" ingest "$scratch/cut.jsonl.gz" --trust "$minted/root.pem" \
        --database "$scratch/cut.sqlite" --quiet
    [ "$(sqlite3 "$scratch/cut.sqlite" "SELECT count(*) > 0 FROM submissions")" = 1 ] ||
        fail "nothing was loaded of the lines before the damage"
    expect_status 66 "$mill" ingest "$scratch/absent.gz" --database "$database" --quiet
    expect_status 64 "$mill" ingest --database "$database" 2>/dev/null

    "$mill" decode "${archives[@]}" --trust "$minted/root.pem" |
        "$mill" load - --trust "$minted/root.pem" --database "$scratch/loaded.sqlite" --quiet
    differences "$scratch/loaded.sqlite" "$minted/truth.json"
    "$mill" check --database "$scratch/loaded.sqlite" --quiet
}

# Dumps a database without the history of runs, which no two loads share.
dump_without_runs() { sqlite3 "$1" .dump | grep -v '^INSERT INTO run '; }

# Fails where a database does not show a total of truth.json, and prints these totals.
differences() {
    local found
    found=$(sqlite3 "$1" ".parameter init" ".parameter set :truth \"'$2'\"" \
        ".read .ci/differences-from-truth.sql")
    [ -z "$found" ] || fail "the database is not what was minted (fact|in truth|in database):"$'\n'"$found"
    echo "the database shows every total of truth.json"
}
