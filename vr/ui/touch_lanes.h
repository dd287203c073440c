// Draws all touches of a recording above the playback bar's track. Each finger and palm has a lane, and a touch has the
// colour of the touched object.
#pragma once

#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Returns the number of lanes: six for each side with lanes.
int lane_count(const ViewModel& model);

/// Draws the lanes into `box`. Marks the part under the mouse in `settings`. A click on a touch seeks to its begin; a
/// click elsewhere seeks to the time at the mouse.
void draw_touch_lanes(const Brush& brush, const Box& box, const ViewModel& model, ViewSettings& settings,
                      ViewCommands& commands);

}  // namespace glovebox::vr
