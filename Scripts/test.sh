#!/bin/sh
# Runs the tests that are built, and says once more at the end what failed and what was skipped: both stand thousands of
# lines above by then.
#
#   Scripts/test.sh [ARGUMENTS OF swift test]
set -eu
cd "$(dirname "$0")/.."
mkdir -p .build
log=.build/tests.log
status=.build/tests.status
# What is killed writes none, and the last run's says nothing of this one.
rm -f "$status"
# One test at a time: some meet real sockets and real time, and two cores are soon taken. None is an XCTest, and what
# that allocates for nothing at all a sanitizer calls a leak. Arguments of tests may be megabytes: the log is for people.
{
    code=0
    swift test --skip-build --no-parallel --disable-xctest "$@" || code=$?
    echo "$code" > "$status"
} 2>&1 | awk '{ print substr($0, 1, 1000); fflush() }' | tee "$log"

skipped=$(grep -c '^➜ .* skipped' "$log" || true)
if [ "$skipped" -gt 0 ]; then
    echo "Skipped, each with its reason:"
    grep '^➜ .* skipped' "$log"
fi
if [ "$(cat "$status" 2>/dev/null)" != 0 ]; then
    echo "Failed:"
    failure='^✘ .*(recorded an issue|Caught error)'
    if grep -qE "$failure" "$log"; then
        grep -A3 -E "$failure" "$log" | head -200
    else
        # What crashed has said nothing: the last that began is the one.
        echo "No test says that it failed; the last lines that tell of one:"
        grep '^[◇✔✘]' "$log" | tail -5
    fi
    exit 1
fi
