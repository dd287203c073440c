// What is known of one user: both hands, the glove that is worn on each, and where a tracker is strapped on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracking/glove/calibration.h"
#include "tracking/hand_profile.h"

namespace glovebox::tracking {

struct UserHand {
    std::optional<HandProfile> hand;         ///< nothing: as the recording says, or the default hand's
    std::vector<SensorCalibration> sensors;  ///< in the glove's own order; empty: not calibrated
    Eigen::Isometry3f tracker_from_wrist = Eigen::Isometry3f::Identity();
    double tracker_lag_s = 0.0;  ///< the tracker's poses are so much behind the glove's
};

struct UserProfile {
    std::string name;
    PerSide<UserHand> hands;

    UserHand& operator[](Side side) { return hands[side]; }
    const UserHand& operator[](Side side) const { return hands[side]; }
};

}  // namespace glovebox::tracking
