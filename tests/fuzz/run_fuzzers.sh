#!/usr/bin/env bash
# Runs every fuzzer in turn, in rounds, for SECONDS altogether (default: an hour), and stops at the first finding.
# Corpora are kept, so the next run continues from there.
#   cmake --preset clang && cmake --build build/clang --target fuzzers && tests/fuzz/run_fuzzers.sh build/clang 3600
set -euo pipefail
build=${1:?usage: run_fuzzers.sh BUILD_FOLDER [SECONDS]}
total=${2:-3600}
cd "$build"
bin/fuzz_make_seeds fuzz_seeds
entries=$(ls fuzz_seeds)
share=$((total / 4 / $(wc -w <<<"$entries")))
share=$((share > 0 ? share : 1))
mkdir -p fuzz_findings
for round in 1 2 3 4; do
    for entry in $entries; do
        mkdir -p "fuzz_corpus/$entry"
        log=fuzz_findings/$entry.log
        if ! "bin/fuzz_$entry" -max_total_time=$share -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
            -artifact_prefix="fuzz_findings/$entry-" "fuzz_corpus/$entry" "fuzz_seeds/$entry" >"$log" 2>&1; then
            echo "finding in $entry: see $PWD/$log" >&2
            exit 1
        fi
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "round $round, $entry: $share s, ${runs:-?} inputs, no finding"
    done
done
