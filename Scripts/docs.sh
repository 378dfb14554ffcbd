#!/bin/sh
# Builds the documentation of every library product, from what is built, into .build/docs: pages for any static server.
# It fails on every warning of docc, on a public symbol that says nothing of itself, and on a type that its module's
# page leaves out. What stood there stays until the new pages are whole.
set -eu
cd "$(dirname "$0")/.."
# What a module's pages link to is built before them.
modules="AdCore WebSocketCodec OpenRTB AdMarkup AdHTML AdLint AdTrace AdProviders AdRuntime CurlTransport SQLiteLedger
    WebStage ChromiumStage YabbiTesting YabbiAds"
for product in $(sed -n 's/^ *\.library(name: "\([^"]*\)".*/\1/p' Package.swift); do
    case " $(echo $modules) " in
    *" $product "*) ;;
    *)
        echo "docs: $product is a product, and Scripts/docs.sh does not have it" >&2
        exit 1
        ;;
    esac
done
command -v docc >/dev/null || {
    echo "docs: there is no docc on the PATH; it stands beside swift in the toolchain" >&2
    exit 1
}
flags=$(Scripts/modules.sh)
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
work=.build/docc
rm -rf "$work"

failed=
archives=
known=
for module in $modules; do
    catalogue=Sources/$module/$module.docc
    graphs=$work/graphs/$module
    archive=$work/$module.doccarchive
    mkdir -p "$graphs"
    # What is inherited from the standard library is no word of ours.
    # shellcheck disable=SC2086
    swift-symbolgraph-extract -module-name "$module" -target "$target" $flags -minimum-access-level public \
        -skip-synthesized-members -emit-extension-block-symbols -pretty-print -output-dir "$graphs"
    cat "$graphs"/*.json | awk -f Scripts/docs/symbols.awk > "$graphs.list"
    for symbol in $(sed -n 's/ untold$//p' "$graphs.list"); do
        echo "docs: $module.$symbol says nothing of itself" >&2
        failed=yes
    done
    for type in $(sed -n 's/^\([^. ]*\) told$/\1/p' "$graphs.list"); do
        grep -q "^- \`\`$type\`\`\$" "$catalogue/$module.md" || {
            echo "docs: $catalogue/$module.md leaves $type out" >&2
            failed=yes
        }
    done
    # shellcheck disable=SC2086
    docc convert "$catalogue" --additional-symbol-graph-dir "$graphs" --output-path "$archive" \
        --warnings-as-errors --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
        --fallback-default-module-kind Library --enable-experimental-external-link-support $known \
        > "$graphs.log" 2>&1 || failed=yes
    grep -v '^ *$' "$graphs.log" >&2 || true
    [ -d "$archive" ] || continue
    # Those that an app imports come first for whoever reads.
    archives="$archive $archives"
    known="$known --dependency $archive"
done
[ -z "$failed" ] || { echo "docs: mend what is told above" >&2; exit 1; }

# shellcheck disable=SC2086
docc merge $archives --synthesized-landing-page-name yabbi --synthesized-landing-page-topics-style list \
    --output-path "$work/docs"
rm -rf .build/docs
mv "$work/docs" .build/docs
echo "docs: .build/docs; any static server shows it: python3 -m http.server -d .build/docs, then /documentation/"
