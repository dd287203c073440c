// How far each finger can curl before it touches something: what a glove that limits motion is told.
//
// Gloves of the LucidGloves kind and XR_MNDX_force_feedback_curl take how far a finger may close, and no force. So the
// answer is needed before the finger arrives, early enough for a slow servo. Each finger is closed from where it is, or
// from straight if it touches something there, all its joints in the same share of the way that is left to them. It is
// advanced by no more than the gap to the nearest object allows. No point of a bone moves further per share than the
// sum over the joints before it of turn times lever. [Mirtich96, sec. 2.3.2]
#pragma once

#include <array>
#include <span>

#include "collision/query/collide.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// Curl is the mean share of flexion of a finger's three joints: 0 straight, 1 a fist (90, 100 and 70 degrees; the
/// thumb's 50, 60 and 80).
struct CurlLimit {
    bool known = false;  ///< false: a joint's position or orientation is not valid, and nothing else is said
    float now = 0.0F;    ///< in this frame; more than 1 is cut off
    float touch = 1.0F;  ///< at which it touches on that way: below `now` if it touches already. 1: it closes free
    std::int32_t bone = -1, object = -1;  ///< that touch there; -1: none does
};

using CurlLimits = std::array<CurlLimit, tracking::kFingerCount>;  ///< thumb first

/// The gap that counts as closed: a limit is up to this much before the surface, never behind it.
inline constexpr float kCurlGap_m = 2e-4F;

/// Returns the limits of a hand in the scene's frame. Radii must be filled (fill_radii()); a finger touches with its
/// phalanges, the thumb with its metacarpal too. An object's mask counts as in find_candidates(). A finger that is
/// inside an object when straight has 0. No allocation. Some 20 exact queries a finger near an object, none far away.
CurlLimits curl_limits(const tracking::HandFrame& hand, std::span<const collision::Collider> objects,
                       collision::CollideCounts& counts, std::uint32_t body_mask = ~0U);

}  // namespace glovebox::scenes
