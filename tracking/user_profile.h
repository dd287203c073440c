// What is known of one user: both hands, the glove that is worn on each, and where a tracker is strapped on.
#pragma once

#include <array>
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
    std::array<UserHand, 2> hands;  ///< by Side

    UserHand& operator[](Side side) { return hands[static_cast<std::size_t>(side)]; }
    const UserHand& operator[](Side side) const { return hands[static_cast<std::size_t>(side)]; }
};

}  // namespace glovebox::tracking
