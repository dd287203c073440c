// Draws figures like the paper's figures 2, 5, 7 and 8 from this project's trees and crowd, as SVG with their numbers
// as CSV.
#pragma once

#include <filesystem>

#include "collision/survey/clips/crowd.h"
#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Draws into `folder` and adds the figures to the result. If gnuplot is missing or fails, adds a note instead.
void draw_clip_figures(BenchResult& result, const std::filesystem::path& folder,
                       const collision::clips::Clip& short_clip, const collision::clips::Clip& long_clip,
                       const collision::clips::Crowd& crowd);

}  // namespace glovebox::vr
