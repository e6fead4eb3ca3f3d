#!/usr/bin/env bash
# Loads onto a disk that is full before the end, adds disk space, goes on, and
# compares with a load that had enough: a tmpfs of several sizes. Needs root.
#
#   Tests/Faults/full-disk.sh MILL      SIZES="1 2 4 6" (MiB)
#
# MINTED=FOLDER takes archives that were minted before, with their root.pem.
set -euo pipefail
cd "$(dirname "$0")/../.."
mill=$1
mint=${MINT:-$(dirname "$mill")/receiptmint}
scratch=$(mktemp -d)
disk="$scratch/disk"
mkdir "$disk"
unmount() { if mountpoint -q "$disk"; then umount "$disk"; fi; }
trap 'unmount; rm -rf "$scratch"' EXIT

fail() {
    echo "$*" >&2
    exit 1
}

if ! mount -t tmpfs -o size=1m none "$disk" 2> /dev/null; then
    echo "!! no tmpfs can be mounted here: the full disk is NOT TESTED !!" >&2
    exit 0
fi
unmount

minted=${MINTED:-$scratch/minted}
[ -n "${MINTED:-}" ] || "$mint" --output "$minted" --count "${LINES:-5000}" --archives 2 --seed 20 > /dev/null
ingest() {
    "$mill" ingest "$minted"/*.jsonl.gz --trust "$minted/root.pem" --database "$1" --quiet "${@:2}"
}
ingest "$scratch/whole.sqlite"
Tests/Faults/content.sh "$scratch/whole.sqlite" > "$scratch/whole"

full=0
for size in ${SIZES:-1 2 4 6}; do
    mount -t tmpfs -o "size=${size}m" none "$disk"
    status=0
    ingest "$disk/mill.sqlite" 2> "$scratch/errors" || status=$?
    case $status in
        0 | 73) ;;
        74) [ "$size" = 1 ] || grep -q "not enough disk space" "$scratch/errors" || fail "$size MiB: $(cat "$scratch/errors")" ;;
        *) fail "$size MiB: exit status $status: $(cat "$scratch/errors")" ;;
    esac
    rm -f "$disk"/mill.sqlite*
    status=0
    ingest "$disk/mill.sqlite" --no-preflight 2> "$scratch/errors" || status=$?
    case $status in
        0) ;;
        73 | 74) full=$((full + 1)) ;;
        *) fail "$size MiB: exit status $status: $(cat "$scratch/errors")" ;;
    esac
    mount -o remount,size=256m "$disk"
    ingest "$disk/mill.sqlite" || fail "$size MiB, then disk space: exit status $?"
    Tests/Faults/content.sh "$disk/mill.sqlite" | diff - "$scratch/whole" > "$scratch/differences" || fail "$size MiB: other rows: $(head -n 4 "$scratch/differences")"
    unmount
done
[ "$full" -gt 0 ] || fail "no disk was full: give smaller SIZES"
echo "$full disks were full; all hold the same once there was disk space"
