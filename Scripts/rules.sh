#!/bin/sh
# Writes docs/LINT.md, the catalogue of lint's rules, from the rules themselves. A test holds the page to them.
set -eu
cd "$(dirname "$0")/.."
mkdir -p docs
swift run yabbi-play lint --rules --markdown > docs/LINT.md.new
mv docs/LINT.md.new docs/LINT.md
