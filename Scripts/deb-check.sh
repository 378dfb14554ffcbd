#!/bin/sh
# Installs the package in a clean root, which has nothing but the package's dependencies, and tries it there.
#
#   Scripts/deb-check.sh     after Scripts/deb.sh; as root, with debootstrap; MIRROR overrides the Debian mirror
set -eu
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
for tool in debootstrap chroot mount; do
    command -v "$tool" > /dev/null || {
        echo "deb-check: $tool is missing; apt-get install debootstrap" >&2
        exit 1
    }
done
[ "$(id -u)" -eq 0 ] || {
    echo "deb-check: debootstrap must run as root" >&2
    exit 1
}
package=
for file in .build/deb/yabbi_*.deb; do package=$file; done
[ -f "$package" ] || {
    echo "deb-check: no package in .build/deb; run Scripts/deb.sh first" >&2
    exit 1
}
root=$(mktemp -d)
trap 'umount "$root/proc" 2> /dev/null || true; rm -rf --one-file-system "$root"; rm -f "$root.log"' EXIT
# A shell that is ended by a signal may skip the trap above.
trap 'exit 130' INT
trap 'exit 143' TERM HUP
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
echo "deb-check: a clean root of $release"
debootstrap --variant=minbase "$release" "$root" ${MIRROR:+"$MIRROR"} > "$root.log" 2>&1 || {
    tail -5 "$root.log" >&2
    exit 1
}
# Swift's runtime reads the program's arguments from /proc.
mount -t proc proc "$root/proc"
cp "$package" "$root/tmp/yabbi.deb"
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
# quietly COMMAND...: runs a command in the root and prints its output only if it fails.
quietly() {
    inside "$@" > "$root.log" 2>&1 || {
        echo "deb-check: $* failed:" >&2
        tail -20 "$root.log" >&2
        exit 1
    }
}

quietly apt-get install -y -qq --no-install-recommends /tmp/yabbi.deb
inside yabbi-play --version
inside yabbi-play demo --stage terminal --seed 1 > "$root.log" || {
    tail -20 "$root.log" >&2
    exit 1
}
tail -1 "$root.log"
grep -q ' 0 lost, 0 doubled' "$root.log" || {
    echo "deb-check: the demo's beacons do not reconcile" >&2
    exit 1
}
inside yabbi-play lint /usr/share/yabbi/Creatives/banner-320x50.html
inside yabbi-play doctor || [ $? -eq 5 ]
for file in man/man1/yabbi-play.1.gz bash-completion/completions/yabbi-play zsh/vendor-completions/_yabbi-play \
    fish/vendor_completions.d/yabbi-play.fish; do
    file=/usr/share/$file
    [ -s "$root$file" ] || {
        echo "deb-check: $file is missing" >&2
        exit 1
    }
done
quietly apt-get purge -y -qq yabbi
left=$(inside find /usr /etc /var/lib -path '*yabbi*')
[ -z "$left" ] || {
    echo "deb-check: left behind: $left" >&2
    exit 1
}
echo "deb-check: it installs, runs, and leaves nothing behind in /usr, /etc and /var/lib"
