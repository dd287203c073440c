// What is known of one person's hand besides its motion: radii, bone lengths, and where they came from.
//
// Sources without radii (most recordings) get them from here, scaled by the size of the hand.
#pragma once

#include <array>
#include <string>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

struct HandProfile {
    std::array<float, kJointCount> radius_m{};            ///< flesh round each joint
    std::array<float, kJointCount> length_to_parent_m{};  ///< distance to parent_of(joint); 0 for palm and wrist
    float scale = 1.0F;                                   ///< summed finger length over the default hand's
    std::string origin;                                   ///< "default", "fitted from 929 frames", ...
};

/// An adult hand of middle size; radii as a headset's tracker reports them.
HandProfile default_profile();

/// The default hand scaled uniformly.
HandProfile scaled_profile(float scale);

/// Fills every radius that is 0 from the profile. Positions, flags and given radii stay.
void fill_radii(const HandProfile& profile, HandFrame& frame);

}  // namespace glovebox::tracking
