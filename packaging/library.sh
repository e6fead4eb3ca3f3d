#!/usr/bin/env bash
# Links libreceiptmill.so: the C interface of Sources/CReceiptMill/include/receiptmill.h and the extension of SQLite,
# with Swift's runtime inside, so that who loads the library needs no Swift. The argument is the file to write; the
# second one, release unless stated, is the configuration.
#
# OpenSSL is the machine's, which gets its security updates, unless STANDALONE=1 asks for a library that needs nothing
# but the C library, as packages for many machines do. BUILD is the folder to build in, .build unless stated;
# SKIP_BUILD=1 links what was built there. SONAME is the name by which linked programs ask for the library,
# libreceiptmill.so unless stated.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${BUILD:-.build}
library=${1:-$build/release/libreceiptmill.so}
configuration=${2:-release}
standalone=${STANDALONE:-}
built=$build/$configuration
# archive NAME: the path of a static library, or nothing.
archive() {
    local found
    found=$(clang -print-file-name="lib$1.a")
    [ ! -f "$found" ] || echo "$found"
}
traits=$(pkg-config --exists libisal && echo --traits ISAL || true)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# shellcheck disable=SC2086 # none, or an option and its value
[ -n "${SKIP_BUILD:-}" ] ||
    swift build -c "$configuration" --static-swift-stdlib $traits --scratch-path "$build" --product ReceiptMillC ${QUIET:-} >&2

# ICU's tables of languages and calendars are 34 MB, more than all the rest. Foundation refers to them, but verifying
# formats nothing for people; an empty table in their place is one that ICU refuses where anything asks.
runtime=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift_static/linux
tables=$(nm "$runtime/lib_FoundationICU.a" 2> /dev/null | grep -o 'icudt[0-9]*_dat' | head -n 1 || true)
echo "const char ${tables:-receiptmill_no_tables}[64] __attribute__((aligned(16))) = {0};" > "$scratch/tables.c"
# The reader of archives comes along with the reader of lines, though the library opens no archive: ISA-L, of which Debian
# has no archive to link, is replaced by functions that end with its error for a wrong header.
cat > "$scratch/isal.c" <<'END'
void isal_inflate_init(void *state) { (void)state; }
void isal_inflate_reset(void *state) { (void)state; }
int isal_inflate(void *state) { (void)state; return -4; }
END
for name in tables isal; do clang -c -fPIC "$scratch/$name.c" -o "$scratch/$name.o"; done

# The linker looks for libraries in this folder first, and takes archives where it has no other.
for name in ${standalone:+z crypto stdc++}; do
    found=$(archive "$name")
    [ -z "$found" ] || ln -s "$found" "$scratch/"
done
ar rcs "$scratch/libisal.a" "$scratch/isal.o"

# All other symbols are hidden, so that the library and a Swift program that loads it each have a runtime of their own.
cat > "$scratch/symbols" <<'END'
{ global: receiptmill_*; sqlite3_extension_init; local: *; };
END

# - The archive's objects are linked one by one, because the compiler then links the libraries that they name.
# - nodelete: SQLite unloads its extensions, and a Swift runtime can't be unloaded.
# - now: no address of a function stays writable while the library is used.
# - defs: a symbol that no library has is an error here, and not where the library is loaded.
swiftc -emit-library -static-stdlib -o "$scratch/libreceiptmill.so" \
    @"$built/ReceiptMillC.product/Objects.LinkFileList" "$scratch/tables.o" \
    -l_FoundationCollections -l_FoundationCShims -l_FoundationICU \
    -L"$scratch" -lz -lcrypto ${standalone:+-Xclang-linker -static-libgcc} \
    -Xlinker --version-script="$scratch/symbols" -Xlinker -soname -Xlinker "${SONAME:-libreceiptmill.so}" \
    -Xlinker -z -Xlinker nodelete -Xlinker -z -Xlinker now -Xlinker -z -Xlinker defs -Xlinker --gc-sections > "$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    exit 1
}
[ "$configuration" = debug ] || strip --strip-unneeded "$scratch/libreceiptmill.so"
mkdir -p "$(dirname "$library")"
mv "$scratch/libreceiptmill.so" "$library"
echo "$library: $(stat -c %s "$library") bytes" >&2
