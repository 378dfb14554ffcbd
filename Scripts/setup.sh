#!/bin/sh
# Installs what the build needs and the machine lacks. Quick when nothing is missing; safe to run again.
#
#   Scripts/setup.sh [tests | webkit]
#
# With `tests` it also installs what only the tests need, and with `webkit` what `make webkit` and the stage that it
# builds need.
#
#   Debian (apt)             macOS (Homebrew; the names were not tried)
#   pkg-config               pkgconf
#   libxml2-dev              libxml2
#   libcurl4-openssl-dev     curl
#   libmicrohttpd-dev        libmicrohttpd
#   libsqlite3-dev           sqlite
#   libarchive-dev           libarchive
#   libpq-dev                libpq
#   chromium-headless-shell  (run time only; without it there are no pictures, and its tests are skipped)
#   for tests only
#   openssl                  openssl
#   postgresql, python3-websockets, zsh, fish, mandoc (without one of them the tests that need it are skipped)
#   for WebKit only; there is none on macOS
#   libwebkit2gtk-4.1-dev, libsoup-3.0-dev, libgnutls28-dev, libwebp-dev, bubblewrap, xdg-dbus-proxy, xvfb
#   gstreamer1.0-plugins-base, gstreamer1.0-plugins-good, gstreamer1.0-libav (films)
set -eu

if ! command -v swift >/dev/null 2>&1; then
    echo "setup: no swift on the PATH; install Swift 6.3 from https://www.swift.org/install" >&2
    exit 1
fi

if [ "$(uname -s)" = Darwin ]; then
    echo "setup: on macOS install these yourself (not tried):" >&2
    echo "    brew install pkgconf libxml2 curl libmicrohttpd sqlite libarchive libpq openssl" >&2
    exit 0
fi

is_there() {
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}
needed="libxml2-dev libcurl4-openssl-dev libmicrohttpd-dev libsqlite3-dev libarchive-dev libpq-dev"
# Optional: tests that need one of these are skipped without it, with the reason.
wanted=
if [ "${1:-}" = tests ]; then
    needed="$needed openssl"
    wanted="postgresql python3-websockets zsh fish mandoc"
fi
if [ "${1:-}" = webkit ]; then
    needed="$needed libwebkit2gtk-4.1-dev libsoup-3.0-dev libgnutls28-dev libwebp-dev bubblewrap xdg-dbus-proxy xvfb"
    wanted="gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-libav"
fi
# A browser that was installed by hand will do. Without a browser ads are shown as text.
has_browser() {
    [ -n "${CHROME:-}" ] && return
    for name in chromium chromium-headless-shell chromium-browser google-chrome google-chrome-stable; do
        ! command -v "$name" >/dev/null 2>&1 || return 0
    done
    return 1
}
has_browser || wanted="$wanted chromium-headless-shell"

missing=
for package in $needed; do
    is_there "$package" || missing="$missing $package"
done
# Either of two packages has this command.
command -v pkg-config >/dev/null 2>&1 || missing="$missing pkg-config"
extra=
for package in $wanted; do
    is_there "$package" || extra="$extra $package"
done
[ -n "$missing$extra" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
        [ -n "$missing" ] || {
            echo "setup: can't install$extra without root; they are optional" >&2
            exit 0
        }
        echo "setup: missing:$missing; run this as root or install sudo" >&2
        exit 1
    }
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
# The package lists may be old or absent. Updating them is slow, so the first attempt does without.
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
# One by one: if one is not available, the others may be.
for package in $extra; do
    echo "setup: installing $package"
    install "$package" || echo "setup: $package is not available; it is optional, and what needs it is skipped" >&2
done
