#!/bin/sh
# Writes docs/LINT.md, the catalogue of lint rules, and the table of measures in docs/SCAN.md. Tests compare both with
# the code.
set -eu
cd "$(dirname "$0")/.."
mkdir -p docs
# The flags of the Makefile, so that nothing is built anew.
flags="--explicit-target-dependency-import-check error -Xswiftc -gnone"
# shellcheck disable=SC2086
swift run $flags yabbi-play lint --rules --markdown > docs/LINT.md.new
mv docs/LINT.md.new docs/LINT.md
{
    sed '/^## Measures$/q' docs/SCAN.md
    echo
    # shellcheck disable=SC2086
    swift run $flags yabbi-play scan --measures --markdown
} > docs/SCAN.md.new
mv docs/SCAN.md.new docs/SCAN.md
