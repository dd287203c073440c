// The scene of the soak test: a scanned desk with twenty loose objects on it, and two hands with tracking faults.
#pragma once

#include "scenes/scene.h"
#include "tracking/hand_profile.h"

namespace glovebox::vr {

inline constexpr double kSoakFrame_s = 1.0 / 90.0;

/// Returns the built-in room-scan, 60,000 triangles, with ten balls and ten bricks over its table.
scenes::Scene soak_scene();

/// Hands that sweep over the table, dip into it, open and close. One fault of each kind in turn, 130 ms of every 0.7 s,
/// and clean in between: a lost hand, NaN, all zeros, a jump of half a metre, quaternions that are not unit.
class SoakHands {
  public:
    tracking::HandPair at(std::int64_t frame) const;

  private:
    tracking::HandProfile profile_ = tracking::default_profile();
};

}  // namespace glovebox::vr
