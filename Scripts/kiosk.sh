#!/bin/sh
# Builds Examples/LinuxKiosk as an app would, tests it, and runs it against the built-in server, with Chromium and, if its
# helper is built (make webkit), with WebKit. Each runs to its end, is killed with an ad on screen, and is ended by
# SIGTERM, over one ledger: the impressions that the ledger has and those that the server counted must be the same.
# With Xvfb each also shows its ads in windows on a display.
set -eu
cd "$(dirname "$0")/.."
play=.build/debug/yabbi-play
kiosk=Examples/LinuxKiosk/.build/debug/LinuxKiosk
work=$(mktemp -d)
sandbox=
running=
screen=

fail() {
    echo "kiosk: $*" >&2
    exit 1
}

clean_up() {
    for process in $running $sandbox $screen; do kill -9 "$process" 2> /dev/null || true; done
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# wait_for TEXT FILE: waits until a line with the text is in the file, for a minute at most.
wait_for() {
    for _ in $(seq 600); do
        ! grep -q "$1" "$2" 2> /dev/null || return 0
        sleep 0.1
    done
    cat "$2" >&2
    fail "no line with \"$1\" came in a minute"
}

# start ENGINE LOG OPTION...: starts a kiosk in a session of its own, whose number is that of its process.
start() {
    log=$2
    engine=$1
    shift 2
    setsid "$kiosk" --engine "$engine" --url "$url/yabbi/load" --allow-host "$url" --ledger "$work/$engine" \
        --at-least-once --screen 800x600 --show 2s --pause 0.2s "$@" \
        interstitial video-short playable > "$log" 2>&1 &
    running=$!
}

# ended: nothing of the last kiosk is left.
ended() {
    for _ in $(seq 100); do
        ps -o pid= -s "$running" > "$work/left" || { running= && return 0; }
        sleep 0.1
    done
    fail "processes of the kiosk are left: $(tr '\n' ' ' < "$work/left")"
}

end_screen() {
    kill "$screen"
    wait "$screen" || true
    screen=
}

# in_windows ENGINE: shows ads on a display of its own, whose pixels must change.
in_windows() {
    command -v Xvfb > /dev/null || { echo "kiosk: $1: windows were skipped: Xvfb is not installed" && return 0; }
    mkdir "$work/$1-pixels"
    Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp -fbdir "$work/$1-pixels" \
        3> "$work/display" 2> "$work/screen" &
    screen=$!
    wait_for "." "$work/display"
    cp "$work/$1-pixels/Xvfb_screen0" "$work/empty"
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
    start "$1" "$work/windows" --windowed --count 3
    unset DISPLAY
    # The line of an ad comes when it is over.
    for _ in $(seq 600); do
        cmp -s "$work/empty" "$work/$1-pixels/Xvfb_screen0" && ! grep -q "no browser was found" "$work/windows" || break
        sleep 0.1
    done
    if grep "no browser was found" "$work/windows" > "$work/missing"; then
        kill "$running" 2> /dev/null || true
        wait "$running" || true
        ended
        end_screen
        echo "kiosk: $1: windows were skipped: $(head -1 "$work/missing")"
        return 0
    fi
    ! cmp -s "$work/empty" "$work/$1-pixels/Xvfb_screen0" || fail "$1: ads are shown, and the display stays empty"
    wait "$running" || { cat "$work/windows" >&2 && fail "$1: the kiosk with windows failed"; }
    ended
    end_screen
}

# check ENGINE
check() {
    "$play" sandbox > "$work/sandbox" &
    sandbox=$!
    wait_for "listening on" "$work/sandbox"
    url=$(sed -n 's/^listening on //p' "$work/sandbox")

    start "$1" "$work/whole" --count 3
    wait "$running" || { cat "$work/whole" >&2 && fail "$1: the kiosk failed"; }
    ended
    start "$1" "$work/killed"
    wait_for "impression recorded" "$work/killed"
    sleep 2
    kill -9 "$running"
    wait "$running" || true
    ended
    start "$1" "$work/stopped"
    wait_for "impression recorded" "$work/stopped"
    sleep 2
    kill -TERM "$running"
    wait "$running" || { cat "$work/stopped" >&2 && fail "$1: SIGTERM does not end it cleanly"; }
    ended
    in_windows "$1"

    "$play" reconcile --ledger "$work/$1" --hits "$url" > "$work/reconciled" ||
        { cat "$work/reconciled" >&2 && fail "$1: what was recorded and what the server counted differ"; }
    shown=$(cat "$work/whole" "$work/killed" "$work/stopped" "$work/windows" 2> /dev/null | grep -c "impression recorded")
    # A video has impressions of its VAST and of its provider.
    recorded=$("$play" outbox list --json --ledger "$work/$1" | grep -E '"event":"(view|impression)"' |
        grep -o '"ad":"[^"]*"' | sort -u | wc -l)
    # Of the ad that was on screen at kill -9 the kiosk has no line.
    [ "$recorded" = "$shown" ] || [ "$recorded" = $((shown + 1)) ] ||
        fail "$1: $shown ads have a line, and $recorded have an impression in the ledger"
    kill "$sandbox"
    wait "$sandbox" || true
    sandbox=
    echo "kiosk: $1: $shown ads shown, and one killed; $(tail -1 "$work/reconciled")"
}

swift build --package-path Examples/LinuxKiosk --build-tests -Xswiftc -gnone
swift test --package-path Examples/LinuxKiosk --skip-build
check chromium
helper=${YABBI_WEBKIT:-$PWD/.build/webkit/yabbi-webkit}
if [ -x "$helper" ]; then
    export YABBI_WEBKIT="$helper"
    check webkit
else
    echo "kiosk: webkit was skipped: its helper is not built (make webkit)"
fi
