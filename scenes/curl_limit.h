// Curl limits for force-feedback gloves: how far each finger can curl before it touches an object.
//
// LucidGloves and XR_MNDX_force_feedback_curl accept a limit on a finger's curl and no force, so the limit must be
// known before the touch, early enough for a slow servo. Each finger is closed from its current pose, or from straight
// if it touches something already. All its joints close by the same fraction of their remaining range. The method is
// conservative advancement: each advance is limited by the gap to the nearest object. Per unit of that fraction, no
// point of a bone moves further than the sum of turn times lever over the joints before it. [Mirtich96, sec. 2.3.2]
#pragma once

#include <array>
#include <span>

#include "collision/query/collide.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// The curl limit of a finger. Curl is the mean relative flexion of its three joints: 0 is straight, 1 a fist (90, 100
/// and 70 degrees; for the thumb 50, 60 and 80).
struct CurlLimit {
    bool known = false;  ///< false: a joint's position or orientation is invalid; ignore the other fields
    float now = 0.0F;    ///< curl in this frame, clamped to 0..1
    float touch = 1.0F;  ///< curl at the first touch; less than `now` if it touches already. 1: it closes freely
    std::int32_t bone = -1, object = -1;  ///< the pair that touches at `touch`; -1: none
};

using CurlLimits = std::array<CurlLimit, tracking::kFingerCount>;  ///< thumb first

/// A gap of at most this size counts as touching: a limit lies up to this far in front of the surface, never behind it.
inline constexpr float kCurlGap_m = 2e-4F;

/// Returns the limits of a hand that is given in the scene's frame. Radii must be filled (fill_radii()). Fingers touch
/// with their phalanges, the thumb also with its metacarpal. Object masks apply as in find_candidates(). A finger that
/// would be inside an object when straight gets 0. No allocation; about 20 exact queries per finger near an object.
CurlLimits curl_limits(const tracking::HandFrame& hand, std::span<const collision::Collider> objects,
                       collision::CollideCounts& counts, std::uint32_t body_mask = ~0U);

}  // namespace glovebox::scenes
