#!/bin/sh
# Holds each module to what it may import from outside the package. What it may import from inside is in Package.swift,
# and the build refuses the rest (--explicit-target-dependency-import-check error).
set -eu
cd "$(dirname "$0")/.."
failed=0

# refuse MODULE... -- PATTERN WHY
refuse() {
    modules=
    while [ "$1" != -- ]; do
        modules="$modules $1"
        shift
    done
    for module in $modules; do
        [ -d "Sources/$module" ] || continue
        pattern="^ *((public|package|internal|@[a-z_A-Z]+) +)*import +($2)( |\$|\.)"
        if grep -rnE "$pattern" "Sources/$module" --include='*.swift'; then
            echo "imports: $module must not import that: $3" >&2
            failed=1
        fi
    done
}

everything=$(ls Sources)
refuse $everything -- 'Foundation|FoundationNetworking|FoundationXML' 'no library code depends on all of Foundation'
refuse AdCore AdProviders OpenRTB WebSocketCodec -- 'FoundationEssentials|Dispatch|Synchronization|Glibc|Musl|Darwin|LibC' \
    'it is pure, and knows no platform'
# Scanning markup byte by byte wants the C library's memchr; that is all it may want.
refuse AdMarkup AdHTML AdLint -- 'FoundationEssentials|Dispatch|Synchronization' 'it is pure'
refuse AdCore AdProviders AdMarkup AdHTML AdLint OpenRTB WebSocketCodec -- 'SystemSupport' 'it decides in values, and locks nothing'
# Browser engines are behind a protocol of its own.
refuse WebStage -- 'FoundationEssentials|Dispatch|Synchronization|Glibc|Musl|Darwin|LibC|ChromiumStage' \
    'it knows no engine and no platform'
exit $failed
