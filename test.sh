#!/usr/bin/env bash
# The same set-up as run.sh, then every test: ./test.sh [ctest arguments]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source tests/setup/packages.sh

install_packages "${packages[@]}"
mapfile -t known < <(known_packages "${test_packages[@]}")
install_packages "${known[@]}"
build_release all
status=0
ctest --test-dir build/release --output-on-failure --parallel "$(nproc)" --timeout 900 "$@" || status=$?
# ctest names what did not run; the reason is in the test's own words, or in a script's "NAME: skipped: REASON".
awk '/ Testing: / { test = $0; sub(/.* Testing: /, "", test) }
     /: Skipped$/ { getline; print "not run: " test ": " $0 }
     /: skipped: / { print "not run: " test ": " $0 }' build/release/Testing/Temporary/LastTest.log
exit "$status"
