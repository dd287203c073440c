// Where two recordings begin to differ.
#pragma once

#include <optional>
#include <string>

#include "recordings/recording.h"

namespace glovebox::recordings {

struct DiffSettings {
    float position_m = 0.0F;  ///< differences up to this do not count
    float angle_rad = 0.0F;
    std::int64_t time_ns = 0;
};

struct Difference {
    std::size_t sample = 0;  ///< the first that differs
    std::string what;        ///< "right index_tip is 3.1 mm apart"
};

/// Nothing if they are the same. NaN equals NaN; what is not valid in both is not compared. Where all samples are the
/// same and both logs have the state hashes of the frames made from them, those are compared too.
std::optional<Difference> first_difference(const Recording& a, const Recording& b, const DiffSettings& settings = {});

}  // namespace glovebox::recordings
