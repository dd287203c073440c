// Rigid motion from files, with the time stamps as the file has them.
#pragma once

#include "recordings/load.h"

namespace glovebox::recordings {

struct StampedTrack {
    tracking::RigidTrack track;  ///< times from 0 on
    std::int64_t first_ns = 0;   ///< what the file's clock said then; 0 for files without a clock
};

/// A BVH of one joint: the motion of an object, not of hands. A pipe is never one: looking takes from it. Throws
/// ImportError if the file cannot be read at all.
bool is_object_motion(const std::filesystem::path& path);

/// The names of what moves in a file of several tracks (HOT3D's dynamic_objects.csv), in the order of the file; none
/// for any other file. Throws ImportError.
std::vector<std::string> objects_of_tracks(const std::filesystem::path& path);

/// As load_track(), which is this without the clock; of a file of several tracks FILE#OBJECT (tracking/track_name.h).
/// Throws ImportError.
StampedTrack load_stamped_track(const std::filesystem::path& path, const ImportOptions& options);

}  // namespace glovebox::recordings
