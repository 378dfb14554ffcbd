#!/bin/sh
# Counts the public symbols that `import YabbiAds` makes visible: its own, and those of the types in Exports.swift. Needs a
# debug build.
#
#   Scripts/surface.sh [list]
#
# Prints "SYMBOLS TYPES"; with `list`, each type with its number of symbols.
set -eu
cd "$(dirname "$0")/.."
exports=Sources/YabbiAds/Exports.swift
flags=$(Scripts/modules.sh)
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^@_exported public import [a-z]* \([A-Za-z]*\)\.\([A-Za-z]*\)$/\1 \2/p' "$exports" > "$work/types"
for module in YabbiAds $(cut -d' ' -f1 "$work/types" | sort -u); do
    mkdir -p "$work/$module"
    # shellcheck disable=SC2086
    swift-symbolgraph-extract -module-name "$module" -target "$target" $flags -minimum-access-level public \
        -skip-synthesized-members -emit-extension-block-symbols -pretty-print -output-dir "$work/$module"
    cat "$work/$module"/*.json | awk -f Scripts/docs/symbols.awk | sed "s/^/$module /" >> "$work/symbols"
done
# A symbol counts if its module is the umbrella, or if its outermost type is re-exported.
awk 'NR == FNR { wanted[$1 " " $2] = 1; next }
    { split($2, path, "."); type = $1 " " path[1]; if ($1 == "YabbiAds" || type in wanted) count[type]++ }
    END { for (type in count) print count[type], type }' "$work/types" "$work/symbols" | sort -k1,1nr -k2 > "$work/counts"
[ "${1:-}" != list ] || cat "$work/counts"
awk '{ symbols += $1; types++ } END { print symbols, types }' "$work/counts"
