// Curl limits for force-feedback gloves: how far each finger can curl before it touches an object.
//
// LucidGloves and XR_MNDX_force_feedback_curl accept a limit on a finger's curl, but no force. The limit must therefore
// be known before the touch, early enough for a slow servo. Each finger is closed from its current pose, or from
// straight if it touches an object already. All its joints close by the same fraction of their remaining range. The
// method is conservative advancement [Mirtich96, sec. 2.3.2]: each advance is limited by the gap to the nearest object.
// If the fraction increases by one, no point of a bone moves further than a bound, the sum of rotation times lever over
// all joints before the bone.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "collision/query/collide.h"
#include "tracking/hand_frame.h"
#include "tracking/hand_shape.h"

namespace glovebox::scenes {

/// The curl limit of a finger. Curl is the mean relative flexion of its three joints: 0 is straight and 1 is a fist. In
/// a fist, the joints of a finger are at 90, 100 and 70 degrees and those of the thumb at 50, 60 and 80.
struct CurlLimit {
    bool known = false;  ///< false: a joint's position or orientation is invalid; ignore the other fields
    float now = 0.0F;    ///< curl in this frame, clamped to 0..1
    /// Curl at which the finger first touches an object; less than `now` if it touches already, and 1 if it can close
    /// freely.
    float touch = 1.0F;
    std::int32_t bone = -1, object = -1;  ///< the pair that touches at `touch`; -1: none
};

using CurlLimits = std::array<CurlLimit, tracking::kFingerCount>;  ///< thumb first

/// A gap of at most this size counts as touching. At its limit, a finger is up to this far in front of the surface, but
/// never inside.
inline constexpr float kCurlGap_m = 2e-4F;

/// Returns the curl limits of a hand in the scene's frame, whose radii must be filled (fill_radii()), with the bones of
/// pose_hand(). Only phalanges are tested, and the metacarpal of the thumb. Object masks apply as in find_candidates().
/// The limit is 0 for a finger that would be inside an object even if it were straight. No allocation; about 20 exact
/// queries per finger near an object.
CurlLimits curl_limits(const tracking::HandFrame& hand, std::span<const collision::Collider> objects,
                       collision::CollideCounts& counts, const std::optional<tracking::HandShape>& shape = std::nullopt,
                       std::uint32_t body_mask = ~0U);

}  // namespace glovebox::scenes
