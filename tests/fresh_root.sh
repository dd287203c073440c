#!/usr/bin/env bash
# Tries the two commands of the README in a fresh Debian root that holds nothing but git, bash and apt.
#
#   tests/fresh_root.sh [FOLDER] [RECORDING]
#
# FOLDER (default: a new one under $TMPDIR) gets the root, made with debootstrap; it is kept, so a second run is quick.
# RECORDING is replayed too. Needs root, debootstrap and a Debian mirror (MIRROR, default deb.debian.org).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$(mktemp -d "${TMPDIR:-/tmp}/glovebox-root.XXXXXX")}
recording=${2:-}
mirror=${MIRROR:-http://deb.debian.org/debian}

[ "$(id -u)" -eq 0 ] || { echo "fresh_root: run as root: it makes a root with debootstrap" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "fresh_root: install debootstrap first" >&2; exit 1; }

if [ ! -x "$folder/bin/bash" ]; then
    echo "fresh_root: making $folder"
    debootstrap --variant=minbase --include=git,ca-certificates bookworm "$folder" "$mirror" >"$folder.log" 2>&1 ||
        { tail -5 "$folder.log" >&2; exit 1; }
fi
cp /etc/resolv.conf "$folder/etc/resolv.conf"
rm -rf "$folder/glovebox"
git clone --quiet "$here" "$folder/glovebox"
[ -z "$recording" ] || cp "$recording" "$folder/recording"

for mount in proc sys dev; do
    mountpoint -q "$folder/$mount" || mount --rbind "/$mount" "$folder/$mount"
done
cleanup() { for mount in proc sys dev; do umount -R -l "$folder/$mount" 2>/dev/null || true; done; }
trap cleanup EXIT

in_root() { chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 bash -c "cd /glovebox && $1"; }
echo "fresh_root: ./run.sh"
in_root "./run.sh"
[ -z "$recording" ] || { echo "fresh_root: ./run.sh replay"; in_root "./run.sh replay /recording --headless --check"; }
echo "fresh_root: ./test.sh"
in_root "./test.sh"
echo "fresh_root: a second run without network"
chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin unshare --net bash -c "cd /glovebox && ./run.sh info flick"
