// Reads the motion of a rigid object from a file, with the file's own time stamps.
#pragma once

#include "recordings/load.h"

namespace glovebox::recordings {

struct StampedTrack {
    tracking::RigidTrack track;  ///< times start at 0
    std::int64_t first_ns = 0;   ///< the file's clock at time 0; 0 for files without a clock
};

/// Returns true if the file is a BVH with one joint, which is the motion of an object and not of hands. Returns false
/// for a pipe, because reading it would consume its data. Throws ImportError if the file cannot be read.
bool is_object_motion(const std::filesystem::path& path);

/// Returns the names of the objects in a file of several tracks (HOT3D's dynamic_objects.csv), in the order of the
/// file. Returns none for other files. Throws ImportError if the file cannot be read.
std::vector<std::string> objects_of_tracks(const std::filesystem::path& path);

/// Loads a track as load_track() does, and also the file's clock. For a file of several tracks, `path` is FILE#OBJECT
/// (tracking/track_name.h). Throws ImportError if the track cannot be read.
StampedTrack load_stamped_track(const std::filesystem::path& path, const ImportOptions& options);

/// Loads the motion of each hand's wrist. In a recording of hands, that is its own wrist, or the other hand's if the
/// recording lacks the hand. Any other file has one motion, for both. Throws ImportError if the file cannot be read.
tracking::PerSide<StampedTrack> load_wrist_tracks(const std::filesystem::path& path, const ImportOptions& options);

}  // namespace glovebox::recordings
