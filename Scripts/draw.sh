#!/bin/sh
# Regenerates the parts of the documentation that are made from the code: the tables of an ad's life and of the data that
# leaves the device, and the promise, which is the README's. Tests compare the pages with the code.
set -eu
cd "$(dirname "$0")/.."
begin=$(mktemp)
trap 'rm -f "$begin"' EXIT
YABBI_DRAW=1 swift test --no-parallel --filter 'LifecycleTableTests|PrivacyPageTests|PromisePageTests'
# The tests do not fail when a filter matches nothing.
for page in TheLifeOfAnAd ConsentAndPrivacy BeaconsAndWhatWePromise; do
    [ -n "$(find Sources/YabbiAds/YabbiAds.docc/$page.md -newer "$begin")" ] || {
        echo "draw: $page.md was not written; was its suite renamed?" >&2
        exit 1
    }
done
