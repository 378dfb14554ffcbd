#!/bin/sh
# Builds and runs the tests with a sanitizer. Its reports are printed at the end, and fail the run.
#
#   Scripts/sanitize.sh thread|address [ARGUMENTS OF swift test]
#
# It takes many times as long as the plain tests. Its build is in .build/thread or .build/address.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-}
case $kind in
thread | address) shift ;;
*)
    echo "usage: Scripts/sanitize.sh thread|address [ARGUMENTS OF swift test]" >&2
    exit 2
    ;;
esac
scratch=.build/$kind
reports=$scratch/reports
mkdir -p "$scratch"
rm -rf "$reports"
mkdir "$reports"
swift build --build-tests --sanitize "$kind" --scratch-path "$scratch"

# Processes that tests start write their own reports and go on, so that one run finds everything. They may run in other
# folders: the path is absolute, and quoted, because it may contain a space.
common="log_path='$PWD/$reports/report' halt_on_error=0"
export TSAN_OPTIONS="$common exitcode=0 ${TSAN_OPTIONS:-}"
# Memory that is still allocated at the end is not reported: tests end with ads on screen and servers hanging, and Swift's
# weak references are where the sanitizer does not look. ASAN_OPTIONS=detect_leaks=1 lists it.
export ASAN_OPTIONS="$common detect_leaks=0 ${ASAN_OPTIONS:-}"
# The thread sanitizer keeps constants in a file by default, and crashes in tests that forbid files to grow.
export TEST_TMPDIR=/nonexistent
# The address sanitizer keeps freed memory, so tests that measure memory are skipped.
export YABBI_SANITIZER="$kind"
# Everything is slow here.
export YABBI_TIMEOUT_SCALE=${YABBI_TIMEOUT_SCALE:-20}
code=0
Scripts/test.sh --sanitize "$kind" --scratch-path "$scratch" "$@" || code=$?

found=$(find "$reports" -type f | wc -l)
if [ "$found" -gt 0 ]; then
    echo "The $kind sanitizer wrote $found reports into $reports; the first:"
    find "$reports" -type f | sort | head -1 | xargs head -100
    exit 1
fi
[ "$code" -ne 0 ] || echo "The $kind sanitizer found nothing."
exit "$code"
