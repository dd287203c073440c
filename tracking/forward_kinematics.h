// Forward kinematics: from joint angles to a 26-joint hand, for gloves, scripts and recordings of angles.
//
// Angles are anatomical. Flexion is positive towards the palm; spread (abduction) is positive towards the thumb. If all
// angles are zero, the hand is flat and its fingers are together. Left and right hands take the same angles.
#pragma once

#include <array>

#include "tracking/hand_profile.h"

namespace glovebox::tracking {

/// Joint angles of a finger, radians. In a healthy hand, flexion is within -0.3..1.9 and spread within -0.4..0.4.
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
    /// Angle by which the metacarpal of the little finger bends towards the palm; that of the ring finger bends by half
    /// of it.
    float palm_arch = 0.0F;
};

/// One degree in radians.
inline constexpr float kDegree_rad = 0.017453293F;
/// Flexion angles of a closed finger and a closed thumb, from the knuckle to the tip. A curl of c bends every joint by
/// c times its angle here: 0 is straight, 1 is closed.
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

/// Computes the angles of a hand from the orientations of its joints. This inverts pose_from_angles(), approximately if
/// the hand's proportions differ from the default hand's. Angles of invalid joints are 0; the palm arch is not computed
/// and stays 0.
HandAngles angles_of_hand(const HandFrame& frame);

/// Moves a hand rigidly: transforms every valid position and orientation.
void move_rigidly(const Eigen::Isometry3f& world_from_old, HandFrame& frame);

}  // namespace glovebox::tracking
