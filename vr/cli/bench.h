// `glovebox bench NAME|all`: its options. The benches are a program of their own, glovebox-bench, which the first build
// leaves out: they are a quarter of what there is to compile.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "vr/bench/bench.h"
#include "vr/cli/command.h"

namespace glovebox::vr {

/// The names of bench_table(), in its order.
inline constexpr std::array<std::string_view, 20> kBenchNames = {
    "broad-phase", "chains",  "hand",         "growth",    "fitters",    "obbtree", "curl-limit",
    "frame",       "filters", "peers",        "port",      "recordings", "replay",  "session",
    "skin",        "clips",   "touch-search", "traversal", "volumes",    "soak"};

struct BenchArguments {
    std::string name;
    bool list = false, force = false;
    std::filesystem::path report, page, data;
    BenchOptions options;
};

/// Declares the options, and returns the function that passes them to `run`.
std::function<int()> declare_bench(CLI::App& app, int (*run)(const BenchArguments&));

/// Runs the benches. Part of glovebox-bench only.
int run_benches(const BenchArguments& arguments);

}  // namespace glovebox::vr
