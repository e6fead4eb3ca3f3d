#!/usr/bin/env bash
# Makes the fixture of a schema: a small database by the binary of the release that
# has it, and the archives that it was loaded from. A fixture that has been released
# is never made again: it is what a database of that release looks like, and the SQL
# of its schema is frozen with it.
#
#     Tests/Migrations/make-fixture.sh RECEIPTMILL v8
#
# The folder's load.sh says what is done to the database; write it first. The tests do
# the same with a fresh one, and compare.
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$(realpath "$1") folder=Tests/Migrations/$2 frozen=Tests/Migrations/frozen.sha256
[ ! -e "$frozen" ] || sha256sum --check --quiet "$frozen"

# Some lines of both samples: of all kinds of documents, and rejected ones.
some() { gzip -dc "data-samples/$1receipts-001.jsonl.gz" | sed -n "$2" | gzip -9n > "$folder/$3.jsonl.gz"; }
some "" 1~7p receipts
some signed/ '1~7p; 23p; 46p; 58p; 103p; 216p; 280p; 290p; 374p; 381p; 387p' signed
some "" '2p; 3p; 5p' kept
some "" '4p; 11p' retracted
cat data-samples/root.pem data-samples/signed/root.pem > "$folder/roots.pem"

scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
"$folder/load.sh" "$mill" "$scratch/mill.sqlite"
sqlite3 "$scratch/mill.sqlite" "PRAGMA journal_mode = DELETE" > /dev/null
gzip -9nc "$scratch/mill.sqlite" > "$folder/mill.sqlite.gz"
find sql/schema sql/migrations -name 'v*.sql' 2> /dev/null | LC_ALL=C sort | xargs sha256sum > "$frozen"
ls -l "$folder"
