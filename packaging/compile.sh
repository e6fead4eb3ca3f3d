#!/usr/bin/env bash
# Compiles the program and libreceiptmill as `make build` and `make library` do, in .build, which all tasks share, and says
# first how long that will take.
#
#   compile.sh WHAT SECONDS    WHAT is made of them afterwards, which takes about SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."

# Measured on an AMD EPYC: 7 minutes of CPU time. A module waits for those that it imports, so that two cores are not
# twice as fast as one, and more than four hardly help.
cores=$(nproc)
minutes=$((cores > 3 ? 3 : cores > 1 ? 4 : 8))
program=.build/release/receiptmill
library=.build/release/libreceiptmill.so
if [ ! -x "$program" ]; then
    compiling="compiling the release takes about $minutes minutes on $cores cores"
elif [ -n "$(find Sources sql Package.swift -type f -newer "$program" -print -quit)" ]; then
    compiling="compiling what has changed takes $minutes minutes on $cores cores at most"
elif [ ! -f "$library" ] || [ "$program" -nt "$library" ]; then
    compiling="the program is compiled, the library takes about a minute"
else
    compiling="nothing to compile"
fi
echo "$1: $compiling, the rest about $2 seconds"
started=$SECONDS
# SwiftPM mixes errors into its progress output.
packaging/told.sh "$1: compiling" make build library
echo "$1: compiled in $((SECONDS - started)) s"
