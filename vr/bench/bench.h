// The table of benchmarks that `glovebox bench NAME` runs. Each benchmark is in a file of its own.
//
// A bench measures and returns rows, figures and claims. All benches share the code for printing, the JSON report,
// `bench all` and the results page (page.h). A claim is a published sentence with a measurement of this project beside
// it (claim.h).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vr/bench/claim.h"

namespace glovebox::vr {

/// Options of a bench.
struct BenchOptions {
    std::filesystem::path figures;   ///< folder for SVG and CSV; empty: draw none
    std::vector<std::string> files;  ///< meshes, recordings or workloads that the user named
    int frames = 0;                  ///< 0: the bench's default
    bool quick = false;              ///< a few seconds at most, for tests
    std::string only;                ///< name of one section of the bench; empty: all of them
};

/// A figure that was drawn into BenchOptions::figures.
struct BenchFigure {
    std::string file, title;  ///< such as "chains_links.svg", and one line about the contents
};

/// A part of the result, given by the index of its first entry in each list of BenchResult. A part ends where the next
/// begins.
struct BenchPart {
    std::string title, summary;
    std::size_t rows = 0, figures = 0, claims = 0;
};

/// Result of a bench.
struct BenchResult {
    std::vector<nlohmann::ordered_json> rows;  ///< one object per line of the table, its columns as keys
    std::vector<BenchFigure> figures;
    std::vector<Claim> claims;
    std::vector<BenchPart> parts;    ///< headings of the page; empty: the result is one part
    std::vector<std::string> notes;  ///< skipped peers, conditions of the run; one sentence each
    bool check_failed = false;       ///< an invariant of the bench failed: exit 3
};

/// Begins a part. Everything that is added after this call belongs to it.
void begin_part(BenchResult& result, std::string title, std::string summary = {});

/// A part of a long bench that can be run by itself (`--only NAME`).
struct BenchSection {
    std::string_view name, summary;
    void (*run)(const BenchOptions&, BenchResult&);
};
BenchResult run_sections(const BenchOptions& options, std::span<const BenchSection> sections);

struct Bench {
    std::string_view name, summary;
    BenchResult (*run)(const BenchOptions&);
    std::span<const BenchSection> (*sections)() = nullptr;  ///< null: the bench is run as a whole
    bool takes_files = true;  ///< the user may name files or workloads (BenchOptions::files)
};

std::span<const Bench> bench_table();

BenchResult bench_broad_phase(const BenchOptions& options);
BenchResult bench_chains(const BenchOptions& options);
BenchResult bench_growth(const BenchOptions& options);
BenchResult bench_hand(const BenchOptions& options);
BenchResult bench_curl_limit(const BenchOptions& options);
BenchResult bench_frame(const BenchOptions& options);
BenchResult bench_filters(const BenchOptions& options);
BenchResult bench_fitters(const BenchOptions& options);
BenchResult bench_port(const BenchOptions& options);
BenchResult bench_peers(const BenchOptions& options);
BenchResult bench_obbtree(const BenchOptions& options);
BenchResult bench_recordings(const BenchOptions& options);
std::span<const BenchSection> fitters_sections();
std::span<const BenchSection> frame_sections();
std::span<const BenchSection> obbtree_sections();
BenchResult bench_replay(const BenchOptions& options);
BenchResult bench_session(const BenchOptions& options);
BenchResult bench_clips(const BenchOptions& options);
BenchResult bench_touch_search(const BenchOptions& options);
BenchResult bench_traversal(const BenchOptions& options);
BenchResult bench_volumes(const BenchOptions& options);
BenchResult bench_soak(const BenchOptions& options);

}  // namespace glovebox::vr
