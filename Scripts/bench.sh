#!/bin/sh
# Runs all benchmarks and writes docs/benchmarks.jsonl, docs/BENCHMARKS.md and the README's table. With a file of records
# (a path from the package's folder) it runs nothing and writes the pages from them. Options of yabbi-bench may follow.
set -eu
cd "$(dirname "$0")/.."
# Some benchmarks run the command in a process of its own.
for product in yabbi-bench yabbi-play; do
    swift build -c release --product "$product" --explicit-target-dependency-import-check error >&2
done
bench=.build/release/yabbi-bench
records=.build/bench.jsonl
case ${1-} in
'' | -*)
    commit=$(git rev-parse --short HEAD 2>/dev/null || true)
    "$bench" all --json --date "$(date -u +%F)" ${commit:+--commit "$commit"} "$@" > "$records"
    # The results of long tests, which no benchmark repeats.
    grep '"record":"longTest"' docs/benchmarks.jsonl >> "$records" || true
    ;;
*) records=$1 ;;
esac
mkdir -p docs
"$bench" page "$records" > docs/BENCHMARKS.md.new
{
    sed '/figures:begin/q' README.md
    "$bench" rows "$records"
    sed -n '/figures:end/,$p' README.md
} > README.md.new
[ "$records" = docs/benchmarks.jsonl ] || cp "$records" docs/benchmarks.jsonl
mv docs/BENCHMARKS.md.new docs/BENCHMARKS.md
mv README.md.new README.md
