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
export WINEPREFIX=$PWD/wine WINEDEBUG=-all
wine wineboot --init >wineboot.log 2>&1
wine geometry.exe --gtest_brief=1
