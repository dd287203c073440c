#!/usr/bin/env bash
# Builds the libraries for Windows with Debian's MinGW-w64 and, with Wine, runs tests of them.
#
#   tests/windows/cross.sh FOLDER
#
# FOLDER gets the builds; a second run continues there. Needs what libraries.sh beside it names, googletest, python3 and,
# for the tests, wine64. Run by hand: it takes a network and a quarter of an hour of one core.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
export GLOVEBOX_MINGW=$folder/prefix WINEPREFIX=$folder/wine WINEDEBUG=-all
jobs=${JOBS:-$(nproc)}

# build NAME SOURCE [OPTION...]: with little optimization, which compiles faster, and then warns of too much.
build() {
    {
        cmake -S "$2" -B "$folder/$1" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/tests/windows/mingw.cmake" \
            -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG -Wno-maybe-uninitialized" \
            -DCMAKE_INSTALL_PREFIX="$GLOVEBOX_MINGW" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_FIND_PACKAGE_PREFER_CONFIG=ON "${@:3}" &&
            cmake --build "$folder/$1" -j "$jobs"
    } >"$folder/$1.log" 2>&1 || { grep -E 'rror|FAILED' "$folder/$1.log" | head -20 >&2; tail -5 "$folder/$1.log" >&2; exit 1; }
}
"$here/tests/windows/libraries.sh" "$folder"
echo "cross: glovebox"
build glovebox "$here" -DGLOVEBOX_APPLICATION=OFF -DGLOVEBOX_BUILD_TESTS=OFF -DGLOVEBOX_INSTALL=OFF \
    -DGLOVEBOX_COMPONENTS="collision;tracking;recordings;scenes" -DGLOVEBOX_UNITY=ON -DGLOVEBOX_WARNINGS_AS_ERRORS=ON
command -v wine >/dev/null || { echo "cross: built; Wine is not here, so nothing was run"; exit 0; }

echo "cross: tests"
build gtest /usr/src/googletest
cmake --install "$folder/gtest" >/dev/null
python3 -B "$here/tests/golden/make.py" "$folder/golden" >/dev/null
build tests "$here/tests/windows" -Dglovebox_DIR="$folder/glovebox" -DGOLDEN="$folder/golden"
wine wineboot --init >"$folder/wineboot.log" 2>&1
wine "$folder/tests/tests.exe" --gtest_brief=1
