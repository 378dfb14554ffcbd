#!/bin/sh
# Builds the tests with a sanitizer and runs them; what it finds is printed at the end, and fails the run.
#
#   Scripts/sanitize.sh thread|address [ARGUMENTS OF swift test]
#
# It takes many times as long as the plain tests, and has a build of its own in .build/thread or .build/address.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-}
case $kind in
thread | address) shift ;;
*)
    echo "sanitize: thread or address?" >&2
    exit 2
    ;;
esac
scratch=.build/$kind
reports=$scratch/reports
mkdir -p "$scratch"
rm -rf "$reports"
mkdir "$reports"
swift build --build-tests --sanitize "$kind" --scratch-path "$scratch"

# Commands that tests start write their own reports; one that finds something goes on, so that all is found in one run.
# They may do so from other folders: the path is whole, and quoted, for it may have a blank in it.
common="log_path='$PWD/$reports/report' halt_on_error=0"
export TSAN_OPTIONS="$common exitcode=0 ${TSAN_OPTIONS:-}"
# What is left at the end is no leak here: tests leave ads on screen and servers hanging, and Swift keeps its weak
# references where the sanitizer does not look. ASAN_OPTIONS=detect_leaks=1 lists it all the same.
export ASAN_OPTIONS="$common detect_leaks=0 ${ASAN_OPTIONS:-}"
# The thread sanitizer keeps constants of the program in a file where it may, and dies of it where a test lets no file
# grow.
export TEST_TMPDIR=/nonexistent
# It keeps what was freed, so that a test that measures memory is left out under the address sanitizer.
export YABBI_SANITIZER="$kind"
# Nothing is quick here.
export YABBI_PATIENCE=${YABBI_PATIENCE:-20}
code=0
Scripts/test.sh --sanitize "$kind" --scratch-path "$scratch" "$@" || code=$?

found=$(find "$reports" -type f | wc -l)
if [ "$found" -gt 0 ]; then
    echo "The $kind sanitizer has written $found reports (whole in $reports); the first:"
    find "$reports" -type f | sort | head -1 | xargs head -100
    exit 1
fi
[ "$code" -ne 0 ] || echo "The $kind sanitizer has found nothing."
exit "$code"
