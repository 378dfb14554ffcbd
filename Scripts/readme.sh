#!/bin/sh
# Puts the demo's output into the README: its first ad and its last line.
set -eu
cd "$(dirname "$0")/.."
said=$(mktemp)
output=$(mktemp)
trap 'rm -f "$said" "$output"' EXIT
# A demo that fails ends the script.
.build/release/yabbi-play demo --seed 1 > "$said"
sed -E 's#127\.0\.0\.1:[0-9]+#127.0.0.1:PORT#g' "$said" > "$output"
{
    sed '/demo:begin/q' README.md
    echo '```text'
    awk 'NF == 0 && started { exit } NF { started = 1 } started' "$output"
    echo '…'
    tail -n 1 "$output"
    echo '```'
    sed -n '/demo:end/,$p' README.md
} > README.md.new
mv README.md.new README.md
