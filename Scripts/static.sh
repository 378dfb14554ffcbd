#!/bin/sh
# Builds yabbi-play as one stripped binary, and says how large it is and what it still asks the machine for.
#
#   Scripts/static.sh            with everything in it that this machine has as an archive: .build/static/yabbi-play
#   Scripts/static.sh shared     with Swift's own libraries alone, for a package: .build/static/yabbi-play-shared
#
# One folder is searched first, and it holds archives alone, so that the linker takes them where it would have taken a
# shared library; it is named in the place of libxml2's own, which pkg-config tells first. What is never in it: libc,
# which looks up names by the machine's own modules; libcurl, because the archives of what it stands on (Kerberos, LDAP)
# are in no distribution, and its certificates and mends are the machine's; GnuTLS, which libmicrohttpd names and nobody
# here uses, for the same reason.
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

# archive NAME...: has these linked as archives, where the machine has all of them.
archive() {
    for name in "$@"; do
        if [ ! -f "$(cc -print-file-name="lib$name.a")" ]; then
            echo "static: there is no lib$name.a here; $1 stays shared"
            return 1
        fi
    done
    for name in "$@"; do ln -sf "$(cc -print-file-name="lib$name.a")" "$archives/lib$name.a"; done
}

# link NAME...: what an archive needs besides; it does not say so itself.
needs=
link() { for name in "$@"; do needs="$needs -Xlinker -l$name"; done; }

case ${1:-} in
shared) result=$work/yabbi-play-shared ;;
"")
    result=$work/yabbi-play
    if archive sqlite3; then :; fi
    if archive xml2 icuuc icudata lzma z; then link icuuc icudata stdc++ lzma z; fi
    if archive microhttpd; then link gnutls; fi
    if archive stdc++; then :; fi
    ;;
*)
    echo "static: the one word that it knows is shared" >&2
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

# It is linked anew each time: what the archives hold is nothing that the build looks at.
rm -f "$work/release/yabbi-play"
# shellcheck disable=SC2086
PKG_CONFIG_PATH=$PWD/$archives swift build -c release --product yabbi-play --static-swift-stdlib \
    --scratch-path "$work" --explicit-target-dependency-import-check error $needs
strip -o "$result" "$work/release/yabbi-play"

echo "$result  $(($(wc -c < "$result") / 1024)) KiB"
echo "shared:"
readelf -d "$result" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/  \1/p'
