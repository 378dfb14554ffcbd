#!/bin/sh
# Makes a Debian package of the command: the binary, the creatives, the manual page and shell completions.
#
#   Scripts/deb.sh       .build/deb/yabbi_VERSION_ARCHITECTURE.deb
#
# Swift's libraries are linked into the binary, because Debian has no package of them. All others are dependencies of the
# package, so that Debian's security updates reach them. Needs dpkg-dev. MAINTAINER sets the package's maintainer.
set -eu
cd "$(dirname "$0")/.."
work=.build/deb
root=$work/root
for tool in dpkg-shlibdeps dpkg-deb; do
    command -v "$tool" > /dev/null || {
        echo "deb: $tool is missing; apt-get install dpkg-dev" >&2
        exit 1
    }
done
maintainer=${MAINTAINER:-yabbi <yabbi@example.com>}
rm -rf "$work"
mkdir -p "$root/DEBIAN" "$work/debian"

Scripts/static.sh shared
binary=.build/static/yabbi-play-shared
said=$("$binary" --version)
version=${said##* }
architecture=$(dpkg --print-architecture)
package=$work/yabbi_${version}_$architecture.deb
# The same sources produce the same package, byte for byte.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH

# Debian's zsh has a folder for the completions of packages.
make --no-print-directory put BUILT="$binary" DESTDIR="$PWD/$root" PREFIX=/usr \
    ZSH_WORDS="$PWD/$root/usr/share/zsh/vendor-completions/_yabbi-play"
gzip -9n "$root/usr/share/man/man1/yabbi-play.1"
documents=$root/usr/share/doc/yabbi
mkdir -p "$documents"
gzip -9nc CHANGELOG.md > "$documents/changelog.gz"
cat > "$documents/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: yabbi

Files: *
Copyright: the authors of yabbi
License: Apache-2.0
 On Debian systems the whole text of the license stands in /usr/share/common-licenses/Apache-2.0.
END
find "$root" -type d -exec chmod 755 {} +
find "$root/usr/share" -type f -exec chmod 644 {} +

# The packages of the shared libraries that it needs, and their least versions; some of them are loaded when they are first
# called, which a library that links them stands for.
cc -shared -Wl,--no-as-needed -lcurl -lpq -larchive -lmicrohttpd -o "$work/loaded.so"
printf 'Source: yabbi\n\nPackage: yabbi\nArchitecture: any\n' > "$work/debian/control"
said=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/yabbi-play loaded.so)
depends=${said#shlibs:Depends=}
cat > "$root/DEBIAN/control" <<END
Package: yabbi
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $depends, ca-certificates
Recommends: chromium-headless-shell | chromium
Section: devel
Priority: optional
Description: load, show, inspect and lint ads and their tags
 yabbi-play requests ads, shows them in the terminal or a browser, and reports
 whether each impression and click was recorded, and why. It inspects and lints
 VAST, banners, cards and popups, and has a built-in ad server.
END
dpkg-deb --root-owner-group --build "$root" "$package" > /dev/null
echo "$package  $(($(wc -c < "$package") / 1024)) KiB"
echo "needs: $depends"
