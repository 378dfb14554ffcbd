#!/bin/sh
# Builds the documentation of every library product from the debug build into .build/docs, for any static server.
# It fails on any warning of docc, on a public symbol without a comment, and on a type that its module's page does not
# list. The previous pages stay until the new ones are complete.
set -eu
cd "$(dirname "$0")/.."
# Modules come after those that their pages link to.
modules="AdCore AdMarkup AdHTML AdLint AdTrace AdProviders AdRuntime CurlTransport URLSessionTransport PostgresLedger
    SQLiteLedger WebStage ChromiumStage WebKitStage AppleStage AppleHost YabbiTesting YabbiAds YabbiFoundation"
for product in $(sed -n 's/^ *\.library(name: "\([^"]*\)".*/\1/p' Package.swift); do
    case " $(echo $modules) " in
    *" $product "*) ;;
    *)
        echo "docs: the product $product is missing in Scripts/docs.sh" >&2
        exit 1
        ;;
    esac
done
command -v docc >/dev/null || {
    echo "docs: docc is not on the PATH; it is next to swift in the toolchain" >&2
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
    # Without what is inherited from the standard library.
    # shellcheck disable=SC2086
    swift-symbolgraph-extract -module-name "$module" -target "$target" $flags -minimum-access-level public \
        -skip-synthesized-members -emit-extension-block-symbols -pretty-print -output-dir "$graphs"
    cat "$graphs"/*.json | awk -f Scripts/docs/symbols.awk > "$graphs.list"
    for symbol in $(sed -n 's/ undocumented$//p' "$graphs.list"); do
        echo "docs: $module.$symbol has no documentation comment" >&2
        failed=yes
    done
    for type in $(sed -n 's/^\([^. ]*\) documented$/\1/p' "$graphs.list"); do
        grep -q "^- \`\`$type\`\`\$" "$catalogue/$module.md" || {
            echo "docs: $catalogue/$module.md does not list $type" >&2
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
    # The modules that an app imports come first on the landing page.
    archives="$archive $archives"
    known="$known --dependency $archive"
done
[ -z "$failed" ] || { echo "docs: fix the problems above" >&2; exit 1; }

# shellcheck disable=SC2086
docc merge $archives --synthesized-landing-page-name yabbi --synthesized-landing-page-topics-style list \
    --output-path "$work/docs"
rm -rf .build/docs
mv "$work/docs" .build/docs
echo "docs: .build/docs; any static server shows it: python3 -m http.server -d .build/docs, then /documentation/"
