// Exports a session as an animated glTF 2.0 binary (GLB): skinned hands, objects and contact markers.
#pragma once

#include <string>

#include "vr/session/session.h"

namespace glovebox::vr {

/// The file's contents, and facts about it.
struct GlbSummary {
    std::string bytes;       ///< the file
    std::size_t frames = 0;  ///< number of animation keys
    std::size_t stride = 1;  ///< samples of the recording per key
    double duration_s = 0.0;
};

/// Runs the session from start to end and returns the file, in metres, seconds and +Y up as glTF prescribes. There is
/// one key per sample, or, for more than 20,000 samples, one per `stride` samples. Lost hands and unused markers have
/// scale 0. Throws std::runtime_error if the file would exceed 2 GB.
GlbSummary glb_of(Session& session);

}  // namespace glovebox::vr
