#!/bin/sh
# Draws anew what the documentation says by itself from the code: the tables of an ad's life, and what leaves the device.
# Tests hold the pages to it.
set -eu
cd "$(dirname "$0")/.."
YABBI_DRAW=1 swift test --no-parallel --filter 'LifecycleTableTests|PrivacyPageTests'
