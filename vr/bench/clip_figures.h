// The paper's figures 2, 5, 7 and 8 from our own trees and crowd, as SVG with their numbers as CSV.
#pragma once

#include <filesystem>
#include <string>

#include "collision/survey/clips/crowd.h"

namespace glovebox::vr {

/// Draws into `folder`. Returns a sentence if gnuplot is missing or failed, else nothing.
std::string draw_clip_figures(const std::filesystem::path& folder, const collision::clips::Clip& short_clip,
                              const collision::clips::Clip& long_clip, const collision::clips::Crowd& crowd);

}  // namespace glovebox::vr
