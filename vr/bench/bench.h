// Benchmarks behind `glovebox bench NAME`: rows of one table, one file each.
//
// A bench measures and returns what it measured; printing, the JSON report and `bench all` are done for all of them in
// one place. A claim is a sentence that somebody published, with what we found beside it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::vr {

struct BenchOptions {
    std::filesystem::path figures;   ///< folder for SVG and CSV; empty: draw none
    std::vector<std::string> files;  ///< meshes, recordings or workloads that the user named
    int frames = 0;                  ///< 0: as the bench thinks right
    bool quick = false;              ///< a few seconds at most: what the tests run
    std::string only;                ///< name of one section of the bench; empty: all of them
};

struct Claim {
    std::string claim;      ///< in words: "CAB updates 2.3 times faster than covariance"
    std::string published;  ///< the published figure
    std::string measured;   ///< ours, with the reason where it differs
    bool holds = false;
};

struct BenchResult {
    std::vector<nlohmann::ordered_json> rows;  ///< one object per line of the table, its columns as keys
    std::vector<Claim> claims;
    std::vector<std::string> notes;  ///< skipped peers, what was in force; one sentence each
    bool check_failed = false;       ///< an invariant of the bench did not hold: exit 3
};

/// A part of a long bench that can be run by itself (`--only NAME`).
struct BenchSection {
    std::string_view name, summary;
    void (*run)(const BenchOptions&, BenchResult&);
};
BenchResult run_sections(const BenchOptions& options, std::span<const BenchSection> sections);

struct Bench {
    std::string_view name, summary;
    BenchResult (*run)(const BenchOptions&);
    std::span<const BenchSection> (*sections)() = nullptr;  ///< none: the bench is run as a whole
    bool takes_files = true;                                ///< or names of workloads: BenchOptions::files
};

std::span<const Bench> bench_table();

BenchResult bench_broad_phase(const BenchOptions& options);
BenchResult bench_chains(const BenchOptions& options);
BenchResult bench_growth(const BenchOptions& options);
BenchResult bench_hand(const BenchOptions& options);
BenchResult bench_curl_limit(const BenchOptions& options);
BenchResult bench_filters(const BenchOptions& options);
BenchResult bench_fitters(const BenchOptions& options);
BenchResult bench_port(const BenchOptions& options);
BenchResult bench_peers(const BenchOptions& options);
BenchResult bench_obbtree(const BenchOptions& options);
BenchResult bench_recordings(const BenchOptions& options);
std::span<const BenchSection> fitters_sections();
std::span<const BenchSection> obbtree_sections();
BenchResult bench_replay(const BenchOptions& options);
BenchResult bench_session(const BenchOptions& options);
BenchResult bench_clips(const BenchOptions& options);
BenchResult bench_touch_search(const BenchOptions& options);
BenchResult bench_traversal(const BenchOptions& options);
BenchResult bench_volumes(const BenchOptions& options);
BenchResult bench_soak(const BenchOptions& options);

/// The rows as an aligned text table; rows may have different keys (one table per set of keys).
std::string format_table(std::span<const nlohmann::ordered_json> rows);

}  // namespace glovebox::vr
