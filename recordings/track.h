// Reads rigid motion from files, with the file's own time stamps.
#pragma once

#include "recordings/load.h"

namespace glovebox::recordings {

struct StampedTrack {
    tracking::RigidTrack track;  ///< times start at 0
    std::int64_t first_ns = 0;   ///< the file's clock at time 0; 0 for files without a clock
};

/// Returns true for a BVH with one joint, which is the motion of an object, not of hands. False for a pipe, because
/// looking would consume its data. Throws ImportError if the file cannot be read.
bool is_object_motion(const std::filesystem::path& path);

/// Returns the names of the objects in a file of several tracks (HOT3D's dynamic_objects.csv), in the order of the
/// file; none for other files. Throws ImportError.
std::vector<std::string> objects_of_tracks(const std::filesystem::path& path);

/// Loads a track like load_track(), and its clock. For a file of several tracks, `path` is FILE#OBJECT
/// (tracking/track_name.h). Throws ImportError.
StampedTrack load_stamped_track(const std::filesystem::path& path, const ImportOptions& options);

}  // namespace glovebox::recordings
