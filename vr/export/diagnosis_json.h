// What `info` and `doctor` say, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "recordings/diagnose.h"

namespace glovebox::vr {

/// {recording, hands, gaps, clock, findings, notes}; seconds and metres. `findings`: the lines of `doctor`; only where
/// asked for.
nlohmann::ordered_json diagnosis_json(const recordings::Recording& recording, const recordings::Diagnosis& diagnosis,
                                      bool findings);

}  // namespace glovebox::vr
