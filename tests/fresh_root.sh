#!/usr/bin/env bash
# Runs the two commands of the README in a fresh Debian root that contains only git, bash and apt.
#
#   tests/fresh_root.sh [FOLDER] [RECORDING]
#
# FOLDER (default: a new one under $TMPDIR) gets the root, made with debootstrap; it is kept, so a second run is quick.
# RECORDING is replayed too. Needs root, debootstrap and a Debian mirror (MIRROR, default deb.debian.org).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$here/tests/setup/root.sh"
recording=${2:-}

make_root "${1:-$(mktemp -d "${TMPDIR:-/tmp}/glovebox-root.XXXXXX")}" git
rm -rf "$root/glovebox"
git clone --quiet "$here" "$root/glovebox"
[ -z "$recording" ] || cp "$recording" "$root/recording"

echo "fresh_root: ./run.sh"
in_root /glovebox "./run.sh"
[ -z "$recording" ] || { echo "fresh_root: ./run.sh replay"; in_root /glovebox "./run.sh replay /recording --headless --check"; }
echo "fresh_root: ./test.sh"
in_root /glovebox "./test.sh"
echo "fresh_root: a second run without network"
in_root /glovebox "unshare --net ./run.sh info flick"
