#!/usr/bin/env bash
# Sets up (Debian 12 or Ubuntu 24.04 packages), builds a Release and runs it where you are: ./run.sh [glovebox arguments]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(
    cd "$root"
    source tests/setup/packages.sh
    install_packages "${packages[@]}"
    build_release glovebox
)
exec "$root/build/release/bin/glovebox" "$@"
