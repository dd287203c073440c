#!/usr/bin/env bash
# Compiles the files that hold Windows' calls, NAME_windows.cpp, with MinGW-w64. They need no library's headers, so this takes
# seconds; cross.sh beside it builds and runs more.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compiler=x86_64-w64-mingw32-g++-posix
command -v "$compiler" >/dev/null || { echo "windows_calls: skipped: $compiler is not here"; exit 77; }
mapfile -t files < <(find collision tracking scenes recordings -regex '.*_windows[.]cpp')
[ ${#files[@]} -ge 4 ] || { echo "windows_calls: only ${#files[@]} files found" >&2; exit 1; }
for file in "${files[@]}"; do
    "$compiler" -std=c++20 -I. -DNOMINMAX -DWIN32_LEAN_AND_MEAN -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only "$file"
done
echo "windows_calls: ${#files[@]} files compile"
