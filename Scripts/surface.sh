#!/bin/sh
# Counts the public symbols that `import YabbiAds` makes visible: its own, and those of the types in Exports.swift. Needs a
# debug build.
#
#   Scripts/surface.sh [list]
#
# Prints "SYMBOLS TYPES"; with `list` before it each type with its number of symbols, and each public type that a
# declaration among them uses although it is not exported, with its number of symbols and one such declaration.
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
    cat "$work/$module"/*.json | awk -f Scripts/docs/references.awk | sort -u | sed "s/^/$module /" >> "$work/references"
done
# A symbol counts if its module is the umbrella, or if its outermost type is re-exported.
awk 'NR == FNR { wanted[$1 " " $2] = 1; next }
    { split($2, path, "."); type = $1 " " path[1]; if ($1 == "YabbiAds" || type in wanted) count[type]++ }
    END { for (type in count) print count[type], type }' "$work/types" "$work/symbols" | sort -k1,1nr -k2 > "$work/counts"
if [ "${1:-}" = list ]; then
    cat "$work/counts"
    # The types first, then the declarations that use them.
    sort -k2,2 "$work/references" | awk -v types="$work/types" -v symbols="$work/symbols" '
        BEGIN {
            while ((getline < types) > 0) wanted[$1 " " $2] = 1
            while ((getline < symbols) > 0) { split($2, path, "."); count[$1 " " path[1]]++ }
        }
        { split($2 == "symbol" ? $4 : $3, path, ".") }
        $2 == "symbol" { owner[$3] = $1 " " path[1] }
        $2 == "uses" && ($1 == "YabbiAds" || ($1 " " path[1]) in wanted) {
            type = owner[$4]
            if (type != "" && type !~ /^YabbiAds / && !(type in wanted)) user[type] = $3
        }
        END { for (type in user) print count[type], type, "is not exported; used by", user[type] }
    ' | sort -k1,1n -k2
fi
awk '{ symbols += $1; types++ } END { print symbols, types }' "$work/counts"
