// Reads HOT3D's tables of objects (dynamic_objects.csv) and of the headset, which have one row for each object and
// time.
#pragma once

#include "recordings/input.h"
#include "recordings/track.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_hot3d_objects(std::string_view head);

/// Returns the motion of `object`; an empty name means the only object of the file. Times count from the first row of
/// the file, whichever object that row has. Throws ImportError if the file cannot be read or has no such object; in the
/// latter case, the message lists its objects.
StampedTrack read_hot3d_object(Input& in, const ImportOptions& options, const std::string& object);

}  // namespace glovebox::recordings
