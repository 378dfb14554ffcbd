#!/bin/sh
# Checks on Linux what can be checked of Apple's platforms without a Mac. Apple/README.md says what that is, and what not.
#
#   Scripts/check-apple.sh [PLATFORM...]
#
# A platform is ios, macos, tvos or catalyst with a deployment target: ios16, macos13.1. Without one they are those
# of `platforms` in Package.swift. For each of them
# 1. the interfaces of the installed toolchain's standard library are compiled for it (once: they stay in .build/apple);
# 2. the stubs of Apple's frameworks in Apple/Stubs are compiled;
# 3. each module that an app links is compiled against both, with the package's own flags;
# 4. Apple/Samples and the example app must compile, and code on pages of which a comment says that this script compiles it;
# 5. Apple/Canaries must fail with the errors that they name: if one does not, the check is blind.
# A module is compiled again when it, or something that is compiled before it, has changed.
set -eu
cd "$(dirname "$0")/.."
work=.build/apple
stubs=Apple/Stubs
example=Examples/AdsOnIOS
# Products that no app on Apple's platforms links: tools, and what is for Linux.
elsewhere="AdHTML AdLint ChromiumStage CurlTransport PostgresLedger WebKitStage"

# What is wrong goes where the compiler's errors go: into the platform's log, or to the terminal.
fail() {
    echo "check-apple: $*" >&2
    exit 1
}

# triple PLATFORM VERSION: the target triple; without a version that of modules.
triple() {
    case $1 in
    ios) echo "$arch-apple-ios$2-simulator" ;;
    macos) echo "$arch-apple-macos$2" ;;
    tvos) echo "$arch-apple-tvos$2-simulator" ;;
    catalyst) echo "$arch-apple-ios$2-macabi" ;;
    *) fail "no platform is called '$1'; say ios, macos, tvos or catalyst, with a version: ios16" ;;
    esac
}

# lowest PLATFORM: the version for which the standard library is compiled; every newer target can import it.
lowest() {
    case $1 in
    macos) echo 10.15 ;;
    catalyst) echo 13.1 ;;
    *) echo 13.0 ;;
    esac
}

# absent PLATFORM: stubs that it has not: there is no such framework, or the stub is one over UIKit.
absent() {
    case $1 in
    macos) echo "AdAttributionKit SafariServices UIKit WebKit" ;;
    tvos) echo "AdAttributionKit SafariServices WebKit" ;;
    esac
}

# has NAME: whether the platform has this framework's stub, or would have it if there were one.
has() {
    case " $(absent "$platform") " in *" $1 "*) return 1 ;; esac
}

# frontend TARGET ARGUMENT...: the compiler; it sees the folders of this check, and nothing of Linux.
frontend() {
    target=$1
    shift
    maps=
    for map in "$stubs"/*/module.modulemap; do maps="$maps -I ${map%/*}"; done
    # shellcheck disable=SC2086
    nice swiftc -frontend -target "$target" -sdk "$work/sdk" -I "$work/sdk/usr/lib/swift" -I "$modules" $maps \
        -resource-dir "$work/resources" -module-cache-path "$work/cache" -enable-objc-interop "$@"
}

# The headers of what every Apple system has: our C library, and libxml2 and SQLite as they are installed here.
prepare() {
    # Of another toolchain nothing is usable.
    [ "$(cat "$work/toolchain" 2> /dev/null)" = "$info" ] || rm -rf "$work"
    include=$work/sdk/usr/include
    mkdir -p "$include" "$work/resources"
    echo "$info" > "$work/toolchain"
    ln -sfn "$resources/clang" "$work/resources/clang"
    ln -sfn "$resources/shims" "$work/resources/shims"
    for header in iconv pthread stdio stdlib string; do
        echo '#include <darwin.h>' > "$include/$header.h"
    done
    for header in "$(pkg-config --variable=includedir libxml-2.0)/libxml2/libxml" \
        "$(pkg-config --variable=includedir sqlite3)/sqlite3.h"; do
        [ -e "$header" ] || fail "$header is missing; Scripts/setup.sh installs it"
        ln -sfn "$header" "$include/${header##*/}"
    done
}

