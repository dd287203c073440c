// Profile of one user: both hands, the calibration of the glove on each, and the offset of a wrist tracker.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracking/glove/calibration.h"
#include "tracking/hand_profile.h"

namespace glovebox::tracking {

struct UserHand {
    /// The user's hand. If it is empty, the recording's profile is used, or else the default hand.
    std::optional<HandProfile> hand;
    std::vector<SensorCalibration> sensors;  ///< in the glove's own order; empty: not calibrated
    Eigen::Isometry3f tracker_from_wrist = Eigen::Isometry3f::Identity();
    double tracker_lag_s = 0.0;  ///< delay of the tracker's poses relative to the glove's
};

struct UserProfile {
    std::string name;
    PerSide<UserHand> hands;

    UserHand& operator[](Side side) { return hands[side]; }
    const UserHand& operator[](Side side) const { return hands[side]; }
};

}  // namespace glovebox::tracking
