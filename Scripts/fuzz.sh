#!/bin/sh
# Feeds damaged documents to the VAST parser, the wrapper chain and the planner, under the address sanitizer.
#
#   Scripts/fuzz.sh [SECONDS]      60 by default; a crash leaves its input in .build/fuzz
#
# Clang's libFuzzer comes with the toolchain. Nothing is fetched.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
work=.build/fuzz
mkdir -p "$work/corpus"
settings="-swift-version 6 -O -parse-as-library -package-name yabbi -sanitize=fuzzer,address -module-cache-path $work/cache
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault"
xml=$(pkg-config --cflags libxml-2.0 | sed 's/-I/-Xcc -I/g')

# module NAME FLAGS: an object and a module of one of the package's targets.
module() {
    name=$1
    shift
    # shellcheck disable=SC2046,SC2086
    swiftc $settings -wmo -emit-module -emit-module-path "$work/$name.swiftmodule" -emit-object -o "$work/$name.o" \
        -module-name "$name" "$@" $(find "Sources/$name" -name '*.swift' | sort)
}

module AdCore
# shellcheck disable=SC2086
module AdMarkup -I "$work" -I Sources/CLibXML2 $xml
# shellcheck disable=SC2086
swiftc $settings -I "$work" -I Sources/CLibXML2 $xml Fuzz/VASTFuzz.swift "$work/AdCore.o" "$work/AdMarkup.o" \
    -lxml2 -o "$work/vast-fuzz"

# What it may run out of is part of the question: two seconds and a gigabyte for one input.
exec "$work/vast-fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$work/" "$work/corpus" Fuzz/Seeds Creatives/vast
