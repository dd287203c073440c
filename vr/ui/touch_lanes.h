// Who touches what over the whole recording, above the playback bar's track: a lane for each finger and palm of each
// hand, filled in the colour of the object that is touched.
#pragma once

#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Six for each hand.
int lane_count(const ViewModel& model);

/// What is under the mouse goes to `marks`. A click on a touch asks for its beginning, one beside it for that moment.
/// `x_of` gives the logical x of a time on the track below, `time_at` the time at an x.
void draw_touch_lanes(const Brush& brush, const Box& box, const ViewModel& model, ViewSettings& settings,
                      ViewCommands& commands);

}  // namespace glovebox::vr
