#!/bin/sh
# Takes the pictures of reports that the README shows, with the browser that shows the ads; run by hand.
set -eu
cd "$(dirname "$0")/.."

play=.build/release/yabbi-play
[ -x "$play" ] || play=.build/debug/yabbi-play
[ -x "$play" ] || { echo "pictures: there is no yabbi-play; make release builds it" >&2; exit 1; }

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
    # Root has no sandbox of the browser's; the page is our own and asks nobody for anything.
    "$browser" --headless --no-sandbox --hide-scrollbars --window-size="1200,$3" \
        --screenshot="$folder/picture.webp" "file://$1/report.html" >/dev/null 2>&1
    size=$(wc -c < "$folder/picture.webp")
    [ "$size" -lt 200000 ] || { echo "pictures: $2 would have $size bytes" >&2; exit 1; }
    mv "$folder/picture.webp" "$2"
    echo "$2  $size bytes"
}

mkdir -p docs
"$play" show --unit video-inline --stage chromium --do click@3s --report "$folder/one" > /dev/null
picture "$folder/one" docs/report-one.webp 1480
"$play" demo --report "$folder/demo" > /dev/null
picture "$folder/demo" docs/report-demo.webp 1200
