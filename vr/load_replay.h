// From names on the command line to a replay that is ready to run.
#pragma once

#include <memory>

#include "vr/replay.h"
#include "vr/replay_settings.h"

namespace glovebox::vr {

/// Loads scene, recording and the motion of recorded objects. Throws std::runtime_error with one clear line.
std::unique_ptr<Replay> load_replay(const ReplaySettings& settings, Clock clock);

}  // namespace glovebox::vr
