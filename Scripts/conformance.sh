#!/bin/sh
# Runs the measuring and interactive examples of a folder in a real browser, and prints a table with one line for each.
#
#   Scripts/conformance.sh FOLDER
#
# The folder may be a checkout of public examples. What a file is, its content says:
#   omid    a script that calls registerSessionObserver: it measures a video as a verification script
#   vpaid   a script with a function getVPAIDAd: it plays in place of a video
#   simid   a page whose text or file name has "simid", or one of whose scripts creates a SIMID session
#   mraid   a page with "mraid" in its text, or in that of one of its scripts
# Files in folders named player, test or tests are left out, as are sources that must be compiled first (goog.module).
#
# An example passes if it runs through: a script that is told of the session, the impression and all quartiles; a page
# that creates its session, is initialized, started and told of the end; a program from AdLoaded to AdStopped; an MRAID ad
# that finds its object and its own files, without a refused call. A file can say that something else is right, in a comment:
#   conformance: error 1223     this error of VAST is reported
#   conformance: ends           the ad ends by itself or is ended, whatever the example says
#   conformance: part           it is loaded by another example, and is none itself
#   conformance: ok             it requests a path that ends in /ok, and may have calls refused
# A request for a path that ends in /wrong or /leak is a failure that the example has found itself.
# A file NAME.params beside it holds its AdParameters or VerificationParameters.
#
# YABBI_PLAY is the command (.build/debug/yabbi-play), YABBI_STAGE its stage (chromium), YABBI_FLAGS has further flags for
# it, and YABBI_JOBS is how many run at a time (2). The exit code is 1 if an example fails, and 2 for invalid usage.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
play=${YABBI_PLAY:-$root/.build/debug/yabbi-play}

