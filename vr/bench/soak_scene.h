// The scene of the soak test. It has a scanned desk with twenty loose objects, and two hands with tracking faults.
#pragma once

#include "scenes/scene.h"
#include "tracking/hand_profile.h"

namespace glovebox::vr {

inline constexpr double kSoakFrame_s = 1.0 / 90.0;

/// Returns the built-in scene room-scan, which has 60,000 triangles, with ten balls and ten bricks above its table.
scenes::Scene soak_scene();

/// Generates hands that sweep over the table, dip into it, open and close. Every 0.7 s, they have a tracking fault for
/// 130 ms. Five kinds of faults take turns: a lost hand, NaN, all zeros, a jump of half a metre, and quaternions that
/// are not unit.
class SoakHands {
  public:
    tracking::HandPair at(std::int64_t frame) const;

  private:
    tracking::HandProfile profile_ = tracking::default_profile();
};

}  // namespace glovebox::vr
