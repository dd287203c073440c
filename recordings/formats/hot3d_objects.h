// HOT3D's tables of objects (dynamic_objects.csv) and of its headset: one row for each object and time.
#pragma once

#include "recordings/input.h"
#include "recordings/track.h"

namespace glovebox::recordings {

bool is_hot3d_objects(std::string_view head);

/// Returns the motion of `object`; an empty name means the only object of the file. Times count from the first row of
/// the file, of any object. Throws ImportError, which lists the file's objects if `object` is not among them.
StampedTrack read_hot3d_object(Input& in, const ImportOptions& options, const std::string& object);

}  // namespace glovebox::recordings