# The standard library's interfaces have Apple's availability on Linux, too. Their own bodies are not checked against it,
# and the one type is added without which the compiler has no Objective-C.
retarget() {
    lowest=$(triple "$platform" "$(lowest "$platform")")
    for module in Swift _Concurrency _StringProcessing SwiftOnoneSupport; do
        folder=$work/sdk/usr/lib/swift/$module.swiftmodule
        interface=$work/$1/$module.swiftinterface
        [ ! -f "$folder/$name.swiftmodule" ] || continue
        mkdir -p "$folder"
        sed -e '/^ *@backDeployed/d' \
            -e "/^\/\/ swift-module-flags:/s/-target [^ ]*/-target $lowest -disable-availability-checking/" \
            "$library/$module.swiftmodule/$host.swiftinterface" > "$interface"
        alone=
        if [ "$module" = Swift ]; then
            alone=-parse-stdlib
            printf '%s\n' '@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee>: Swift._Pointer {' \
                'public let _rawValue: Builtin.RawPointer' 'public init(_ _rawValue: Builtin.RawPointer)' \
                'public var pointee: Pointee { get nonmutating set }' '}' >> "$interface"
        fi
        # shellcheck disable=SC2086
        frontend "$lowest" -compile-module-from-interface $alone -module-name "$module" -o "$folder/$name.new" \
            "$interface" || fail "$1: the toolchain's module $module can't be compiled for it"
        mv "$folder/$name.new" "$folder/$name.swiftmodule"
    done
}

