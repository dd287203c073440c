// Words over the scene: what is shown, and what the colours mean, with live counts.
#pragma once

#include "vr/box_states.h"
#include "vr/theme.h"
#include "vr/view_model.h"

namespace glovebox::vr {

void draw_title(const Brush& background, const ViewModel& model);
/// `baseline` of the legend, logical; begins at x.
void draw_legend(const Brush& background, float x, float baseline, const BoxCounts& counts);

}  // namespace glovebox::vr
