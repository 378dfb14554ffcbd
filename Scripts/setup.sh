#!/bin/sh
# Installs what the build needs and the machine lacks. Quick when nothing is missing; safe to run again.
#
#   Debian (apt)             macOS (Homebrew; the names were not tried)
#   pkg-config               pkgconf
#   libxml2-dev              libxml2
#   libcurl4-openssl-dev     curl
#   libmicrohttpd-dev        libmicrohttpd
#   libsqlite3-dev           sqlite
#   openssl (tests only)     openssl
#   python3-websockets (tests only; without it those that need it are skipped)
#   chromium-headless-shell (run time only; without it there are no pictures, and its tests are skipped)
set -eu

if ! command -v swift >/dev/null 2>&1; then
    echo "setup: no swift on the PATH; install Swift 6.3 from https://www.swift.org/install" >&2
    exit 1
fi

if [ "$(uname -s)" = Darwin ]; then
    echo "setup: on macOS install these yourself (not tried):" >&2
    echo "    brew install pkgconf libxml2 curl libmicrohttpd sqlite openssl" >&2
    exit 0
fi

missing=
is_there() {
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}
for package in libxml2-dev libcurl4-openssl-dev libmicrohttpd-dev libsqlite3-dev openssl python3-websockets; do
    is_there "$package" || missing="$missing $package"
done
# Two packages have this command, and either will do.
command -v pkg-config >/dev/null 2>&1 || missing="$missing pkg-config"
# A browser is wanted and not needed: not every machine's packages have one, and one that was put there by hand will do.
browser=
if ! is_there chromium-headless-shell && ! is_there chromium && [ -z "${CHROME:-}" ]; then
    browser=chromium-headless-shell
fi
[ -n "$missing$browser" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
        [ -n "$missing" ] || {
            echo "setup: no $browser, and no right to install it; ads are shown as text" >&2
            exit 0
        }
        echo "setup: missing:$missing; run this as root, or install sudo" >&2
        exit 1
    }
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
# The package lists may be old or absent; the first try is without them because it is the quick one.
install() {
    $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 || {
        $as_root apt-get update -qq
        $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    }
}
if [ -n "$missing" ]; then
    echo "setup: installing$missing"
    # shellcheck disable=SC2086
    install $missing
fi
if [ -n "$browser" ]; then
    echo "setup: installing $browser"
    install "$browser" ||
        echo "setup: no $browser; ads are shown as text, and the tests that need a browser are skipped" >&2
fi
