// Profile of one user's hand: radii, bone lengths, and where they came from.
//
// Sources without radii (most recordings) get them from here, scaled by the size of the hand. Sources that only know
// angles (gloves, scripts) get their bone lengths from here too, see forward_kinematics.h.
#pragma once

#include <array>
#include <span>
#include <string>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// Sizes of one hand.
struct HandProfile {
    std::array<float, kJointCount> radius_m{};            ///< flesh round each joint
    std::array<float, kJointCount> length_to_parent_m{};  ///< distance to parent_of(joint); 0 for palm and wrist
    float scale = 1.0F;                                   ///< summed finger length over the default hand's
    std::string origin;                                   ///< "default", "fitted from 929 frames", ...
};

/// Returns an adult hand of median size (wrist to middle fingertip 187 mm), with radii as a headset reports them.
HandProfile default_profile();

/// Returns the default hand, scaled uniformly.
HandProfile scaled_profile(float scale);

/// Returns the median length of each bone and the median radius of each joint over the frames in which it is valid. A
/// size that was never seen is the default hand's, scaled. Hands that are lost or not finite do not count, nor do radii
/// above kLargestRadius_m. Without a usable frame the result is default_profile(). Reads at most 512 frames, evenly
/// spread.
HandProfile fit_profile(std::span<const HandPair> samples, Side side);

/// Fills every radius that is 0 from the profile. Positions, flags and given radii stay.
void fill_radii(const HandProfile& profile, HandFrame& frame);

}  // namespace glovebox::tracking
