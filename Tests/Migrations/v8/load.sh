#!/usr/bin/env bash
# What was done to the database of this fixture, so that every table has rows but those of a pseudonym
# key and of receipts without issuers: see make-fixture.sh.
#
#     load.sh RECEIPTMILL DATABASE
set -euo pipefail
mill=$(realpath "$1") database=$(realpath "$2") folder=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
# In no folder of their maker's.
cp "$folder"/*.jsonl.gz "$folder"/*.txt "$folder/roots.pem" "$scratch"
cd "$scratch"
ingest() { "$mill" ingest "$@" --database "$database" --trust roots.pem --quiet; }

# An archive that grows, and one that is taken out again.
gzip -d receipts.jsonl.gz
sed -n '1,4p' receipts.jsonl > growing.jsonl
ingest growing.jsonl
mv receipts.jsonl growing.jsonl
ingest retracted.jsonl.gz
"$mill" retract retracted.jsonl.gz --database "$database" --quiet
rm retracted.jsonl.gz
ingest kept.jsonl.gz --keep-receipts

# A night with all that a pipeline file sets in the database.
cat > night.yaml <<END
database: $database
archives: [{path: "*.jsonl*"}]
trust: {anchors: [roots.pem]}
apps:
  - {bundle: com.example.lumen.mac, platform: macos, first_free_version: "2.0", versions: ["1.0", "2.0"]}
signals: {shared_devices_medium: 2}
fraud: {allow: {accounts: [tester-1], devices: [0A1B2C3D-0000-4000-8000-000000000001]}}
dead_letters: {file: letters.gz}
alarms: {unknown_members: false}
END
"$mill" run night.yaml > /dev/null

# Report files of the store: rows of all tables for them, one that can't be read, and an erased subscriber.
"$mill" store-reports sales.txt subscribers.txt --database "$database" --quiet 2> /dev/null
"$mill" erase --subscriber 80012345001 --database "$database" --quiet

# Decisions on the cases that rank first, by hand and by table, and a person who asks to be erased.
cases() { sqlite3 "$database" "SELECT subject_kind || ':' || subject FROM fraud_cases ORDER BY score DESC, subject LIMIT $1"; }
"$mill" flag $(cases 3) --as confirmed --by Ada --note "all three" --database "$database"
"$mill" flag $(cases 1) --undo --by Ada --database "$database"
person=$(gzip -dc kept.jsonl.gz | sed -n '1s/.*"account_id":"\([^"]*\)".*/\1/p')
"$mill" erase --account "$person" --database "$database" --quiet

# Rates of exchange, of the calendar's last days alone.
printf 'valid_from,currency,into_currency,rate\n2040-12-30,USD,EUR,0.9\n' > rates.csv
"$mill" refresh --rates rates.csv --database "$database" --quiet
