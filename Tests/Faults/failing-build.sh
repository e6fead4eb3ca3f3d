#!/usr/bin/env bash
# Tests that a failed build of a package or a wheel shows why: a make and a pip write a long log and fail, and the last
# lines shown are the end of the log with the error.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
fail() { echo "$*" >&2; exit 1; }

mkdir -p "$scratch/bin" "$scratch/.build/wheel-tools/bin"
cp -r packaging "$scratch/"
cat > "$scratch/bin/make" <<'END'
#!/bin/sh
# The compiler's errors are on standard output.
seq 1000
echo "Sources/Broken.swift:7: error: cannot find 'that' in scope"
echo "make: *** [Makefile:60: build] Error 1" >&2
exit 2
END
cp "$scratch/bin/make" "$scratch/.build/wheel-tools/bin/pip"
chmod +x "$scratch/bin/make" "$scratch/.build/wheel-tools/bin/pip"
# expect COMMAND…: checks that the command fails and that its error is among its last lines.
expect() {
    ! PATH=$scratch/bin:$PATH "$@" > "$scratch/output" 2>&1 || fail "$* is no failure: $(cat "$scratch/output")"
    tail -n 5 "$scratch/output" | grep -qF "error: cannot find 'that' in scope" ||
        fail "$* does not say why: $(tail -n 5 "$scratch/output")"
    [ "$(wc -l < "$scratch/output")" -lt 60 ] || fail "$* writes the whole log"
}
expect "$scratch/packaging/wheel.sh"
expect "$scratch/packaging/compile.sh" package 40
# The program is built already, so only pip fails.
expect env RECEIPTMILL_BINARY=/bin/true "$scratch/packaging/wheel.sh"
echo "a package or a wheel that can't be built says why"
