#!/bin/sh
# Runs the tests that are built, in six lanes side by side; within a lane one test runs at a time:
#   markup    readers of markup and the linter
#   values    other values, bundles, and shells over clocks that tests move
#   browser   a real browser, and the stages of yabbi-play
#   hostile   a real browser, and creatives that keep it busy; long tests of yabbi-play with a browser
#   command   yabbi-play
#   system    real sockets, files and time
# The first two get the processor time that the others leave. A test target that is in no list is in the last lane.
# Failures are printed as they come; then what was skipped, each with its reason, the 20 slowest tests, and the failures
# once more, at the end of a long output. Whole logs are in .build/tests.
#
# What waits for a real browser or another process can fail where the computer stands still for seconds. A failed test of
# the lanes browser, hostile, command and system therefore runs once more after all lanes, alone. One that fails again is a
# failure; one that passes is listed as unstable.
#
#   Scripts/test.sh [REGULAR EXPRESSION OF NAMES]
#
# Names are those of targets, suites and functions: a target's name selects all of its tests. An expression that no test
# matches is an error, so that a misspelled name does not pass.
#
# YABBI_ENGINE=webkit runs only the suites that hold for every engine, in WebKit (make webkit builds what it needs).
#
# A lane that hangs is ended after 20 minutes (three hours with YABBI_LONG), times YABBI_TIMEOUT_SCALE.
# YABBI_LANES=1 runs the lanes one after the other. YABBI_BUNDLE names another bundle of tests than the debug build's.
set -eu
cd "$(dirname "$0")/.."
markup="AdHTMLTests AdLintTests AdMarkupTests"
values="AdBundleTests AdCoreTests AdProvidersTests AdReplayTests AdRuntimeTests AdTraceTests OpenRTBTests
    PlayCompareTests PlayInspectTests PlayReconcileTests PlayReportTests PlayScanTests PlayTextTests
    WebKitStageTests WebSocketCodecTests WebStageTests"
browser="BrowserStageTests ChromiumStageTests PlayStagesTests"
command="PlayConsoleTests YabbiPlayTests"
# Suites of the browser's target that have a lane of their own.
hostile="FieldClickTests HostileCreativeTests ResourceLimitTests UnclosableTests"
# Suites of the command's tests that are in the lane hostile.
long="ConformanceTests PlantedDefectTests QueueCommandTests QueueProcessTests ScanMemoryTests"
filter=${1:-}
case $#$filter in
0 | 1 | 1[!-]*) ;;
*)
    echo "test: usage: Scripts/test.sh [REGULAR EXPRESSION OF NAMES]" >&2
    exit 2
    ;;
esac
engine=${YABBI_ENGINE:-}
if [ -n "$engine" ]; then
    browser=BrowserStageTests
    echo "The suites of the browser stage in $engine:"
fi
bundle=${YABBI_BUNDLE:-.build/debug/yabbiPackageTests.xctest}
logs=.build/tests${engine:+-$engine}
limit=1200
[ -z "${YABBI_LONG:-}" ] || limit=10800
limit=$((limit * ${YABBI_TIMEOUT_SCALE:-1}))

[ -x "$bundle" ] || { echo "test: $bundle is missing; swift build --build-tests builds it" >&2; exit 1; }
rm -rf "$logs"
mkdir -p "$logs"

targets=$(tr '\n' ' ' < Package.swift | grep -oE '\.testTarget\( *name: "[A-Za-z]+"' | sed 's/.*"\(.*\)"/\1/')
system=
for target in $targets; do
    case " $(echo $markup $values $browser $command) " in
    *" $target "*) ;;
    *) system="$system $target" ;;
    esac
done

# any WORD...: a regular expression that is one of the words.
any() {
    echo "($(echo "$@" | tr -s ' ' '|'))"
}

# lane NAME PREFIX [OPTION...]: runs the tests whose names begin so. What crashed leaves no status.
lane() {
    name=$1
    pattern="^(?=$2).*($filter)"
    shift 2
    {
        code=0
        timeout --foreground --kill-after=10 "$limit" "$bundle" --testing-library swift-testing --no-parallel \
            --filter "$pattern" --xunit-output "$logs/$name.xml" "$@" || code=$?
        echo "$code" > "$logs/$name.status"
    } 2>&1 | awk -v name="$name" -v log_file="$logs/$name.log" '
        # Arguments of tests may be megabytes: the log is for people.
        { gsub(/\033\[[0-9;]*m/, ""); line = substr($0, 1, 1000); print line > log_file; fflush(log_file) }
        /✘ Test .*(recorded an issue|Caught error)/ { print name ": " line; fflush(); detail = 4; next }
        detail > 0 { print name ": " line; fflush(); detail-- }'
}

# failed_in LANE: the failed tests of a lane as regular expressions of their names, a line each.
failed_in() {
    [ -f "$logs/$1.xml" ] || return 0
    awk '
        /<testcase / { test = $0 }
        /<failure/ && test != "" {
            suite = test; sub(/.* classname="/, "", suite); sub(/".*/, "", suite); gsub(/\./, "[./]", suite)
            name = test; sub(/.* name="/, "", name); sub(/[("].*/, "", name)
            print suite "/" name "[(]"
            test = ""
        }' "$logs/$1.xml"
}

