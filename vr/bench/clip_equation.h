// The test of two clips [Sung05, sec. 3]: equation 1, the samples' cylinders, and the nodes' boxes around them.
#pragma once

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Compares every clip method with equation 1 over time, samples with the motion between them, and boxes with samples.
void check_clip_equation(const BenchOptions& options, BenchResult& result);

}  // namespace glovebox::vr
