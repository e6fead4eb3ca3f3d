#!/usr/bin/env bash
# Links the program and the library of .build/release for machines of which nothing is known but the C library: into
# FOLDER/bin/receiptmill, FOLDER/lib/libreceiptmill.so and, where the program was built with ISA-L, FOLDER/lib/receiptmill.
#
#   standalone.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."

STANDALONE=1 packaging/program.sh "$1/bin/receiptmill"
STANDALONE=1 SKIP_BUILD=1 packaging/library.sh "$1/lib/libreceiptmill.so"
isal=$(ldd "$1/bin/receiptmill" | sed -n 's/.*libisal[^ ]* => \([^ ]*\) .*/\1/p')
[ -z "$isal" ] || install -D -m 0644 "$isal" "$1/lib/receiptmill/${isal##*/}"
