// Summarizes a log of an OpenXR application as JSON, for `info --json` and the report of `layer run`.
#pragma once

#include <nlohmann/json.hpp>

#include "recordings/log/application_facts.h"

namespace glovebox::vr {

/// Returns {count, missed, longer_than_period, work_ms {p50 p90 p99 max}, interval_ms {...}}.
nlohmann::ordered_json frames_json(const recordings::FrameFacts& facts);

/// Returns {name, frames, poses, action_states, interaction_profiles, hand_velocities, haptics {vibrations, stops,
/// forces}}.
nlohmann::ordered_json application_json(const recordings::ApplicationLog& log);

}  // namespace glovebox::vr