# The stubs in the order of their imports.
stub_order() {
    for file in "$stubs"/*/*.swift; do
        module=${file#"$stubs"/}
        module=${module%%/*}
        echo "$module $module"
        sed -n "s/^ *\(@_exported \)*import \([A-Za-z]*\)\$/\2 $module/p" "$file"
    done | tsort
}

# stub FOLDER NAME: compiles a stub. It is an interface: declarations without bodies.
stub() {
    text=$work/$1/$2.swiftinterface
    underlying=
    [ ! -f "$stubs/$2/module.modulemap" ] || underlying=-import-underlying-module
    {
        echo "// swift-interface-format-version: 1.0"
        sed -n '/^\/\/ swift-compiler-version:/{p;q;}' "$library/Swift.swiftmodule/$host.swiftinterface"
        echo "// swift-module-flags: -target $full -enable-objc-interop -enable-library-evolution" \
            "-swift-version $language -module-name $2 $underlying"
        printf 'import %s\n' Swift _Concurrency _StringProcessing
        for file in "$stubs/$2"/*.swift; do
            echo "#sourceLocation(file: \"$file\", line: 1)"
            cat "$file"
        done
    } > "$text"
    mkdir -p "$modules/$2.swiftmodule"
    frontend "$full" -compile-module-from-interface -module-name "$2" \
        -o "$modules/$2.swiftmodule/$name.swiftmodule" "$text" ||
        fail "$1: the stub $2 does not compile; mend the lines above"
}

# compile NAME ARGUMENT...: compiles Swift of an app. What comes with -emit-sil or -emit-module are all diagnostics.
compile() {
    includes=
    for map in Sources/*/module.modulemap Sources/*/include/module.modulemap; do includes="$includes -I ${map%/*}"; done
    # shellcheck disable=SC2086
    frontend "$full" -parse-as-library -swift-version "$language" $includes -module-name "$@"
}

# compile_ours NAME ARGUMENT...: the same with the package's flags.
compile_ours() {
    # shellcheck disable=SC2086
    compile "$@" -package-name yabbi $features -warnings-as-errors
}

# sources MODULE: its files.
sources() { find "Sources/$1" -name '*.swift' -not -path '*.docc/*' | sort; }

# Without a stub `canImport` is false here and true on a Mac, and what stands below it would be compiled there only.
check_conditions() {
    for module in $linked; do
        for framework in $(grep -rhoE 'canImport\([A-Za-z_]+\)' "Sources/$module" --include='*.swift' | sort -u |
            sed 's/canImport(\(.*\))/\1/'); do
            case $framework in
            Glibc | Musl | FoundationEssentials | FoundationNetworking) continue ;;
            esac
            [ -d "$stubs/$framework" ] || [ -d "Sources/$framework" ] ||
                fail "$module has canImport($framework), and there is no stub of it; write $stubs/$framework"
        done
        [ "$platform" != macos ] || ! grep -rnE 'canImport\((WebKit|SafariServices)\)' "Sources/$module" \
            --include='*.swift' | grep -v 'canImport(UIKit)' || fail "$module: the stubs of WebKit and" \
            "SafariServices are over UIKit, and do not exist on macOS; write canImport(UIKit) in these lines, too"
    done
}

# check_module FOLDER MODULE: compiles a module if anything has changed.
check_module() {
    files=$(sources "$2")
    # shellcheck disable=SC2086
    state=$({ echo "$state $2"; cat $files; } | cksum)
    stamp=$work/$1/$2.stamp
    [ "$(cat "$stamp" 2> /dev/null)" != "$state" ] || return 0
    rm -f "$stamp"
    mkdir -p "$modules/$2.swiftmodule"
    # shellcheck disable=SC2086
    compile_ours "$2" -emit-module -o "$modules/$2.swiftmodule/$name.swiftmodule" $files ||
        fail "$1: $2 does not compile; mend the lines above. What is newer than the deployment target goes behind" \
            "#available; what only Linux has, behind #if os(Linux). A product that no app there links belongs into" \
            "'elsewhere' in Scripts/check-apple.sh"
    echo "$state" > "$stamp"
    compiled=$((compiled + 1))
}

count() { echo $#; }

# trials KIND: the files of Apple/KIND for frameworks that the platform has.
trials() {
    for file in "Apple/$1"/*/*.swift; do
        framework=${file#"Apple/$1/"}
        ! has "${framework%%/*}" || echo "$file"
    done
}

# pages FOLDER: writes the code on pages that is to be compiled here into files, and prints those that the platform can have.
pages() {
    rm -rf "${work:?}/$1/pages"
    mkdir "$work/$1/pages"
    awk -v folder="$work/$1/pages" '
        /<!-- not compiled here: .*make check-apple/ { wanted = 1 }
        /^```/ && file { close(file); file = "" }
        file { print > file }
        /^```swift/ && wanted {
            wanted = 0
            file = folder "/" ++count ".swift"
            printf "#sourceLocation(file: \"%s\", line: %d)\n", FILENAME, FNR + 1 > file
        }' README.md Sources/*/*.docc/*.md
    for file in "$work/$1/pages"/*; do
        for module in $(sed -n 's/^import \([A-Za-z]*\)$/\1/p' "$file"); do has "$module" || continue 2; done
        echo "$file"
    done
}

# check_canary FOLDER FILE: it has the errors that its comments name, each in its line, and no other.
check_canary() {
    output=$work/$1/canary
    ! compile_ours Trial -emit-sil -o /dev/null "$2" > "$output" 2>&1 ||
        fail "$1: $2 compiles and must not: the check does not see such errors elsewhere either"
    awk -v file="$2" '
        FILENAME == file && match($0, "// error: ") { expected[FNR] = substr($0, RSTART + 10); next }
        FILENAME != file && index($0, ": error: ") {
            split($0, place, ":")
            line = place[1] == file ? place[2] : 0
            if (line in expected && index($0, expected[line])) found[line] = 1
            else { print "not expected: " $0; failed = 1 }
        }
        END {
            for (line in expected) if (!(line in found)) { print file ":" line ": missing: " expected[line]; failed = 1 }
            exit failed
        }' "$2" "$output" || fail "$1: $2 fails for another reason than it must; mend the stub, or the canary's comments"
}

# check PLATFORM-WITH-VERSION
check() {
    platform=$(echo "$1" | sed 's/[0-9.]*$//')
    version=${1#"$platform"}
    full=$(triple "$platform" "$version")
    name=$(triple "$platform" "")
    modules=$work/$1/modules
    mkdir -p "$modules"
    check_conditions
    retarget "$1"
    # shellcheck disable=SC2046
    state=$({
        echo "$full $features"
        cat Scripts/check-apple.sh "$stubs"/*/* $(find Sources -name '*.h' -o -name module.modulemap | sort)
    } | cksum)
    stamp=$work/$1/stubs.stamp
    if [ "$(cat "$stamp" 2> /dev/null)" != "$state" ]; then
        rm -rf "$modules" "$work/$1"/*.stamp
        for stub in $(stub_order); do
            ! has "$stub" || stub "$1" "$stub"
        done
        echo "$state" > "$stamp"
    fi
    compiled=0
    for module in $linked; do check_module "$1" "$module"; done
    samples=$(trials Samples)
    for file in $samples; do
        compile_ours Trial -emit-sil -o /dev/null "$file" ||
            fail "$1: $file does not compile, and is what apps write; mend the stub"
    done
    # A platform without WebKit shows no ads in web views, and so has no such app.
    apps=
    if has WebKit; then
        apps=" the example app,"
        compile Example -emit-sil -o /dev/null "$example"/*.swift ||
            fail "$1: $example does not compile, and is what apps copy; mend the lines above"
    fi
    pages=$(pages "$1")
    for file in $pages; do
        compile Page -emit-sil -o /dev/null "$file" || fail "$1: code on a page does not compile; mend the lines above"
    done
    canaries=$(trials Canaries)
    for file in $canaries; do check_canary "$1" "$file"; done
    # shellcheck disable=SC2086
    echo "$1: $(count $linked) modules compile ($compiled anew), and so do$apps $(count $samples) samples and the code" \
        "on pages ($(count $pages)); $(count $canaries) canaries fail as they must"
}

for tool in swiftc pkg-config; do
    command -v "$tool" > /dev/null || fail "$tool is missing; run Scripts/setup.sh"
done
info=$(swiftc -print-target-info)
field() { echo "$info" | sed -n "s/.*\"$1\": \"\(.*\)\".*/\1/p"; }
[ "$(field platform)" = linux ] || fail "this is for Linux; on a Mac swift build --build-tests checks all of it"
arch=$(field arch)
[ "$arch" != aarch64 ] || arch=arm64
host=$(field moduleTriple)
resources=$(field runtimeResourcePath)
library=$resources/linux
features=$(sed -n 's/.*\.enableUpcomingFeature("\(.*\)").*/-enable-upcoming-feature \1/p' Package.swift)
language=$(sed -n 's/.*swiftLanguageModes: \[\.v\([0-9]*\)\].*/\1/p' Package.swift)
declared=$(sed -n 's/^ *platforms: \[\(.*\)\],$/\1/p' Package.swift | tr ',' '\n' |
    sed 's/ *\.\([A-Za-z]*\)(\.v\([0-9_]*\))/\1\2/; y/_/./' | tr '[:upper:]' '[:lower:]')
