#!/usr/bin/env bash
# Installs the Debian packages in a fresh root, as a new user would, and runs the program and the README's consumers in
# C++, C and Python there.
#
#   tests/packaging/fresh_root.sh PACKAGES [FOLDER]
#
# PACKAGES is the folder that `cpack -G DEB` filled. FOLDER and requirements as in tests/fresh_root.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$here/tests/setup/root.sh"
packages=$(cd "$1" && pwd)

make_root "${2:-$(mktemp -d "${TMPDIR:-/tmp}/glovebox-root.XXXXXX")}"
rm -rf "$root/try"
mkdir "$root/try"
cp "$packages"/*.deb "$root/try"
cp -r "$here/tests/consumer" "$root/try"

install() {
    echo "fresh_root: installing $*"
    in_root /try "DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $* >install.log 2>&1" ||
        { tail -20 "$root/try/install.log" >&2; exit 1; }
}
in_root / "apt-get update -qq"
in_root / "dpkg -s glovebox libglovebox0 libglovebox-dev python3-glovebox >/dev/null 2>&1 &&
    dpkg -P glovebox libglovebox0 libglovebox-dev python3-glovebox || true"

install './glovebox_*.deb'
in_root /try "glovebox --version && glovebox replay flick --headless --check | tail -2 && glovebox layer status"
install './python3-glovebox_*.deb'
in_root /try "python3 consumer/touch.py"
install './libglovebox0_*.deb' './libglovebox-dev_*.deb' g++ make cmake pkg-config
in_root /try "cmake -S consumer -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build && ctest --test-dir build --no-tests=error"
in_root /try 'cc -std=c89 -pedantic consumer/touch.c -o touch_c $(pkg-config --cflags --libs glovebox) && ./touch_c'

echo "fresh_root: removing all of them"
in_root / "dpkg -P glovebox libglovebox0 libglovebox-dev python3-glovebox >/dev/null"
left=$(in_root / "find / -xdev -path /try -prune -o -iname '*glovebox*' -print")
[ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
echo "fresh_root: installed, ran, and gone without a trace"
