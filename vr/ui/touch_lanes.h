// Draws all touches of a recording above the playback bar's track: a lane for each finger and palm of each hand, filled
// with the colour of the touched object.
#pragma once

#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Returns the number of lanes: six for each side with lanes.
int lane_count(const ViewModel& model);

/// Draws the lanes into `box`. Marks what is under the mouse in `settings`. A click on a touch seeks to its begin, a
/// click elsewhere to that time.
void draw_touch_lanes(const Brush& brush, const Box& box, const ViewModel& model, ViewSettings& settings,
                      ViewCommands& commands);

}  // namespace glovebox::vr
