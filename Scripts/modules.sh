#!/bin/sh
# Prints the flags with which swiftc and swift-symbolgraph-extract, called in the package's folder, find the modules of the
# debug build.
set -eu
cd "$(dirname "$0")/.."
[ -d .build/debug/Modules ] || { echo "modules: nothing is built; run swift build" >&2; exit 1; }
flags="-I .build/debug/Modules"
for map in Sources/*/module.modulemap Sources/*/include/module.modulemap; do flags="$flags -I ${map%/*}"; done
libraries=$(pkg-config --cflags-only-I libxml-2.0 libpq)
echo "$flags $libraries"