[ -n "$features" ] && [ -n "$language" ] && [ -n "$declared" ] ||
    fail "no enableUpcomingFeature, swiftLanguageModes or platforms was found in Package.swift"
[ $# -gt 0 ] || set -- $declared

products=
for product in $(sed -n 's/^ *\.library(name: "\([^"]*\)".*/\1/p' Package.swift); do
    case " $elsewhere " in *" $product "*) ;; *) products="$products $product" ;; esac
done
# shellcheck disable=SC2086
linked=$(for module in $(Scripts/graph.sh apple $products); do [ -z "$(sources "$module")" ] || echo "$module"; done)
unnamed=$(grep -rnE '^ *///' "$stubs" --include='*.swift' | grep -v '/// https://' || true)
# Each public declaration has the address of its page above it.
unnamed="$unnamed$(find "$stubs" -name '*.swift' -exec awk '
    FNR == 1 { last = "" }
    /^ *(@[A-Za-z]+(\([^)]*\))? )*(public|open) / && last !~ /\/\/\/ https:|@/ { print FILENAME ":" FNR ": " $0 }
    NF { last = $0 }' {} +)"
[ -z "$unnamed" ] || fail "a declaration of a stub names the page that it was written from, nothing else:
$unnamed"

prepare
running=
for platform in "$@"; do
    triple "$(echo "$platform" | sed 's/[0-9.]*$//')" "" > /dev/null
    case $platform in *[0-9]) ;; *) fail "$platform has no version; say ${platform}16, for example" ;; esac
    mkdir -p "$work/$platform"
    check "$platform" > "$work/$platform/log" 2>&1 &
    running="$running $platform:$!"
done
failed=
for pair in $running; do
    wait "${pair#*:}" || failed="$failed ${pair%:*}"
    cat "$work/${pair%:*}/log"
done
[ -z "$failed" ] || fail "failed for$failed"