# Real time is what the other lanes are about.
step_back() {
    renice -n 10 -p "$(sh -c 'echo $PPID')" > /dev/null 2>&1 || true
}

# shellcheck disable=SC2086
run_lane() {
    case $1 in
    markup) step_back && lane markup "$(any $markup)\\." ;;
    values) step_back && lane values "$(any $values)\\." ;;
    browser) lane browser "$(any $browser)\\." --skip "\\.$(any $hostile)/" ;;
    hostile)
        others="|$(any $command)\\.$(any $long)"
        [ -z "$engine" ] || others="|YabbiPlayTests\\.ConformanceTests"
        lane hostile "($(any $browser)\\.$(any $hostile)$others)/"
        ;;
    command) lane command "$(any $command)\\." --skip "\\.$(any $long)/" ;;
    system) lane system "$(any $system)\\." ;;
    esac
}

lanes="markup values browser hostile command system"
[ -z "$engine" ] || lanes="browser hostile"
for name in $lanes; do
    (run_lane "$name") &
    [ "${YABBI_LANES:-}" != 1 ] || wait
done
wait

unstable=
again=$(for name in browser hostile command system; do failed_in "$name"; done)
# More failures than these have another cause than a busy computer.
if [ -n "$again" ] && [ "$(echo "$again" | wc -l)" -le 10 ]; then
    for name in browser hostile command system; do
        tests=$(failed_in "$name")
        [ -n "$tests" ] || continue
        echo "Again, alone: $(echo $tests)"
        # shellcheck disable=SC2086
        (filter= && lane "$name-again" "$(any $tests)")
        if [ "$(cat "$logs/$name-again.status")" = 0 ]; then
            echo 0 > "$logs/$name.status"
            unstable="$unstable $(echo $tests)"
        fi
    done
fi

failed=
run=0
for lane in $lanes; do
    status=$(cat "$logs/$lane.status" 2>/dev/null || echo crashed)
    line=$(grep -E '^[^ ]+ Test run with [0-9]+ test' "$logs/$lane.log" | tail -1 || true)
    echo "$lane: ${line:-no result}"
    number=$(echo "$line" | sed -n 's/.*Test run with \([0-9]*\) test.*/\1/p')
    run=$((run + ${number:-0}))
    # 69: no test of this lane has such a name.
    case $status in
    0) ;;
    69) [ -n "$filter" ] || failed="$failed $lane" ;;
    *) failed="$failed $lane" ;;
    esac
    if [ -z "$line" ]; then
        # A crashed process says nothing of itself: the last test that started is the one.
        case $status in
        124 | 137) echo "$lane was ended after $limit seconds; its last lines:" ;;
        *) echo "$lane crashed; its last lines:" ;;
        esac
        grep '^[◇✔✘]' "$logs/$lane.log" | tail -5 || true
    fi
done
if grep -h '^➜ .* skipped' "$logs"/*.log > "$logs/skipped"; then
    echo "Skipped, each with its reason:"
    cat "$logs/skipped"
fi
echo "The slowest tests, in seconds:"
sed -nE 's/^[✔✘] Test (.*) (passed|failed) after ([0-9.]+) seconds.*/\3 \1/p' "$logs"/*.log | grep -v '^[0-9.]* run with' |
    sort -rn | head -20

if [ -z "$filter" ]; then
    all=$("$bundle" --testing-library swift-testing --list-tests | grep -cE "^${engine:+(BrowserStageTests\\.|YabbiPlayTests\\.ConformanceTests)}")
    if [ "$run" -ne "$all" ]; then
        echo "test: $all tests are built, and the lanes ran $run" >&2
        failed="$failed count"
    fi
elif [ "$run" -eq 0 ]; then
    echo "test: no test matches $filter" >&2
    failed="$failed filter"
fi
[ -z "$unstable" ] || echo "Unstable, passed only when run again alone:$unstable"
[ -z "$failed" ] || {
    echo "The failures once more:"
    grep -hE '✘ Test .*(recorded an issue|Caught error)' "$logs"/*.log | cut -c 1-400 | tail -20 || true
    echo "Failed:$failed" >&2
    exit 1
}
