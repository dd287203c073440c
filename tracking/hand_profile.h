// Profile of one user's hand: joint radii, bone lengths, perhaps the shapes of the bones, and a note of where they come
// from.
//
// Sources without radii (most recordings) get them from a profile, scaled by the size of the hand. Sources that have
// only angles (gloves, scripts) also get their bone lengths from it, see forward_kinematics.h.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "tracking/hand_frame.h"
#include "tracking/hand_shape.h"

namespace glovebox::tracking {

/// Sizes of one hand.
struct HandProfile {
    std::array<float, kJointCount> radius_m{};            ///< distance from each joint to the skin
    std::array<float, kJointCount> length_to_parent_m{};  ///< distance to parent_of(joint); 0 for palm and wrist
    /// Summed length of the fingers, divided by that of the default hand.
    float scale = 1.0F;
    std::string origin;  ///< "default", "fitted from 929 frames", ...
    /// The bones as fitted to the user's skin (`glovebox calibrate --skin`). Empty: from joints and radii.
    std::optional<HandShape> shape;
};

/// Returns an adult hand of median size (wrist to middle fingertip 187 mm), with radii like those of a headset.
HandProfile default_profile();

/// Returns the default hand, scaled uniformly.
HandProfile scaled_profile(float scale);

/// Returns the median length of each bone and the median radius of each joint over the frames in which it is valid.
/// Lengths and radii that are valid in no frame are those of the default hand, scaled. Ignores hands that are lost or
/// not finite, and radii above kLargestRadius_m. Returns default_profile() if no frame is usable. Reads fewer than 1024
/// frames, evenly spread.
HandProfile fit_profile(std::span<const HandPair> samples, Side side);

/// Fills every radius that is 0 from the profile. Positions, flags and given radii stay.
void fill_radii(const HandProfile& profile, HandFrame& frame);

}  // namespace glovebox::tracking
