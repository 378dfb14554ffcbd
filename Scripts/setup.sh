#!/bin/sh
# Installs what the build needs and the machine lacks. Quick when nothing is missing; safe to run again.
#
#   Debian (apt)             macOS (Homebrew; the names were not tried)
#   libxml2-dev              libxml2
#   libcurl4-openssl-dev     curl
#   libmicrohttpd-dev        libmicrohttpd
#   libsqlite3-dev           sqlite
#   openssl (tests only)     openssl
#   python3-websockets (tests only; without it those that need it are skipped)
set -eu

if ! command -v swift >/dev/null 2>&1; then
    echo "setup: no swift on the PATH; install Swift 6.3 from https://www.swift.org/install" >&2
    exit 1
fi

if [ "$(uname -s)" = Darwin ]; then
    echo "setup: on macOS install these yourself: brew install libxml2 curl libmicrohttpd sqlite openssl (not tried)" >&2
    exit 0
fi

missing=
for package in libxml2-dev libcurl4-openssl-dev libmicrohttpd-dev libsqlite3-dev openssl python3-websockets; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
        echo "setup: missing:$missing; run this as root, or install sudo" >&2
        exit 1
    }
    as_root=sudo
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
# The package lists may be old or absent; the first try is without them because it is the quick one.
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 || {
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
