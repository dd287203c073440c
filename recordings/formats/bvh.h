// Reads BVH motion capture of bodies and single hands with finger joints, in the naming schemes of many vendors, and of
// rigid objects.
#pragma once

#include "recordings/format.h"
#include "recordings/track.h"

namespace glovebox::recordings {

/// Name of the root joint in the files that bvh_writer() writes. The joint rotations in those files are those of
/// OpenXR's joint axes.
inline constexpr std::string_view kOwnBvhRoot = "glovebox";

/// Returns true if a file that begins with `head` has this format.
bool is_bvh(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_bvh(Input& in, const ImportOptions& options, Assembly& out);
StampedTrack read_bvh_track(Input& in, const ImportOptions& options);

}  // namespace glovebox::recordings
