#!/bin/sh
# Draws anew what the documentation says by itself from the code: the tables of an ad's life, and what leaves the
# device; and the promise by the README. Tests hold the pages to it.
set -eu
cd "$(dirname "$0")/.."
begin=$(mktemp)
trap 'rm -f "$begin"' EXIT
YABBI_DRAW=1 swift test --no-parallel --filter 'LifecycleTableTests|PrivacyPageTests|PromisePageTests'
# A filter that matches nothing is no failure of the tests.
for page in TheLifeOfAnAd ConsentAndPrivacy BeaconsAndWhatWePromise; do
    [ -n "$(find Sources/YabbiAds/YabbiAds.docc/$page.md -newer "$begin")" ] || {
        echo "draw: nothing was drawn into $page.md; is its suite still called so?" >&2
        exit 1
    }
done
