#!/usr/bin/env bash
# Tests a libreceiptmill.so in C, in the shell of SQLite, and in Python. The argument is the library.
set -euo pipefail
cd "$(dirname "$0")/../.."
library=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
include=Sources/CReceiptMill/include

fail() {
    echo "$*" >&2
    exit 1
}

# The header is C and C++; nothing but the interface is visible, and Swift's runtime is inside.
clang -std=c11 -Wall -Wextra -Werror -pedantic -I"$include" Tests/Library/library.c "$library" -lpthread \
    -Wl,-rpath,"$(dirname "$library")" -o "$scratch/library"
clang -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only "$include/receiptmill.h"
foreign=$(nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | grep -v '^receiptmill_' | grep -vx sqlite3_extension_init || true)
[ -z "$foreign" ] || fail "the library shows $foreign"
declared=$(grep -oE '\breceiptmill_[a-z_]+\(' "$include/receiptmill.h" | tr -d '(' | sort -u)
for name in $declared; do
    nm -D --defined-only "$library" | grep -q " T $name\$" || fail "the library lacks $name"
done
! ldd "$library" | grep -qiE 'swift|foundation' || fail "the library needs Swift: $(ldd "$library")"

corpus=${RECEIPTMILL_CORPUS:-Tests/RealReceipts}
mapfile -t receipts < <(find "$corpus" -name '*.b64' | sort)
mapfile -t strings < <(find "$corpus/../corpus-jws" -name '*.jws' 2> /dev/null | sort)
[ "${#strings[@]}" -gt 0 ] || echo "!! no corpus-jws beside $corpus: published signed strings are NOT TESTED !!" >&2
env -i "$scratch/library" "${receipts[@]}" "${strings[@]}" > "$scratch/verdicts"
RECEIPTMILL_LIBRARY=$library /usr/bin/python3 Tests/Library/test_library.py "$scratch/verdicts" \
    "${receipts[@]}" "${strings[@]}"
