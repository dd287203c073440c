#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over the public headers, in one file that includes them all, and over the sources of
# tracking/: tests/tidy.sh. Takes a minute of processor time; all sources would take half an hour.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v clang-tidy >/dev/null || { echo "tidy: clang-tidy is not installed: names are not checked"; exit 0; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in collision tracking scenes recordings; do
    sed -n '/ENTRY/,/LINK/p' "$folder/CMakeLists.txt" | grep -o '[a-z_/]*\.h' | sed "s|.*|#include \"$folder/&\"|"
done >"$work/public_headers.cpp"
echo '#include "vr/api/glovebox.h"' >>"$work/public_headers.cpp"
[ "$(wc -l <"$work/public_headers.cpp")" -ge 20 ] || { echo "tidy: few public headers found"; exit 1; }

tidy() {
    clang-tidy --quiet --config-file=.clang-tidy --header-filter="$PWD/(collision|tracking|scenes|recordings)/" "$1" -- \
        -std=c++20 -I. -isystem /usr/include/eigen3 2>&1 | grep -v 'warnings\? generated' ||
        [ "${PIPESTATUS[0]}" -eq 0 ]
}
export -f tidy
printf '%s\n' "$work/public_headers.cpp" tracking/*.cpp |
    xargs -P "$(nproc)" -I{} bash -o pipefail -c 'out=$(tidy {}); [ -z "$out" ] || { echo "$out"; exit 1; }'
echo "tidy: clean"
