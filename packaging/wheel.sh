#!/usr/bin/env bash
# Builds packages/receiptmill-VERSION-py3-none-PLATFORM.whl: the package in python/, the statements of sql/, and the
# program and its library, linked with all but the C library. RECEIPTMILL_BINARY names a program that is built already,
# RECEIPTMILL_LIBRARY a library for receiptmill.verify.
set -euo pipefail
cd "$(dirname "$0")/.."

out=packages
build=.build-wheel
libraries=$PWD/$build/libraries
mkdir -p "$out" "$libraries/pkgconfig"

# archive NAME: the path of a static library, or nothing. The compiler knows where those of C++ are.
archive() {
    local found
    found=$(cc -print-file-name="lib$1.a")
    [ "$found" = "lib$1.a" ] || echo "$found"
}

# library MODULE NAME: has the program linked with a static library where there is one. The linker takes a folder's
# static library where the folder has no other, and SwiftPM takes folders from files of pkg-config.
library() {
    local found
    found=$(archive "$2")
    if [ -n "$found" ]; then
        ln -sf "$found" "$libraries/"
        printf 'Name: %s\nDescription: static\nVersion: %s\nLibs: -L%s -l%s\n' \
            "$1" "$(pkg-config --modversion "$1")" "$libraries" "$2" > "$libraries/pkgconfig/$1.pc"
    else
        echo "!! lib$2.a is absent: the wheel is for machines that have lib$2.so !!" >&2
    fi
}

binary=${RECEIPTMILL_BINARY:-}
if [ -z "$binary" ]; then
    library libcrypto crypto
    library sqlite3 sqlite3
    library zlib z
    ln -sf "$(archive stdc++)" "$libraries/"
    traits=()
    # Debian has no static ISA-L: archives are inflated by zlib there.
    if [ -n "$(archive isal)" ]; then
        library libisal isal
        traits=(--traits ISAL)
    fi
    echo "building the program (eight minutes the first time)" >&2
    pins=$(mktemp)
    cp Package.resolved "$pins"
    PKG_CONFIG_PATH=$libraries/pkgconfig swift build --configuration release --static-swift-stdlib "${traits[@]}" \
        --scratch-path "$build" --product receiptmill --quiet -Xswiftc -Xclang-linker -Xswiftc -static-libgcc >&2
    binary=$build/release/receiptmill
    # By the same build; a source tree without it gives a wheel without verdicts in Python.
    if [ -z "${RECEIPTMILL_LIBRARY:-}" ] && [ -x packaging/library.sh ]; then
        BUILD=$build STANDALONE=1 packaging/library.sh "$build/libreceiptmill.so"
        RECEIPTMILL_LIBRARY=$build/libreceiptmill.so
    fi
    # SwiftPM adds revisions to the file, which are those of a mirror.
    mv "$pins" Package.resolved
fi

stripped=$build/receiptmill
strip -o "$stripped" --remove-section=.comment --remove-section=.note "$binary"
if [ ! -x "$build/python/bin/pip" ]; then
    python3 -m venv "$build/python"
fi
rm -f "$out"/receiptmill-*.whl
RECEIPTMILL_BINARY=$PWD/$stripped RECEIPTMILL_LIBRARY=${RECEIPTMILL_LIBRARY:+$(realpath "$RECEIPTMILL_LIBRARY")} \
    "$build/python/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$out" python/
ls -l "$out"/receiptmill-*.whl "$stripped"
objdump -p "$stripped" | sed -n 's/^ *NEEDED */needs /p'
