// A session as a glTF 2.0 binary: skinned hands, objects and contact markers, animated. For other programs.
#pragma once

#include <string>

#include "vr/session/session.h"

namespace glovebox::vr {

struct GlbSummary {
    std::string bytes;       ///< the file
    std::size_t frames = 0;  ///< keys of the animation
    std::size_t stride = 1;  ///< of the recording's samples to one key
    double duration_s = 0.0;
};

/// Runs the session from its start to its end. Metres, seconds, +Y up, as glTF has it. One key a sample, at most
/// 20,000; a hand that is lost and a marker that marks nothing have the scale 0. Throws std::runtime_error beyond 2 GB.
GlbSummary glb_of(Session& session);

}  // namespace glovebox::vr
