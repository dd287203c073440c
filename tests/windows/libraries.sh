#!/usr/bin/env bash
# Builds the libraries that collision links for Windows, from Debian's source packages: for MinGW-w64, Debian has no
# packages of them.
#
#   tests/windows/libraries.sh FOLDER
#
# FOLDER/prefix gets them; what is there already is not built again. Needs a Debian mirror (MIRROR, default
# deb.debian.org), the packages cmake, dpkg-dev, ninja-build and g++-mingw-w64-x86-64-posix, and libeigen3-dev and
# nlohmann-json3-dev for their headers.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
export GLOVEBOX_MINGW=$folder/prefix
jobs=${JOBS:-$(nproc)}
mkdir -p "$GLOVEBOX_MINGW"/{include,share/cmake} "$folder"/{source,lists/partial,cache/archives/partial}
for name in eigen3 nlohmann; do cp -rn /usr/include/$name "$GLOVEBOX_MINGW/include"; done
for name in eigen3 cmake/nlohmann_json; do cp -rn /usr/share/$name "$GLOVEBOX_MINGW/share/${name%/*}"; done

# The sources, through lists of their own, so that the system's stay as they are.
if [ ! -f "$folder/source/unpacked" ]; then
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb-src [signed-by=$keyring] http://${MIRROR:-deb.debian.org}/debian bookworm main" >"$folder/sources.list"
    apt=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$folder/lists"
        -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
    "${apt[@]}" update
    (cd "$folder/source" && "${apt[@]}" source highway onetbb qhull xxhash) >"$folder/sources.log" 2>&1 ||
        { tail -20 "$folder/sources.log" >&2; exit 1; }
    touch "$folder/source/unpacked"
fi

# build NAME SOURCE [OPTION...]: with little optimization, which compiles faster.
build() {
    local name=$1 source=$2
    [ ! -f "$folder/$name.done" ] || return 0
    echo "libraries: $name"
    {
        # shellcheck disable=SC2086
        cmake -S $folder/source/$source -B "$folder/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
            -DCMAKE_TOOLCHAIN_FILE="$here/tests/windows/mingw.cmake" -DCMAKE_INSTALL_PREFIX="$GLOVEBOX_MINGW" \
            -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_TESTING=OFF -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" \
            -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" "${@:3}" &&
            cmake --build "$folder/$name" -j "$jobs" && cmake --install "$folder/$name"
    } >"$folder/$name.log" 2>&1 || { grep -E 'error|FAILED|Error' "$folder/$name.log" | head -20 >&2; exit 1; }
    touch "$folder/$name.done"
}
build highway 'highway-*' -DHWY_ENABLE_CONTRIB=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_INSTALL=ON
build xxhash 'xxhash-*/cmake_unofficial' -DXXHASH_BUILD_XXHSUM=OFF
build qhull 'qhull-*'
build tbb 'onetbb-*' -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF -DTBB_ENABLE_IPO=OFF
echo "libraries: all in $GLOVEBOX_MINGW"
