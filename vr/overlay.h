// Words over the scene: what is shown, and what the colours mean, with live counts.
#pragma once

#include "vr/box_states.h"
#include "vr/theme.h"
#include "vr/view_model.h"

namespace glovebox::vr {

void draw_title(const Brush& background, const ViewModel& model);
/// One entry of a legend; returns where the next one begins.
float draw_legend_entry(const Brush& background, float x, float baseline, std::string_view name, int count,
                        std::uint32_t color, float width_px);
/// `baseline` of the legend, logical; begins at x.
void draw_legend(const Brush& background, float x, float baseline, const BoxCounts& counts);

}  // namespace glovebox::vr
