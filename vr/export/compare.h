// Two reports side by side: what is counted must be the same, what is timed may differ by a tolerance.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace glovebox::vr {

struct Difference {
    std::string key;      ///< "counts.n_v", "stages_us.total.p99", "touches[right index on ball].count"
    std::string a, b;     ///< as text; "-": only the other report has it
    double ratio = 0.0;   ///< of timings, b to a; 0: no timing
    bool beyond = false;  ///< of the tolerance, or a count or hash that is not the same
};

struct Comparison {
    std::vector<Difference> differences;  ///< counts and hashes that differ; every timing of both
    bool holds() const;
};

/// Counts, hashes, events and touches exactly; medians and means of the timings (`median`, `mean`, `p50`, `p90`, `p99`
/// of stages_us, and columns of a bench's rows whose names end in _us, _ms or _s) as ratios, beyond where b is more
/// than `tolerance` slower than a. Faster is never beyond. What says where and when a report was made (path, machine,
/// version, notes, memory) is left out. Stages with fewer than `least_count` frames are not judged.
Comparison compare_reports(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b, double tolerance,
                           std::uint64_t least_count = 30);

/// A table for people: what is beyond first.
std::string comparison_text(const Comparison& comparison, double tolerance);
nlohmann::ordered_json comparison_json(const Comparison& comparison, double tolerance);

}  // namespace glovebox::vr
