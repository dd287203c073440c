# Packages to install and functions to build, sourced by run.sh and test.sh.

# Packages for building and running. docs/reference/dependencies.md gives the reason for each.
packages=(
    build-essential cmake ninja-build pkg-config ca-certificates
    libeigen3-dev libopenxr-dev libsdl2-dev libimgui-dev
    libhwy-dev libxxhash-dev libqhull-dev libassimp-dev libbullet-dev libsqlite3-dev libepoxy-dev libpng-dev libstb-dev
    libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libserialport-dev libtbb-dev
    zlib1g-dev liblzma-dev libzstd-dev
    libgl1-mesa-dri libgl-dev libopengl-dev libvulkan-dev libx11-dev gnuplot-nox fonts-inter fonts-dejavu-core
    libjs-three librsvg2-bin
)
# Packages of tests and benchmarks only. If one is missing, its tests are skipped with a message.
test_packages=(libgtest-dev libgmock-dev libfcl-dev libode-dev libccd-dev openxr-layer-corevalidation libopenxr-utils mesa-vulkan-drivers
    vulkan-validationlayers xvfb xdotool
    clang-format clang-tidy codespell sqlite3 parallel python3 ffmpeg chromium
    pybind11-dev python3-dev python3-numpy python3-pytest python3-pip mypy mono-mcs mono-runtime
    python3-nbclient python3-ipykernel python3-distributed slurm-wlm lintian)

# Prints the packages that are available on this system: some have other names elsewhere.
known_packages() {
    local package
    for package in "$@"; do
        [ -z "$(missing_packages "$package")" ] || apt-cache show "$package" >/dev/null 2>&1 || continue
        echo "$package"
    done
}

# Prints the packages that are not installed.
missing_packages() {
    local package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || echo "$package"
    done
}

# Shows the progress of a long step, "glovebox: WHAT 12 of 318": on one line of a terminal, otherwise every 50 steps.
# Prints to standard error, so that ./run.sh's output can go into a file.
show_progress() {
    local what=$1 done=$2 all=$3
    if [ -t 2 ]; then printf '\rglovebox: %s %d of %d ' "$what" "$done" "$all" >&2
    elif [ $((done % 50)) -eq 0 ] || [ "$done" -eq "$all" ]; then echo "glovebox: $what $done of $all" >&2; fi
}
end_progress() { [ ! -t 2 ] || printf '\r\033[K' >&2; }

# Installs the given packages that are missing. If none is missing, it needs neither network nor root.
install_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return
    command -v apt-get >/dev/null || { echo "glovebox: no apt-get here; install these packages: ${missing[*]}" >&2; exit 1; }
    local as_root=() log=build-packages.log
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    echo "glovebox: installing ${#missing[@]} packages and what they need: ${missing[*]}" >&2
    "${as_root[@]}" apt-get update -qq
    local all done=0 line
    all=$(apt-get install --simulate --no-install-recommends "${missing[@]}" 2>/dev/null | grep -c '^Inst ' || true)
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" 2>&1 |
        tee "$log" | while read -r line; do
        case $line in
            "Setting up "*) done=$((done + 1)); show_progress "package" "$done" "$all" ;;
        esac
    done || { tail -5 "$log" >&2; echo "glovebox: the packages above could not be installed; see $log" >&2; exit 1; }
    end_progress
    rm -f "$log"
}

# Builds targets of the Release tree and shows the progress. Tests are configured if GoogleTest is installed.
build_release() {
    local options=(-DGLOVEBOX_UNITY=ON)
    # Without warnings, the compiler is 7 % faster.
    if [ -n "${GLOVEBOX_WARNINGS_AS_ERRORS:-}" ]; then options+=(-DGLOVEBOX_WARNINGS_AS_ERRORS=ON)
    else options+=(-DGLOVEBOX_WARNINGS=OFF); fi
    if [ -n "$(missing_packages libgtest-dev libgmock-dev)" ]; then options+=(-DGLOVEBOX_BUILD_TESTS=OFF)
    else options+=(-DGLOVEBOX_BUILD_TESTS=ON); fi
    cmake --preset release "${options[@]}" >/dev/null
    # Ninja's lines begin with the progress; all other lines are errors and are shown.
    local line
    NINJA_STATUS='%f of %t: ' cmake --build --preset release --target "$@" | while IFS= read -r line; do
        if [[ $line =~ ^([0-9]+)\ of\ ([0-9]+):\  ]]; then
            [ "${BASH_REMATCH[2]}" -le 2 ] || show_progress "building file" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
        elif [ "$line" != 'ninja: no work to do.' ]; then echo "$line" >&2; fi
    done
    end_progress
}
