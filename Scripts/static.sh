#!/bin/sh
# Builds yabbi-play as one stripped binary, and prints its size and the shared libraries that it needs.
#
#   Scripts/static.sh            with every library that is installed as an archive: .build/static/yabbi-play
#   Scripts/static.sh shared     with Swift's libraries only, for a package: .build/static/yabbi-play-shared
#
# The linker searches a folder that contains archives only before all others, so that it prefers them to shared
# libraries; the folder takes the place of libxml2's, which pkg-config prints first. Always shared are libc, which loads
# modules for name lookup; libcurl and libpq, because no distribution has archives of what they need (Kerberos, LDAP), and
# because their certificates and security updates are the system's; GnuTLS, which libmicrohttpd links, for the same
# reason; and libarchive, which unpacks foreign zip files and would need the archives of seven more libraries. All of them
# but libc and GnuTLS are loaded when they are first called, so a computer without them runs all that does not need them.
set -eu
cd "$(dirname "$0")/.."
work=.build/static
archives=$work/archives
for tool in cc pkg-config strip readelf; do
    command -v "$tool" > /dev/null || {
        echo "static: $tool is missing; Scripts/setup.sh installs pkg-config, the others are in gcc and binutils" >&2
        exit 1
    }
done
rm -rf "$archives"
mkdir -p "$archives"

# archive NAME...: links these as archives, if all of them are installed.
archive() {
    for name in "$@"; do
        if [ ! -f "$(cc -print-file-name="lib$name.a")" ]; then
            echo "static: lib$name.a is not installed; $1 stays shared"
            return 1
        fi
    done
    for name in "$@"; do ln -sf "$(cc -print-file-name="lib$name.a")" "$archives/lib$name.a"; done
}

# link NAME...: libraries that are not linked by themselves, and those that an archive needs and does not declare.
needs=
link() { for name in "$@"; do needs="$needs -Xlinker -l$name"; done; }

case ${1:-} in
shared) result=$work/yabbi-play-shared ;;
"")
    result=$work/yabbi-play
    if archive sqlite3; then :; fi
    if archive xml2 icuuc icudata lzma z; then link icuuc icudata stdc++ lzma z; fi
    if archive microhttpd; then
        link microhttpd gnutls
        needs="$needs -Xcc -DYABBI_LINKS_MICROHTTPD"
    fi
    if archive stdc++; then :; fi
    ;;
*)
    echo "static: usage: Scripts/static.sh [shared]" >&2
    exit 2
    ;;
esac

version=$(pkg-config --modversion libxml-2.0)
cflags=$(pkg-config --cflags libxml-2.0)
cat > "$archives/libxml-2.0.pc" <<END
Name: libxml2
Description: libxml2, and a folder that is searched first
Version: $version
Libs: -L$PWD/$archives -lxml2
Cflags: $cflags
END

# It is linked again each time: the build does not notice when an archive changes.
rm -f "$work/release/yabbi-play"
# shellcheck disable=SC2086
PKG_CONFIG_PATH=$PWD/$archives swift build -c release --product yabbi-play --static-swift-stdlib \
    --scratch-path "$work" --explicit-target-dependency-import-check error $needs
strip -o "$result" "$work/release/yabbi-play"

echo "$result  $(($(wc -c < "$result") / 1024)) KiB"
echo "shared, loaded at the start:"
readelf -d "$result" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/  \1/p'