# One example: its number, protocol and file, in the folder of the run.
run_one() {
    number=$1 protocol=$2 file=$3
    lines=$work/$number.json
    steps=close@12s speed=8 format=interstitial
    # Scripts that measure have timers of their own.
    [ "$protocol" = omid ] && steps=close@8s speed=2
    [ "$protocol" = simid ] && steps=click@2s,click@4s,close@14s
    [ "$protocol" = mraid ] && format=banner steps=click@1s,cover@2s,uncover@2500ms,"volume 30@3s",close@20s
    flags=
    [ "$protocol" = vpaid ] && flags=--vpaid
    # shellcheck disable=SC2086
    "$play" show --creatives "$work/root" --unit "example-$number" --format "$format" --stage "${YABBI_STAGE:-chromium}" --json --speed "$speed" \
        --do "$steps" $flags ${YABBI_FLAGS:-} >"$lines" 2>"$work/$number.err" || true
    expected=$(sed -n 's/.*conformance: *\(error [0-9]*\|ends\|ok\).*/\1/p' "$work/root/$file" | head -1)
    has() { grep -q "$1" "$lines"; }
    did() { has "\"event\":\"$protocol\",\"direction\":\"$1\",\"type\":\"$2\""; }
    result=fail
    what=
    case $protocol in
    omid)
        what=$(sed -n 's/.*"event":"verdict","of":"omid[^"]*".*"reason":"\([^"]*\)".*/\1/p' "$lines" | head -1)
        if has '"outcome":"measured"' && did out complete && did out sessionFinish; then result=pass; fi
        ;;
    simid)
        for step in in:createSession out:Player:init out:Player:startCreative in:Creative: out:Player:ad; do
            if has "\"event\":\"simid\",\"direction\":\"${step%%:*}\",\"type\":\"${step#*:}"; then
                what="$what ${step#*:}"
            fi
        done
        if did in createSession && did out Player:startCreative && has '"type":"Player:ad\(Stopped\|Skipped\)"' &&
            ! has '"name":"error"\|"event":"beaconRecorded".*/error'; then result=pass; fi
        ;;
    vpaid)
        what=$(sed -n 's/.*"event":"vpaid","direction":"in","type":"\(Ad[A-Za-z]*\)".*/\1/p' "$lines" | uniq |
            grep -v AdRemainingTimeChange | head -14 | tr '\n' ' ')
        if did in AdLoaded && did in AdStarted && did in 'Ad\(Stopped\|Skipped\)'; then result=pass; fi
        ;;
    mraid)
        what=$(sed -n 's/.*"event":"mraid","direction":"in","type":"\([A-Za-z]*\)".*/\1/p' "$lines" | sort -u | head -10 |
            tr '\n' ' ')
        missing=$(sed -n 's/.*"event":"requestFailed","url":"[^"]*\/creatives\/\([^"]*\)".*/\1/p' "$lines" | head -1)
        if has '"event":"shown"' && has '"event":"mraid"' && ! has '"event":"mraid".*"outcome":"refused"'; then
            result=pass
        fi
        if [ -n "$missing" ]; then result=fail what="$missing is missing"; fi
        ;;
    esac
    codes=$(sed -n 's/.*"event":"beaconRecorded".*error[^"]*code=\([0-9]*\).*/\1/p' "$lines" | tr '\n' ' ')
    [ -n "$codes" ] && what="$what error $codes"
    case $expected in
    error*)
        result=fail
        case " $codes" in *" ${expected#error } "*) result=pass ;; esac
        ;;
    ok) if has '"event":"fetch".*/ok[?"]'; then result=pass; else result=fail; fi ;;
    ends) if has '"event":"closed"'; then result=pass; else result=fail; fi ;;
    esac
    if has '"event":"fetch".*/\(wrong\|leak\)?what='; then
        result=fail
        what=$(sed -n 's/.*"event":"fetch".*\(\/\(wrong\|leak\)?what=[^"]*\)".*/\1/p' "$lines" | head -1)
    fi
    has '"event":"shown"' || what="$what $(sed -n 's/.*"event":"\(load\|show\)Failed".*"message":"\([^"]*\)".*/\2/p' "$lines" | head -1)"
    printf '%s\t%-5s\t%-44s\t%-4s\t%s\n' "$number" "$protocol" "$file" "$result" "$(echo "$what" | cut -c1-160)" \
        >"$work/$number.row"
}

if [ "${1:-}" = --one ]; then
    work=$2
    run_one "$3" "$4" "$5"
    exit 0
fi
if [ $# -ne 1 ] || [ ! -d "${1:-}" ]; then
    echo "usage: Scripts/conformance.sh FOLDER" >&2
    exit 2
fi
if [ ! -x "$play" ]; then
    echo "conformance: $play is missing; run \"make play\" first" >&2
    exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
mkdir -p "$work/root/conformance"
cp "$root"/Creatives/media/sokketri.* "$work/root/conformance/"
(cd "$1" && find . -type f -size -4096k ! -path '*/.*' ! -path '*/node_modules/*' | sort) | sed 's|^\./||' >"$work/all"
while read -r file; do
    mkdir -p "$work/root/$(dirname "$file")"
    cp "$1/$file" "$work/root/$file"
done <"$work/all"

protocol_of() {
    if grep -q 'conformance: part' "$2"; then return 0; fi
    case $1 in */player/* | */test/* | */tests/* | player/* | test/* | tests/*) return 0 ;; esac
    case $1 in
    *.js)
        if grep -q 'goog\.module' "$2"; then return 0; fi
        if grep -q getVPAIDAd "$2"; then
            echo vpaid
        elif grep -q 'registerSessionObserver' "$2"; then
            echo omid
        fi
        ;;
    *.html | *.htm)
        case $1 in *simid*) echo simid && return 0 ;; esac
        if grep -qi simid "$2"; then
            echo simid
        elif grep -qi mraid "$2"; then
            echo mraid
        else
            for script in $(sed -n 's/.*<script[^>]*src=["'\'']\([^"'\''?]*\).*/\1/p' "$2"); do
                script=$(dirname "$2")/$script
                if grep -qs createSession "$script"; then
                    echo simid
                    return 0
                elif grep -qs 'mraid\.' "$script"; then
                    echo mraid
                    return 0
                fi
            done
        fi
        ;;
    esac
}

number=0
: >"$work/list"
while read -r file; do
    protocol=$(protocol_of "$file" "$work/root/$file")
    [ -n "$protocol" ] || continue
    number=$((number + 1))
    printf '%s\n%s\n%s\n' "$number" "$protocol" "$file" >>"$work/list"
    params=
    [ -f "$work/root/$file.params" ] && params=$(cat "$work/root/$file.params")
    url="\${SANDBOX}/creatives/$file"
    media="<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\"><![CDATA[\${SANDBOX}/creatives/conformance/sokketri.mp4]]></MediaFile><MediaFile delivery=\"progressive\" type=\"video/webm\" width=\"640\" height=\"360\"><![CDATA[\${SANDBOX}/creatives/conformance/sokketri.webm]]></MediaFile>"
    before=
    case $protocol in
    mraid)
        # Its markup is served without its place, from which its own files are found.
        place=$(dirname "$file")/
        [ "$place" = ./ ] && place=
        { printf '<base href="${SANDBOX}/creatives/%s">' "$place" && cat "$work/root/$file"; } >"$work/root/conformance/$number.html"
        ;;
    omid)
        vendor=$(sed -n 's/.*["'\'']\([a-z0-9.-]*-omid\)["'\''].*/\1/p' "$work/root/$file" | head -1)
        before="<AdVerifications><Verification vendor=\"${vendor:-vendor.example-omid}\"><JavaScriptResource apiFramework=\"omid\" browserOptional=\"true\"><![CDATA[$url]]></JavaScriptResource><VerificationParameters><![CDATA[$params]]></VerificationParameters></Verification></AdVerifications>"
        ;;
    simid) media="$media<InteractiveCreativeFile type=\"text/html\" apiFramework=\"SIMID\" variableDuration=\"true\"><![CDATA[$url]]></InteractiveCreativeFile>" ;;
    vpaid) media="<MediaFile delivery=\"progressive\" type=\"application/javascript\" apiFramework=\"VPAID\" width=\"640\" height=\"360\"><![CDATA[$url]]></MediaFile>" ;;
    esac
    {
        echo '<VAST version="4.2"><Ad id="1"><InLine><AdSystem>examples</AdSystem>'
        echo "<AdTitle>Example $number</AdTitle><AdServingId>1</AdServingId>"
        echo "<Error><![CDATA[\${SANDBOX}/t/vast/examples/$number/error?code=[ERRORCODE]]]></Error>"
        echo "<Impression><![CDATA[\${SANDBOX}/t/vast/examples/$number/impression]]></Impression>$before"
        echo '<Creatives><Creative id="1"><UniversalAdId idRegistry="none">1</UniversalAdId>'
        case "$protocol:$file" in
        simid:*onlinear*)
            echo '<NonLinearAds><NonLinear width="320" height="100" minSuggestedDuration="00:00:08">'
            echo "<IFrameResource type=\"text/html\" apiFramework=\"SIMID\"><![CDATA[$url]]></IFrameResource>"
            echo "<AdParameters><![CDATA[$params]]></AdParameters></NonLinear></NonLinearAds>"
            ;;
        *)
            echo '<Linear skipoffset="00:00:01"><Duration>00:00:06</Duration>'
            echo "<AdParameters><![CDATA[$params]]></AdParameters>"
            echo '<VideoClicks><ClickThrough><![CDATA[${SANDBOX}/landing]]></ClickThrough></VideoClicks>'
            echo "<MediaFiles>$media</MediaFiles></Linear>"
            ;;
        esac
        echo '</Creative></Creatives></InLine></Ad></VAST>'
    } >"$work/root/conformance/$number.xml"
