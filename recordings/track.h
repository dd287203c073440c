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

/// As load_track(), which is this without the clock. Throws ImportError.
StampedTrack load_stamped_track(const std::filesystem::path& path, const ImportOptions& options);

}  // namespace glovebox::recordings
