// A person puts the scene somewhere: its origin at a pinch, turned as the head looks.
//
// begin() shows the scene between the fingertips of the right hand (the left one, where there is no other). The hand
// must have been open before its pinch counts: a finger that has just pressed a button is half of one.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>

#include "tracking/hand_frame.h"

namespace glovebox::vr {

class ScenePlacer {
  public:
    /// All places are in the frame of the seat.
    void begin(const Eigen::Isometry3f& seat_from_scene);
    void end() { active_ = false; }
    bool active() const { return active_; }

    /// True in the frame in which a pinch has lasted. Hands with radii of 0 count as a usual finger's.
    bool update(const tracking::HandPair& in_seat, const Eigen::Isometry3f& seat_from_head, std::int64_t now_ns);
    /// As it would be placed now; where it was, until a hand is seen.
    const Eigen::Isometry3f& seat_from_scene() const { return seat_from_scene_; }

  private:
    bool active_ = false;
    Eigen::Isometry3f seat_from_scene_ = Eigen::Isometry3f::Identity();
    tracking::PerSide<bool> was_open_{};
    tracking::PerSide<std::int64_t> pinched_since_ns_{};  // 0: it does not pinch
};

}  // namespace glovebox::vr
