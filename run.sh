#!/usr/bin/env bash
# Sets up (Debian 12 or Ubuntu 24.04 packages), builds a Release and runs it: ./run.sh [glovebox arguments]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source tests/setup/packages.sh

install_packages "${packages[@]}"
build_release glovebox
exec build/release/bin/glovebox "$@"
