#!/bin/sh
# Writes docs/LINT.md, the catalogue of lint rules. A test compares it with the rules.
set -eu
cd "$(dirname "$0")/.."
mkdir -p docs
swift run yabbi-play lint --rules --markdown > docs/LINT.md.new
mv docs/LINT.md.new docs/LINT.md
