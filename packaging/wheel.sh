#!/usr/bin/env bash
# Builds packages/receiptmill-VERSION-py3-none-PLATFORM.whl: the package in python/, the statements of sql/, and the
# program and its library, which packaging/standalone.sh links with all but the C library. RECEIPTMILL_BINARY names a
# program that is built already, RECEIPTMILL_LIBRARY a library for receiptmill.verify.
set -euo pipefail
cd "$(dirname "$0")/.."

out=packages
tools=.build/wheel-tools
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"

if [ -z "${RECEIPTMILL_BINARY:-}" ]; then
    packaging/compile.sh wheel 30
    packaging/standalone.sh "$scratch"
    export RECEIPTMILL_BINARY=$scratch/bin/receiptmill RECEIPTMILL_LIBRARY=${RECEIPTMILL_LIBRARY:-$scratch/lib/libreceiptmill.so}
    # ISA-L, beside which the program looks for no other library.
    RECEIPTMILL_BESIDE=$(ls "$scratch"/lib/receiptmill/* 2> /dev/null || true)
    export RECEIPTMILL_BESIDE
else
    strip -o "$scratch/receiptmill" --remove-section=.comment --remove-section=.note "$RECEIPTMILL_BINARY"
    export RECEIPTMILL_BINARY=$scratch/receiptmill
fi
[ -x "$tools/bin/pip" ] || python3 -m venv "$tools"
rm -f "$out"/receiptmill-*.whl
packaging/told.sh "wheel: pip" "$tools/bin/pip" wheel --disable-pip-version-check --no-deps --wheel-dir "$out" python/
ls -l "$out"/receiptmill-*.whl
objdump -p "$RECEIPTMILL_BINARY" | sed -n 's/^ *NEEDED */needs /p'
