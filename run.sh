#!/usr/bin/env bash
# Installs packages (Debian 12, Ubuntu 24.04), builds a Release, runs it in the current folder: ./run.sh [arguments]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(
    cd "$root"
    source tests/setup/packages.sh
    install_packages "${packages[@]}"
    targets=(glovebox)
    [ "${1:-}" != bench ] || targets+=(glovebox_bench_program)
    build_release "${targets[@]}"
)
exec "$root/build/release/bin/glovebox" "$@"
