#!/usr/bin/env bash
# What was done to the database of this fixture: see make-fixture.sh.
#
#     load.sh RECEIPTMILL DATABASE
set -euo pipefail
folder=$(dirname "$0")
for archive in receipts signed; do
    "$1" ingest "$folder/$archive.jsonl.gz" --database "$2" --trust "$folder/roots.pem" \
        --app com.example.lumen.mac:2.0:macos --dead-letters "${2%/*}/letters.jsonl.gz" --quiet
done
