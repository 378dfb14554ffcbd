#!/bin/sh
# Renders the videos in Creatives/media and their cards in Creatives/assets from the drawings in Scripts/videos. Run by
# hand; needs ffmpeg (with libx264, libvpx and libopus), rsvg-convert and the DejaVu fonts.
#
#   apt-get install ffmpeg librsvg2-bin fonts-dejavu-core
set -eu
cd "$(dirname "$0")/.."
for tool in ffmpeg rsvg-convert; do
    command -v "$tool" >/dev/null || { echo "videos: $tool is missing; see the top of this file" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fps=24
media=Creatives/media
assets=Creatives/assets
mkdir -p "$media" "$assets"

# chime LENGTH DECAY NOTES: a tone for each TIME:FREQUENCY that rings out, the left ear a little before the right.
chime() {
    awk -v length_="$1" -v decay="$2" -v notes="$3" '
        function ear(shift,    i, n, list, pair, text, at) {
            n = split(notes, list, " ")
            for (i = 1; i <= n; i++) {
                split(list[i], pair, ":")
                at = pair[1] + shift
                text = text (i > 1 ? "+" : "") sprintf( \
                    "gte(t,%.3f)*0.13*exp(-%.2f*(t-%.3f))*min(1,(t-%.3f)*90)*(sin(%.3f*(t-%.3f))+0.25*sin(%.3f*(t-%.3f)))", \
                    at, decay, at, at, 6.283185 * pair[2], at, 12.56637 * pair[2], at)
            }
            return text
        }
        BEGIN { printf "aevalsrc=exprs='\''%s|%s'\'':s=48000:d=%s", ear(0), ear(0.012), length_ }'
}

# frames SPOT: every frame as a picture, and the sound on its own.
frames() {
    mkdir "$work/$1"
    awk -v out="$work/$1" -v fps=$fps -f Scripts/videos/tween.awk -f "Scripts/videos/$1.awk" </dev/null
    find "$work/$1" -name '*.svg' | sed 's/\.svg$//' | xargs -P 2 -I '{}' rsvg-convert '{}.svg' -o '{}.png'
}

# encode SPOT NAME SCALE KILOBITS KIND: one file.
encode() {
    quietly="ffmpeg -hide_banner -loglevel error -y -framerate $fps -i $work/$1/%04d.png"
    out="$media/$2"
    scale="scale=$3:flags=lanczos,format=yuv420p"
    # Nothing in the file tells when or with what it was made.
    plain="-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact"
    case $5 in
    mp4)
        set -- -vf "$scale" -c:v libx264 -profile:v main -level 3.0 -preset veryslow -tune animation -g 96 -b:v "$4k"
        $quietly "$@" -pass 1 -passlogfile "$work/pass" -an -f null /dev/null
        $quietly -i "$work/sound.wav" "$@" -pass 2 -passlogfile "$work/pass" -c:a aac -b:a 48k -ac 2 -ar 48000 \
            -movflags +faststart $plain "$out"
        ;;
    webm)
        set -- -vf "$scale" -c:v libvpx-vp9 -row-mt 0 -threads 1 -deadline good -cpu-used 1 -g 96 -b:v "$4k"
        $quietly "$@" -pass 1 -passlogfile "$work/pass" -an -f null /dev/null
        $quietly -i "$work/sound.wav" "$@" -pass 2 -passlogfile "$work/pass" -c:a libopus -b:a 40k -ac 2 $plain "$out"
        ;;
    esac
}

# sound SOURCE [FILTER]: fades out at the end.
sound() {
    ffmpeg -hide_banner -loglevel error -y -f lavfi -i "$2" -af "afade=t=out:st=$(($1 - 1)):d=1${3:-}" "$work/sound.wav"
}

frames pluvello
plinks="0.4:293.66 1.5:369.99 2.7:293.66 3.4:329.63 4.1:369.99 4.8:440 5.5:587.33 5.9:739.99 6.3:880 6.7:739.99 7.1:659.26
    7.5:587.33 7.9:659.26 8.3:739.99 8.7:587.33 9.1:493.88 9.5:587.33 9.9:739.99 10.3:880 10.7:987.77 11.1:880 11.5:739.99
    11.9:659.26 12.3:587.33 12.3:293.66 12.7:739.99 13.1:880 13.1:440"
# Rain under the plinks, until the sun has come out.
sound 15 "$(chime 15 4 "$(echo $plinks)")[a];anoisesrc=c=pink:a=0.05:s=48000:d=15:r=48000:seed=3,highpass=f=900,afade=t=in:d=1,afade=t=out:st=10:d=2.5,aformat=channel_layouts=stereo[b];[a][b]amix=inputs=2:normalize=0"
encode pluvello pluvello.mp4 640:360 95 mp4
encode pluvello pluvello-small.mp4 426:240 45 mp4
encode pluvello pluvello.webm 640:360 90 webm
rsvg-convert "$work/pluvello/0345.svg" -o "$assets/pluvello-card.png"

frames sokketri
sound 6 "$(chime 6 7 "0.1:523.25 0.5:659.26 0.9:523.25 1.4:783.99 1.6:698.46 1.8:587.33 2:493.88 2.75:523.25 2.95:659.26 3.15:783.99 3.9:880 4.2:1046.5 4.6:783.99 4.8:1046.5 4.8:523.25")"
encode sokketri sokketri.mp4 640:360 190 mp4
encode sokketri sokketri.webm 640:360 170 webm

frames kumuloo
sound 10 "$(chime 10 3 "0.3:220 1.3:207.65 2.1:196 3:246.94 3.5:293.66 4:329.63 4.4:392 4.8:440 5.2:493.88 5.6:587.33 6.0:659.26 6.4:783.99 7.2:392 7.4:493.88 7.6:587.33 8.2:783.99 8.4:987.77 8.4:392")"
encode kumuloo kumuloo.mp4 360:640 130 mp4
encode kumuloo kumuloo.webm 360:640 120 webm

rsvg-convert Scripts/videos/sokketri-strip.svg -o "$assets/sokketri-strip.png"
rsvg-convert Scripts/videos/adinfo.svg -o "$assets/adinfo.png"
ls -l "$media"/* "$assets"/*.png
