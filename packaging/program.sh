#!/usr/bin/env bash
# Links the program of .build/release anew, hardened and stripped, for a package. Nothing is compiled.
#
#   program.sh FILE    where PREFIX/bin/receiptmill will be used
#
# STANDALONE=1 links OpenSSL, SQLite, zlib and libstdc++ into the program, for machines of which nothing is known but the C
# library. Debian has no archive of ISA-L: a program that was built with ISA-L finds the library in PREFIX/lib/receiptmill.
set -euo pipefail
cd "$(dirname "$0")/.."

standalone=${STANDALONE:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The linker looks for libraries in this folder first, and takes archives where it has no other.
for name in ${standalone:+crypto sqlite3 z stdc++}; do
    archive=$(clang -print-file-name="lib$name.a")
    [ -f "$archive" ] || { echo "lib$name.a is missing; in Debian the library's development package brings it" >&2; exit 1; }
    ln -s "$archive" "$scratch/"
done
options=()
[ -z "$standalone" ] || options=(-Xclang-linker -static-libgcc -Xlinker -rpath -Xlinker "\$ORIGIN/../lib/receiptmill")
# SwiftPM's own call, but for these libraries, and `now`: no address of a function stays writable while the program runs.
swiftc -emit-executable -static-stdlib -o "$scratch/receiptmill" @.build/release/receiptmill.product/Objects.LinkFileList \
    -L"$scratch" -lsqlite3 -lz -lcrypto "${options[@]}" -Xlinker -z -Xlinker now -Xlinker --gc-sections \
    -Xlinker --defsym -Xlinker main=receiptmill_main > "$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
strip --remove-section=.comment --remove-section=.note "$scratch/receiptmill"
install -D -m 0755 "$scratch/receiptmill" "$1"
