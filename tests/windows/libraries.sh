#!/usr/bin/env bash
# Builds the libraries that Glovebox links for Windows, from Debian's source packages: for MinGW-w64, Debian has no
# packages of them. Of Bullet and Assimp, only what Glovebox uses is built.
#
#   tests/windows/libraries.sh FOLDER
#
# FOLDER/prefix gets them; what is there already is not built again. Needs a Debian mirror (MIRROR, default
# deb.debian.org), the packages cmake, dpkg-dev, ninja-build, tcl and g++-mingw-w64-x86-64-posix, and, for their headers,
# libeigen3-dev, libstb-dev, libtomlplusplus-dev, libutfcpp-dev, nlohmann-json3-dev and rapidjson-dev.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
export GLOVEBOX_MINGW=$folder/prefix
jobs=${JOBS:-$(nproc)}
mkdir -p "$GLOVEBOX_MINGW"/{include,lib/pkgconfig,lib/cmake,share/cmake} "$folder"/{source,lists/partial,cache/archives/partial}
for name in eigen3 nlohmann rapidjson stb toml++; do cp -rn /usr/include/$name "$GLOVEBOX_MINGW/include"; done
cp -rn /usr/include/utf8cpp/. "$GLOVEBOX_MINGW/include"
for name in eigen3 cmake/nlohmann_json; do cp -rn /usr/share/$name "$GLOVEBOX_MINGW/share/${name%/*}"; done

# The sources, through lists of their own, so that the system's stay as they are.
sources=(assimp bullet highway libzstd onetbb qhull sqlite3 xxhash xz-utils zlib)
if [ "$(cat "$folder/source/unpacked" 2>/dev/null)" != "${sources[*]}" ]; then
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb-src [signed-by=$keyring] http://${MIRROR:-deb.debian.org}/debian bookworm main" >"$folder/sources.list"
    apt=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$folder/lists"
        -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
    "${apt[@]}" update
    (cd "$folder/source" && "${apt[@]}" source "${sources[@]}") >"$folder/sources.log" 2>&1 ||
        { tail -20 "$folder/sources.log" >&2; exit 1; }
    echo "${sources[*]}" >"$folder/source/unpacked"
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
# archive NAME SOURCE [FLAG...] FILE...: compiles files of a library whose own build would make more, into libNAME.a.
archive() {
    local name=$1 at
    [ ! -f "$folder/$name.done" ] || return 0
    echo "libraries: $name"
    rm -rf "${folder:?}/$name"
    mkdir "$folder/$name"
    # shellcheck disable=SC2086
    at=$(cd $folder/source/$2 && pwd)
    (cd "$folder/$name" && x86_64-w64-mingw32-gcc-posix -O1 -DNDEBUG -I"$at" -I"$GLOVEBOX_MINGW/include" -c "${@:3}" &&
        x86_64-w64-mingw32-ar rcs "$GLOVEBOX_MINGW/lib/lib$name.a" ./*.o) >"$folder/$name.log" 2>&1 ||
        { grep error "$folder/$name.log" | head -20 >&2; exit 1; }
    touch "$folder/$name.done"
}
# package NAME CFLAGS LIBS: writes a file for pkg-config.
package() {
    printf 'Name: %s\nDescription: of libraries.sh\nVersion: 1\nCflags: %s\nLibs: %s\n' "$1" "$2" "$3" \
        >"$GLOVEBOX_MINGW/lib/pkgconfig/$1.pc"
}
build highway 'highway-*' -DHWY_ENABLE_CONTRIB=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_INSTALL=ON
build xxhash 'xxhash-*/cmake_unofficial' -DXXHASH_BUILD_XXHSUM=OFF
build qhull 'qhull-*'
build tbb 'onetbb-*' -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF -DTBB_ENABLE_IPO=OFF
build xz 'xz-utils-*'
build zstd 'libzstd-*/build/cmake' -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF
zlib=$(echo "$folder"/source/zlib-*/)
# With the part of minizip that Assimp links.
archive z 'zlib-*' -I"$zlib" "$zlib"/*.c "$zlib"/contrib/minizip/{unzip,ioapi}.c
cp "$zlib"/{zlib,zconf}.h "$zlib"/contrib/minizip/{unzip,ioapi}.h "$GLOVEBOX_MINGW/include"
package minizip "" -lz
package tomlplusplus -DTOML_HEADER_ONLY=1 ""

# Its own programs write SQLite's one large file.
mkdir -p "$folder/sqlite3-file"
if [ ! -f "$folder/sqlite3-file/sqlite3.c" ]; then
    (cd "$folder/sqlite3-file" && sh "$folder"/source/sqlite3-*/configure --disable-tcl && make sqlite3.c) >"$folder/sqlite3-file.log" 2>&1 ||
        { tail -20 "$folder/sqlite3-file.log" >&2; exit 1; }
fi
archive sqlite3 . "$folder/sqlite3-file/sqlite3.c"
cp "$folder/sqlite3-file/sqlite3.h" "$GLOVEBOX_MINGW/include"

for part in LinearMath BulletCollision BulletDynamics; do
    archive $part 'bullet-*/src' "$folder"/source/bullet-*/src/bt${part}All.cpp
done
mkdir -p "$GLOVEBOX_MINGW"/{include/bullet,lib/cmake/bullet,lib/cmake/draco}
(cd "$folder"/source/bullet-*/src && find . -name '*.h' -exec cp --parents {} "$GLOVEBOX_MINGW/include/bullet" \;)
cat >"$GLOVEBOX_MINGW/lib/cmake/bullet/BulletConfig.cmake" <<'EOT'
add_library(Bullet::Bullet INTERFACE IMPORTED)
target_include_directories(Bullet::Bullet INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../../../include/bullet)
target_link_directories(Bullet::Bullet INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../..)
target_link_libraries(Bullet::Bullet INTERFACE BulletDynamics BulletCollision LinearMath)
EOT

# Debian's Assimp asks for Draco, which only compressed glTF needs.
touch "$GLOVEBOX_MINGW/lib/cmake/draco/draco-config.cmake"
# Its glTF reader needs a header of RapidJSON that newer ones no longer include.
build assimp 'assimp-*' -DCMAKE_CXX_FLAGS="-include rapidjson/stringbuffer.h" -DASSIMP_NO_EXPORT=ON -DASSIMP_BUILD_ALL_IMPORTERS_BY_DEFAULT=OFF \
    -DASSIMP_BUILD_{OBJ,STL,PLY,GLTF}_IMPORTER=ON -DASSIMP_BUILD_TESTS=OFF -DASSIMP_BUILD_ASSIMP_TOOLS=OFF \
    -DASSIMP_WARNINGS_AS_ERRORS=OFF -DASSIMP_INSTALL_PDB=OFF
echo "libraries: all in $GLOVEBOX_MINGW"
