// Compares two recordings and finds the first sample that differs.
#pragma once

#include <optional>
#include <string>

#include "recordings/recording.h"

namespace glovebox::recordings {

struct DiffSettings {
    /// Tolerances; differences up to these are ignored.
    float position_m = 0.0F;
    float angle_rad = 0.0F;
    std::int64_t time_ns = 0;
};

struct Difference {
    std::size_t sample = 0;  ///< index of the first sample that differs
    std::string what;        ///< "right index_tip is 3.1 mm apart"
};

/// Returns the first difference, or nullopt if the recordings are the same. NaN equals NaN; values that are invalid in
/// both are not compared. If all samples are the same, compares the state hashes of the samples for which both logs
/// have one.
std::optional<Difference> first_difference(const Recording& a, const Recording& b, const DiffSettings& settings = {});

}  // namespace glovebox::recordings
