#!/bin/sh
# Fuzzes everything that parses foreign input, under the address sanitizer: VAST documents, WebSocket messages, ad
# responses, URLs, messages of a browser, traces, zip files.
#
#   Scripts/fuzz.sh [SECONDS] [TARGET...]
#
# SECONDS are per target, 60 by default. The targets are vast, sockets, responses, addresses, browser, traces and
# bundles; all by default. The input of a crash is kept in .build/fuzz. libFuzzer is part of the Swift toolchain.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
all="vast sockets responses addresses browser traces bundles"
targets=${*:-$all}
work=.build/fuzz
mkdir -p "$work"
libxml2=$(pkg-config --cflags libxml-2.0)
settings="-swift-version 6 -O -wmo -parse-as-library -package-name yabbi -sanitize=fuzzer,address
    -module-cache-path $work/cache
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault -I $work -I Sources/CArchive/include -I Sources/CLibXML2
    -I Sources/CSystem -I Sources/CWebScripts/include
    $(echo "$libxml2" | sed 's/-I/-Xcc -I/g')"
built=

# module NAME [FILE...]: builds one of the package's targets, with more files in it, as an object and a module; once.
module() {
    name=$1
    case " $built " in *" $name "*) return ;; esac
    built="$built $name"
    shift
    # shellcheck disable=SC2046,SC2086
    swiftc $settings -emit-module -emit-module-path "$work/$name.swiftmodule" -emit-object -o "$work/$name.o" \
        -module-name "$name" $(find "Sources/$name" -name '*.swift' | sort) "$@"
}

# program TARGET FILE OBJECT...: links the fuzzer's program; FILE is "-" where it is in one of the objects.
program() {
    target=$1
    file=$2
    shift 2
    objects=
    for name in "$@"; do objects="$objects $work/$name.o"; done
    [ "$file" = - ] && file=$work/empty.swift
    : > "$work/empty.swift"
    # shellcheck disable=SC2086
    swiftc $settings -use-ld=lld "$file" $objects -larchive -lxml2 -o "$work/$target-fuzz"
}

for target in $targets; do
    case $target in
    vast)
        module AdCore
        module LibC
        module AdMarkup
        module AdHTML
        module AdLint
        program vast Fuzz/VASTFuzz.swift AdCore LibC AdMarkup AdHTML AdLint
        ;;
    sockets)
        module WebSocketCodec
        program sockets Fuzz/SocketFuzz.swift WebSocketCodec
        ;;
    responses)
        module AdCore
        module LibC
        module AdMarkup
        module OpenRTB
        module AdProviders
        program responses Fuzz/ResponseFuzz.swift AdCore LibC AdMarkup OpenRTB AdProviders
        ;;
    addresses)
        module AdCore
        module LibC
        module AdMarkup
        program addresses Fuzz/AddressFuzz.swift AdCore LibC AdMarkup
        ;;
    browser)
        module AdCore
        module LibC
        module AdMarkup
        module SystemSupport
        clang -c -I Sources/CWebScripts/include Sources/CWebScripts/CWebScripts.c -o "$work/CWebScripts.o"
        module WebStage
        # The fuzzer takes no pictures.
        echo "enum PackageResources { static let pixels_js: [UInt8] = [] }" > "$work/PackageResources.swift"
        module EngineSupport
        module ChromiumStage Fuzz/BrowserFuzz.swift "$work/PackageResources.swift"
        program browser - AdCore LibC AdMarkup SystemSupport CWebScripts WebStage EngineSupport ChromiumStage
        ;;
    traces)
        module AdCore
        module LibC
        module AdMarkup
        module OpenRTB
        module AdProviders
        module SystemSupport
        module AdTrace
        module AdReplay Fuzz/TraceFuzz.swift
        program traces - AdCore LibC AdMarkup OpenRTB AdProviders SystemSupport AdTrace AdReplay
        ;;
    bundles)
        module AdCore
        module LibC
        module AdBundle
        program bundles Fuzz/BundleFuzz.swift AdCore LibC AdBundle
        ;;
    *)
        echo "fuzz: no target $target; the targets are $all" >&2
        exit 2
        ;;
    esac
    echo "fuzz: $target, $seconds s"
    mkdir -p "$work/corpus/$target"
    seeds=Fuzz/Seeds/$target
    [ "$target" = vast ] && seeds="$seeds Creatives/vast"
    # One input may take ten seconds and two gigabytes; more is a finding.
    # shellcheck disable=SC2086
    "$work/$target-fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
        -print_final_stats=1 -artifact_prefix="$work/$target-" "$work/corpus/$target" $seeds
done
