// A replay without a window: the same pipeline, a table, a report, and the checks.
#pragma once

#include "vr/session/replay.h"
#include "vr/session/replay_settings.h"

namespace glovebox::vr {

/// Runs to the end (or --frames), prints, writes what was asked for. Returns the exit code.
int run_headless(Replay& replay, const ReplaySettings& settings);

}  // namespace glovebox::vr