done <"$work/all"
if [ "$number" -eq 0 ]; then
    echo "conformance: $1 has no example of OMID, SIMID, VPAID or MRAID" >&2
    exit 2
fi

# The manifest of the server: an ad for each example; the first one lists all files, so that they are served.
{
    echo '{ "version": 1, "creatives": ['
    comma=
    while read -r number && read -r protocol && read -r file; do
        kind=2 source="conformance/$number.xml" format=interstitial width=0 height=0
        [ "$protocol" = mraid ] && kind=1 source="conformance/$number.html" format=banner width=320 height=250
        assets=
        if [ "$number" -eq 1 ]; then
            assets=$(sed 's|.*|"&"|' "$work/all" | tr '\n' ',')
            assets=", \"assets\": [$assets \"conformance/sokketri.mp4\", \"conformance/sokketri.webm\"]"
        fi
        printf '%s{ "name": "example-%s", "title": "Example %s", "file": "%s", "type": %s, "width": %s, "height": %s, "closeTimeout": 0, "format": "%s", "about": "An example."%s }\n' \
            "$comma" "$number" "$number" "$source" "$kind" "$width" "$height" "$format" "$assets"
        comma=,
    done <"$work/list"
    echo '] }'
} >"$work/root/manifest.json"

tr '\n' '\0' <"$work/list" | xargs -0 -P "${YABBI_JOBS:-2}" -n 3 "$0" --one "$work"
cat "$work"/*.row | sort -n | cut -f2- | tr '\t' ' '
failed=$(cut -f4 "$work"/*.row | grep -c fail || true)
total=$(cat "$work"/*.row | wc -l)
echo "$((total - failed)) of $total examples pass"
[ "$failed" -eq 0 ]
