#!/usr/bin/env bash
# Builds tracking for Windows with Debian's MinGW-w64: it stands on Eigen alone there. With Wine, runs tests of it.
#
#   tests/windows/cross.sh FOLDER
#
# FOLDER gets the builds. Needs the packages g++-mingw-w64-x86-64-posix, googletest, libeigen3-dev and, for the tests, wine64.
# Run by hand: it compiles for minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
export GLOVEBOX_MINGW=$folder/prefix WINEPREFIX=$folder/wine WINEDEBUG=-all
jobs=${JOBS:-$(nproc)}

# configure SOURCE BUILD [OPTION...]
configure() {
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/tests/windows/mingw.cmake" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX="$GLOVEBOX_MINGW" -DCMAKE_INSTALL_LIBDIR=lib "${@:3}" >"$2.log" 2>&1 ||
        { tail -20 "$2.log" >&2; exit 1; }
}
mkdir -p "$GLOVEBOX_MINGW/include" "$GLOVEBOX_MINGW/share"
cp -rn /usr/include/eigen3 "$GLOVEBOX_MINGW/include"
cp -rn /usr/share/eigen3 "$GLOVEBOX_MINGW/share"
configure "$here" "$folder/glovebox" -DGLOVEBOX_APPLICATION=OFF -DGLOVEBOX_BUILD_TESTS=OFF -DGLOVEBOX_INSTALL=OFF \
    -DGLOVEBOX_COMPONENTS=tracking -DGLOVEBOX_WARNINGS_AS_ERRORS=ON
cmake --build "$folder/glovebox" -j "$jobs"

command -v wine >/dev/null || { echo "cross: built; Wine is not here, so nothing was run"; exit 0; }
configure /usr/src/googletest "$folder/gtest"
cmake --build "$folder/gtest" -j "$jobs"
cmake --install "$folder/gtest" >/dev/null
tests=("$here/tests/tracking/listener_test.cpp" "$here/tests/tracking/quoted_test.cpp")
x86_64-w64-mingw32-g++-posix -std=c++20 -static -I"$here" -I"$GLOVEBOX_MINGW/include" -isystem /usr/include/eigen3 "${tests[@]}" \
    "$folder/glovebox/tracking/libglovebox_tracking.a" -L"$GLOVEBOX_MINGW/lib" -lgmock -lgtest_main -lgtest -lws2_32 \
    -o "$folder/tests.exe"
wine wineboot --init >"$folder/wineboot.log" 2>&1
wine "$folder/tests.exe" --gtest_brief=1
