#!/usr/bin/env bash
# Makes the packages of a built tree and tries them: twice the same bytes, accepted by lintian, all dependencies known, a
# bill of materials that names what is linked, no folder of this machine named, and, unpacked into a folder, a program, a C and a C++ library and a Python module that work.
# tests/packaging/fresh_root.sh installs them; that takes a network.
#
#   tests/packaging/packages.sh BUILD WORK PYTHON          WORK is emptied
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$1" && pwd)
work=$2
python=$3
for tool in dpkg-deb dpkg-shlibdeps; do
    command -v "$tool" >/dev/null || { echo "packages: skipped: $tool is not here" >&2; exit 77; }
done
fail() { echo "packages: $*" >&2; exit 1; }
# grep without -q: it reads to the end, so no program is killed by a closed pipe.
rm -rf "$work"
mkdir -p "$work/root" "$work/tar"
work=$(cd "$work" && pwd)

for time in first second; do
    for generator in DEB External; do
        (cd "$build" && cpack -G "$generator" -B "$work/$time" -D compression=gzip) >"$work/cpack.log" 2>&1 ||
            { cat "$work/cpack.log" >&2; fail "cpack -G $generator failed"; }
    done
    sleep 1
done
debs=("$work"/first/*.deb)
[ ${#debs[@]} -eq 4 ] || fail "four Debian packages were expected: ${debs[*]}"
for package in "${debs[@]}" "$work"/first/*.tar.gz; do
    cmp "$package" "$work/second/$(basename "$package")" || fail "two runs of cpack differ"
done

if command -v lintian >/dev/null; then
    (cd "$work" && lintian --profile debian --no-user-dirs --allow-root --fail-on error,warning "${debs[@]}") ||
        fail "lintian has something against a package"
else
    echo "packages: lintian is not here"
fi

for deb in "${debs[@]}"; do
    for name in $(dpkg-deb -f "$deb" Depends | grep -oE '(^|, )[a-z0-9.+-]+' | tr -d ', '); do
        case $name in libglovebox*) continue ;; esac
        dpkg-query -W "$name" >/dev/null || fail "$(basename "$deb") depends on $name, which is not installed here"
    done
    dpkg-deb -x "$deb" "$work/root"
done
"$python" "$here/tests/packaging/bill.py" "$build" "$work/root" || fail "the bill of materials is not that of the packages"
tar -xzf "$work"/first/*.tar.gz -C "$work/tar"
named=$(grep -rlF -e "$here" -e "$build" -e "$work" "$work/root" "$work/tar" || true)
[ -z "$named" ] || fail "a folder of this machine is named in $named"

bills=$(find "$work/root" "$work/tar" -name glovebox.spdx.json -exec sha256sum {} + | cut -d' ' -f1 | sort -u | wc -l)
[ "$bills" -eq 1 ] || fail "the tar has another bill of materials than the packages, or none"
export XDG_CACHE_HOME=$work/cache
cd "$work"
mv tar/glovebox-* moved
for program in root/usr/bin/glovebox moved/bin/glovebox; do
    "$program" replay flick --headless --report "$work/report.json" >/dev/null
    grep -q '"state_hash"' report.json || fail "$program wrote no report"
    rm report.json
    "$program" bench --list | grep "^frame " >/dev/null || fail "$program does not find its benches"
    "$program" layer status | grep "library $work/${program%/bin/*}/lib/.*libXrApiLayer_glovebox.so$" >/dev/null ||
        fail "$program does not find its layer"
    # Only this layer supports hands; the runtime does not.
    echo "without XR_EXT_hand_tracking" >no_hands.txt
    HAND_RUNTIME_SCRIPT=$work/no_hands.txt XR_RUNTIME_JSON=$build/runtime/hand_test_runtime.json \
        "$program" layer run --replay grasp -- "$build/bin/hand_app" --frames 5 | grep "^hand 4 1 1 " >/dev/null ||
        fail "the layer of $program does not load"
done
for prefix in root/usr moved; do
    PYTHONPATH=$prefix/lib/python3/dist-packages "$python" "$here/tests/consumer/touch.py" | grep "right index ball" >/dev/null ||
        fail "the Python module of $prefix does not work"
    lib=$(dirname "$(dirname "$(find "$prefix" -name glovebox.pc)")")
    export PKG_CONFIG_PATH=$lib/pkgconfig
    # shellcheck disable=SC2046
    cc -std=c89 "$here/tests/consumer/touch.c" -o touch_c $(pkg-config --cflags --libs glovebox)
    LD_LIBRARY_PATH=$lib ./touch_c | grep "touches ball" >/dev/null || fail "the C library of $prefix does not work"
done
# shellcheck disable=SC2046
c++ -std=c++20 "$here/tests/consumer/touch.cpp" -o touch $(pkg-config --cflags --libs glovebox-scenes glovebox-recordings)
./touch | grep "touches ball" >/dev/null || fail "the C++ libraries do not work"
echo "packages: ${#debs[@]} Debian packages and a tar, the same twice"
