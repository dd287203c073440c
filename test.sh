#!/usr/bin/env bash
# Sets up like run.sh, with the packages of the tests, then runs all tests: ./test.sh [ctest arguments]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source tests/setup/packages.sh

install_packages "${packages[@]}"
mapfile -t known < <(known_packages "${test_packages[@]}")
install_packages "${known[@]}"
build_release all
status=0
ctest --test-dir build/release --output-on-failure --parallel "$(nproc)" --timeout 900 "$@" || status=$?
# Lists skipped tests with the reason, which is in the test's output or in a script's "NAME: skipped: REASON".
awk '/ Testing: / { test = $0; sub(/.* Testing: /, "", test) }
     /: Skipped$/ { getline; print "not run: " test ": " $0 }
     /: skipped: / { print "not run: " test ": " $0 }' build/release/Testing/Temporary/LastTest.log
exit "$status"
