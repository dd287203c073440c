// Formats the results of `info` and `doctor` as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "recordings/diagnose.h"

namespace glovebox::vr {

/// Returns {recording, hands, gaps, clock, findings, notes}, in seconds and metres. The member "findings" (the lines of
/// `doctor`) is included only if `findings` is true.
nlohmann::ordered_json diagnosis_json(const recordings::Recording& recording, const recordings::Diagnosis& diagnosis,
                                      bool findings);

}  // namespace glovebox::vr
