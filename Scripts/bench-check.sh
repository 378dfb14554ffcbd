#!/bin/sh
# Measures the quick benchmarks, or those that are named, and compares their ratios with docs/benchmarks.jsonl. Exits with
# 1 if one is worse by more than its spread. One that is worse is measured a second time: a busy computer is no reason.
set -eu
cd "$(dirname "$0")/.."
swift build -c release --product yabbi-bench --explicit-target-dependency-import-check error >&2
bench=.build/release/yabbi-bench
measured=.build/bench-check.jsonl
[ $# -gt 0 ] || set -- load parse lint cards recording pool wire frames

# check NAME: whether no ratio of the benchmark is worse.
check() {
    "$bench" "$1" --json > "$measured" || { echo "bench-check: $1 can't be measured" >&2 && exit 2; }
    "$bench" compare docs/benchmarks.jsonl "$measured"
}

worse=
for name in "$@"; do check "$name" || { echo "bench-check: once more: $name" && check "$name"; } || worse="$worse $name"; done
[ -z "$worse" ] || { echo "bench-check: worse than docs/benchmarks.jsonl:$worse" >&2 && exit 1; }
