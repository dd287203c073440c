// What is known of one person's hand besides its motion: radii, bone lengths, and where they came from.
//
// Sources without radii (most recordings) get them from here, scaled by the size of the hand. Sources that only know
// angles (gloves, scripts) get their bone lengths from here too, see forward_kinematics.h.
#pragma once

#include <array>
#include <span>
#include <string>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

struct HandProfile {
    std::array<float, kJointCount> radius_m{};            ///< flesh round each joint
    std::array<float, kJointCount> length_to_parent_m{};  ///< distance to parent_of(joint); 0 for palm and wrist
    float scale = 1.0F;                                   ///< summed finger length over the default hand's
    std::string origin;                                   ///< "default", "fitted from 929 frames", ...
};

/// An adult hand of middle size (wrist to middle fingertip 187 mm); radii as a headset's tracker reports them.
HandProfile default_profile();

/// The default hand scaled uniformly.
HandProfile scaled_profile(float scale);

/// The hand that was seen: each bone's median length and each joint's median radius over the frames in which it is
/// valid; what was never seen is the default hand's, scaled. Lost and non-finite hands do not count, nor do radii above
/// kLargestRadius_m. Without any usable frame this is default_profile(). At most 512 frames, evenly spread, are looked
/// at.
HandProfile fit_profile(std::span<const HandPair> samples, Side side);

/// Fills every radius that is 0 from the profile. Positions, flags and given radii stay.
void fill_radii(const HandProfile& profile, HandFrame& frame);

}  // namespace glovebox::tracking
