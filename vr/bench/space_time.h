// Compares space-time bounds with tests of every pair in every frame. This is a part of `glovebox bench broad-phase`.
#pragma once

#include "vr/bench/bench.h"

namespace glovebox::vr {

void race_space_time(const BenchOptions& options, BenchResult& result);

}  // namespace glovebox::vr
