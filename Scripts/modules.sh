#!/bin/sh
# Prints how a compiler that knows nothing of this package finds its modules once they are built: flags that swiftc and
# swift-symbolgraph-extract take, for a call in the package's folder.
set -eu
cd "$(dirname "$0")/.."
[ -d .build/debug/Modules ] || { echo "modules: nothing is built; swift build builds it" >&2; exit 1; }
flags="-I .build/debug/Modules"
for map in Sources/*/module.modulemap; do flags="$flags -I ${map%/*}"; done
libxml2=$(pkg-config --cflags-only-I libxml-2.0)
echo "$flags $libxml2"
