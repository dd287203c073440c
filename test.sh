#!/usr/bin/env bash
# The same set-up as run.sh, then every test: ./test.sh [ctest arguments]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source tests/setup/packages.sh

install_packages "${packages[@]}"
mapfile -t known < <(known_packages "${test_packages[@]}")
install_packages "${known[@]}"
build_release all
ctest --test-dir build/release --output-on-failure --parallel "$(nproc)" --timeout 900 "$@"
