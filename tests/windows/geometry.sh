#!/usr/bin/env bash
# Compiles queries and a broad phase of collision with their tests for Windows, and runs them with Wine. This takes a
# minute; cross.sh beside it builds and runs all four libraries.
#
#   tests/windows/geometry.sh WORK          WORK is emptied
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
compiler=x86_64-w64-mingw32-g++-posix
for tool in $compiler wine; do
    command -v $tool >/dev/null || { echo "windows_geometry: skipped: $tool is not here"; exit 77; }
done
rm -rf "$1"
mkdir -p "$1/include"
cd "$1"
cp -r /usr/include/eigen3 /usr/include/hwy include  # not all of /usr/include, which is Linux's
flags=(-std=c++20 -O1 -DNDEBUG -ffp-contract=off "-Wa,-muse-unaligned-vector-move" -DHWY_COMPILE_ONLY_STATIC -mavx2 -mfma -I"$here"
    -Iinclude -isystem include/eigen3 -isystem /usr/src/googletest/googletest/include -I/usr/src/googletest/googletest)
warnings=(-DNOMINMAX -DWIN32_LEAN_AND_MEAN -Wall -Wextra -Wconversion -Wshadow -Werror)
"$compiler" "${flags[@]}" -c /usr/src/googletest/googletest/src/gtest-all.cc /usr/src/googletest/googletest/src/gtest_main.cc
sources=(collision/box/box collision/broad_phase/sorted_cells collision/query/{box_triangle,convex,hull_pair,matrix_game,minkowski,triangle})
tests=(tests/collision/broad_phase/sorted_cells_test tests/collision/query/{box_triangle,matrix_game,triangle}_test)
for name in "${sources[@]}" "${tests[@]}"; do
    "$compiler" "${flags[@]}" "${warnings[@]}" -c "$here/$name.cpp"
done
"$compiler" -static *.o -o geometry.exe
# Whether Wine works is the machine's matter, so only a program that started can fail this test. A first start of a new
# prefix can lose its server, so it has three tries.
export WINEPREFIX=$PWD/wine WINEDEBUG=-all
for try in 1 2 3; do
    rm -rf wine
    { timeout 90 wine wineboot --init && timeout 30 wine cmd /c exit 7; } >wineboot.log 2>&1 && status=0 || status=$?
    [ $status -ne 7 ] || break
    echo "windows_geometry: Wine did not start, try $try (exit $status): $(tail -1 wineboot.log)"
done
[ $status -eq 7 ] || { echo "windows_geometry: skipped: Wine starts no program here"; exit 77; }
wine geometry.exe --gtest_brief=1
