// Frames in JSON: the items of a list of any name, or of lists for each hand, or members whose names count them, or
// joints that are lists over time. Time is timestamp, time, t or ts in a frame. Its unit comes from the name, or is the
// one in which time steps are those of a camera.
#pragma once

#include <optional>

#include "recordings/assembly.h"
#include "recordings/formats/found_hands.h"
#include "recordings/json.h"

namespace glovebox::recordings {

/// Returns a value as one frame.
FoundFrame frame_of_value(const Json& json, std::optional<tracking::Side> side = {});

bool has_frames(const Json& json, int depth = 0);
/// Takes the frames of a document. Returns false, without a frame, if it is one frame.
bool take_frames(const Json& json, FoundHands& found, Assembly& out, int depth = 0);

}  // namespace glovebox::recordings
