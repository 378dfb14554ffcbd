#!/bin/sh
# Builds the helper that shows ads in WebKitGTK, and its extension, into .build/webkit.
#
# `Scripts/setup.sh webkit` installs what it needs: WebKitGTK 2.42 or later, libsoup, GnuTLS and libwebp.
set -eu
cd "$(dirname "$0")/.."
out=.build/webkit
main="webkit2gtk-4.1 libsoup-3.0 gnutls libwebp"
extension=webkit2gtk-web-extension-4.1

for tool in cc pkg-config; do
    command -v "$tool" > /dev/null || {
        echo "webkit: $tool is missing; install gcc and pkg-config" >&2
        exit 1
    }
done
for library in $main $extension; do
    pkg-config --exists "$library" || {
        echo "webkit: $library is not installed; install it with: Scripts/setup.sh webkit" >&2
        exit 1
    }
done
pkg-config --atleast-version=2.42 webkit2gtk-4.1 || {
    echo "webkit: WebKitGTK $(pkg-config --modversion webkit2gtk-4.1) is too old; install version 2.42 or later" >&2
    exit 1
}

mkdir -p "$out/extension"
# The worlds of scripts and the extension belong to an older interface of WebKitGTK, which this version still has for
# GTK 3; with GTK 4 no program can send input to a page.
flags="-std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Wno-deprecated-declarations"
cd WebKitHelper
# shellcheck disable=SC2046,SC2086
cc $flags -o "../$out/yabbi-webkit.new" attempts.c commands.c display.c extensions.c input.c \
    main.c page.c pictures.c proxy.c wire.c $(pkg-config --cflags --libs $main)
# shellcheck disable=SC2046,SC2086
cc $flags -shared -fPIC -o "../$out/extension/libyabbi.so.new" extension.c wire.c \
    $(pkg-config --cflags --libs $extension)
# A helper that runs keeps its files.
mv "../$out/yabbi-webkit.new" "../$out/yabbi-webkit"
mv "../$out/extension/libyabbi.so.new" "../$out/extension/libyabbi.so"
