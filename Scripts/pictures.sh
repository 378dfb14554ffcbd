#!/bin/sh
# Takes the pictures of reports for the README with the browser that shows the ads. Run by hand.
set -eu
cd "$(dirname "$0")/.."

play=.build/release/yabbi-play
[ -x "$play" ] || play=.build/debug/yabbi-play
[ -x "$play" ] || { echo "pictures: yabbi-play is not built; run make release" >&2; exit 1; }

browser=
for name in /usr/lib/chromium/chromium-headless-shell chromium-headless-shell chromium google-chrome; do
    browser=$(command -v "$name" || true)
    [ -z "$browser" ] || break
done
[ -n "$browser" ] || { echo "pictures: no browser is installed; Scripts/setup.sh installs one" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# picture REPORT FILE HEIGHT: the upper part of a report as WebP.
picture() {
    # As root the browser has no sandbox; the page is our own and sends no requests.
    "$browser" --headless --no-sandbox --hide-scrollbars --window-size="1200,$3" \
        --screenshot="$folder/picture.webp" "file://$1/report.html" >/dev/null 2>&1
    size=$(wc -c < "$folder/picture.webp")
    [ "$size" -lt 200000 ] || { echo "pictures: $2 has $size bytes, at most 200000 are allowed" >&2; exit 1; }
    mv "$folder/picture.webp" "$2"
    echo "$2  $size bytes"
}

mkdir -p docs
"$play" show --unit video-inline --stage chromium --do click@3s --report "$folder/one" > /dev/null
picture "$folder/one" docs/report-one.webp 1480
"$play" demo --report "$folder/demo" > /dev/null
picture "$folder/demo" docs/report-demo.webp 1200
