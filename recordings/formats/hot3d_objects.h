// HOT3D's table of objects (dynamic_objects.csv) and of its headset: a row for each object and time.
#pragma once

#include "recordings/input.h"
#include "recordings/track.h"

namespace glovebox::recordings {

bool is_hot3d_objects(std::string_view head);

/// The motion of `object`; an empty name stands for the only one of a file. Its times count from the first of the
/// file, whichever object that is of. Throws ImportError, which names the file's objects where it has no such one.
StampedTrack read_hot3d_object(Input& in, const ImportOptions& options, const std::string& object);

}  // namespace glovebox::recordings
