// Forward kinematics: from joint angles to a 26-joint hand, for gloves, scripts and recordings of angles.
//
// Angles are anatomical. Flexion is positive towards the palm; spread (abduction) is positive towards the thumb. All
// zero is a flat hand with its fingers together. Left and right hands take the same angles.
#pragma once

#include <array>

#include "tracking/hand_profile.h"

namespace glovebox::tracking {

/// Joint angles of a finger, radians. Ranges of a healthy hand: flexion -0.3..1.9, spread -0.4..0.4.
struct FingerAngles {
    float mcp_flex = 0.0F, mcp_spread = 0.0F, pip_flex = 0.0F, dip_flex = 0.0F;
};
struct ThumbAngles {
    float cmc_flex = 0.0F;       ///< across the palm, towards the little finger
    float cmc_abduction = 0.0F;  ///< out of the plane of the palm, away from the index finger's metacarpal
    float mcp_flex = 0.0F, ip_flex = 0.0F;
};
struct HandAngles {
    ThumbAngles thumb;
    std::array<FingerAngles, 4> fingers;  ///< index, middle, ring, little
    float palm_arch = 0.0F;               ///< the little finger's metacarpal bends towards the palm; the ring's by half
};

/// Flexion of a closed finger and of a closed thumb, from the knuckle to the tip. Curl is a fraction of these angles,
/// the same for every joint: 0 straight, 1 closed.
inline constexpr float kDegree_rad = 0.017453293F;
inline constexpr std::array<float, 3> kClosedFinger_rad = {90.0F * kDegree_rad, 100.0F * kDegree_rad,
                                                           70.0F * kDegree_rad};
inline constexpr std::array<float, 3> kClosedThumb_rad = {50.0F * kDegree_rad, 60.0F * kDegree_rad,
                                                          80.0F * kDegree_rad};

/// Returns a relaxed hand: fingers slightly bent, more so towards the little finger.
HandAngles resting_angles();

/// Returns a whole hand with all joints valid and tracked; the caller sets times and source.
/// Bone lengths come from the profile, metacarpal directions from the default hand. Constant cost, no allocation.
HandFrame pose_from_angles(const HandProfile& profile, const HandAngles& angles,
                           const Eigen::Isometry3f& world_from_wrist, Side side);

/// Returns the angles of a hand from its joints' orientations: the inverse of pose_from_angles(), approximate for hands
/// of other proportions. Angles of invalid joints are 0; palm arch is not computed.
HandAngles angles_of_hand(const HandFrame& frame);

/// Moves a hand rigidly: transforms every valid position and orientation.
void move_rigidly(const Eigen::Isometry3f& world_from_old, HandFrame& frame);

}  // namespace glovebox::tracking
