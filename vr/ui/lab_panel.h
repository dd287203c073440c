// Draws a laboratory's panel on the right, with the methods' costs, the figures, and the choices.
#pragma once

#include "vr/render/overlay.h"
#include "vr/ui/panel_parts.h"

namespace glovebox::vr {

/// Draws the sections of the card. `model.lab` must not be null.
void draw_lab_sections(const Card& card, const ViewModel& model, ViewCommands& commands);

/// Draws the legend of the colours in one line above the playback bar. Returns the x at which the legend ends.
float draw_lab_legend(const Brush& brush, float x, float baseline, const ViewModel& model);

}  // namespace glovebox::vr
