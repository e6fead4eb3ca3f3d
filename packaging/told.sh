#!/usr/bin/env bash
# Runs a command and hides its output, but shows the last lines of it if the command fails.
#
#   told.sh WHAT COMMAND…    WHAT names the work in the message of a failure
set -euo pipefail
what=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
"$@" > "$log" 2>&1 || status=$?
[ "$status" = 0 ] || { tail -n 40 "$log" >&2; echo "$what failed with status $status" >&2; }
exit "$status"
