#!/usr/bin/env bash
# Makes the fixture of a schema: a small database by the binary of the release that
# has it, and the archives that it was loaded from. A fixture that has been released
# is never made again: it is what a database of that release looks like.
#
#     Tests/Migrations/make-fixture.sh RECEIPTMILL v4
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$(realpath "$1") folder=Tests/Migrations/$2

mkdir -p "$folder"
# Some lines of both samples: of all kinds of documents, and rejected ones.
gzip -dc data-samples/receipts-001.jsonl.gz | sed -n 1~7p | gzip -9n > "$folder/receipts.jsonl.gz"
gzip -dc data-samples/signed/receipts-001.jsonl.gz | sed -n 1~7p | gzip -9n > "$folder/signed.jsonl.gz"
cat data-samples/root.pem data-samples/signed/root.pem > "$folder/roots.pem"

scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
for archive in receipts signed; do
    "$mill" ingest "$folder/$archive.jsonl.gz" --database "$scratch/mill.sqlite" --trust "$folder/roots.pem" \
        --app com.example.lumen.mac:2.0:macos --dead-letters "$scratch/letters.jsonl.gz" --quiet
done
sqlite3 "$scratch/mill.sqlite" "PRAGMA journal_mode = DELETE" > /dev/null
gzip -9nc "$scratch/mill.sqlite" > "$folder/mill.sqlite.gz"
ls -l "$folder"
