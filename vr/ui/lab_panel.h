// The card on the right of a laboratory: what its methods cost on what is shown, what they did, and what can be chosen.
#pragma once

#include "vr/render/overlay.h"
#include "vr/ui/panel_parts.h"

namespace glovebox::vr {

/// `model.lab` must be there.
void draw_lab_sections(const Card& card, const ViewModel& model, ViewCommands& commands);

/// What the colours mean, in one line above the playback bar.
/// Returns where it ends.
float draw_lab_legend(const Brush& brush, float x, float baseline, const ViewModel& model);

}  // namespace glovebox::vr
