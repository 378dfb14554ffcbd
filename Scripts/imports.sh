#!/bin/sh
# Checks which modules from outside the package each module imports. Dependencies inside the package are in Package.swift,
# and the build checks those (--explicit-target-dependency-import-check error).
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
            echo "imports: $module must not import this: $3" >&2
            failed=1
        fi
    done
}

# YabbiFoundation and AppleHost are for apps that have Foundation; nothing depends on them. YabbiAds imports
# URLSessionTransport on Apple's systems, whose apps all have it.
everything=$(ls Sources | grep -vE '^(AppleHost|YabbiFoundation|URLSessionTransport)$')
refuse $everything -- 'AppleHost|YabbiFoundation|Foundation|FoundationNetworking|FoundationXML' 'libraries must not depend on all of Foundation'
refuse $(echo "$everything" | grep -v '^YabbiAds$') -- 'URLSessionTransport' 'libraries must not depend on all of Foundation'
refuse AdCore AdProviders OpenRTB WebSocketCodec -- 'FoundationEssentials|Dispatch|Synchronization|Glibc|Musl|Darwin|LibC' \
    'it must not depend on a platform'
# Markup is scanned with the C library's memchr, and uses nothing else of it; bundles read folders with it.
refuse AdMarkup AdHTML AdLint AdBundle -- 'FoundationEssentials|Dispatch|Synchronization' 'it must not depend on a platform'
refuse AdCore AdProviders AdMarkup AdHTML AdLint OpenRTB WebSocketCodec -- 'SystemSupport' 'it decides in values, and must not depend on locks and threads'
# Browser engines are behind WebStage's protocol.
refuse WebStage -- 'FoundationEssentials|Dispatch|Synchronization|Glibc|Musl|Darwin|LibC|EngineSupport|ChromiumStage|WebKitStage' \
    'it must not depend on an engine or a platform'
exit $failed
