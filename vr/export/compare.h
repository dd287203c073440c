// Compares two reports, in which counts must be equal and timings may differ by a tolerance.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace glovebox::vr {

/// A value that differs between two reports, or a timing that both contain.
struct Difference {
    std::string key;      ///< "counts.n_v", "stages_us.total.p99", "touches[right index on ball].count"
    std::string a, b;     ///< values as text; "-": only the other report has the value
    double ratio = 0.0;   ///< b / a of a timing; 0: not a timing
    bool beyond = false;  ///< a timing beyond the tolerance, or a count or hash that differs
};

/// Result of compare_reports().
struct Comparison {
    std::vector<Difference> differences;  ///< counts and hashes that differ, and all timings
    std::vector<std::string> unlike;      ///< what the reports are of, if it differs: "recording: a.csv, b.csv"
    bool holds() const;
};

/// Compares counts, hashes, events and touches exactly, and timings by ratio. Timings are `median`, `mean`, `p50`,
/// `p90`, `p99` of stages_us, and columns of a bench's rows whose names end in _us, _ms or _s. A timing is beyond the
/// tolerance if b / a is greater than 1 + `tolerance`; a timing that became faster never is. Path, machine, version,
/// notes and memory are ignored. Stages with fewer than `min_count` frames never count as beyond the tolerance.
Comparison compare_reports(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b, double tolerance,
                           std::uint64_t min_count = 30);

/// Formats a table for a terminal, values beyond the tolerance first.
std::string comparison_text(const Comparison& comparison, double tolerance);
nlohmann::ordered_json comparison_json(const Comparison& comparison, double tolerance);

}  // namespace glovebox::vr
