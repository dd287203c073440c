# Shared by run.sh and test.sh: what to install and how to build. Sourced, not run.

# Every package and the reason for it is in docs/dependencies.md.
packages=(
    build-essential cmake ninja-build pkg-config ca-certificates
    libeigen3-dev libopenxr-dev libsdl2-dev libimgui-dev libgtest-dev libgmock-dev
    libhwy-dev libqhull-dev libassimp-dev libbullet-dev libsqlite3-dev libepoxy-dev libstb-dev libfreetype-dev
    libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libserialport-dev libtbb-dev
    zlib1g-dev liblzma-dev libzstd-dev
    libgl1-mesa-dri libgl-dev libopengl-dev libx11-dev gnuplot-nox fonts-inter fonts-dejavu-core
)
# Only tests and benchmarks use these; what is missing of them is skipped, saying so.
test_packages=(libfcl-dev libode-dev libccd-dev openxr-layer-corevalidation xvfb xdotool clang-format sqlite3 parallel python3)

# Installs what is missing, quietly; with nothing missing it needs neither network nor root.
install_packages() {
    local missing=() package
    for package in "${packages[@]}" "${test_packages[@]}"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    command -v apt-get >/dev/null || { echo "glovebox: no apt-get here; install these packages: ${missing[*]}" >&2; exit 1; }
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    echo "glovebox: installing ${#missing[@]} packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >build-packages.log 2>&1 ||
        { tail -5 build-packages.log >&2; echo "glovebox: the packages above could not be installed; see build-packages.log" >&2; exit 1; }
    rm -f build-packages.log
}

# Builds one target of the Release tree; prints only what is new.
build_release() {
    local options=()
    [ -n "${GLOVEBOX_WARNINGS_AS_ERRORS:-}" ] && options+=(-DGLOVEBOX_WARNINGS_AS_ERRORS=ON)
    cmake --preset release "${options[@]}" >/dev/null
    cmake --build --preset release --target "$1" -- --quiet
}
