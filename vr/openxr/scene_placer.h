// Lets the user place the scene: its origin goes to the point of a pinch, and the scene turns to the head's direction.
//
// After begin() the scene follows the fingertips of the right hand, or of the left hand if the right one is not
// tracked. A pinch counts only if the hand was open before, because a finger that has just pressed a button is close to
// a pinch.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>

#include "tracking/hand_frame.h"

namespace glovebox::vr {

/// State of the placing. All poses are in the frame of the seat.
class ScenePlacer {
  public:
    /// Begins placing a scene that is now at `seat_from_scene`.
    void begin(const Eigen::Isometry3f& seat_from_scene);
    void end() { active_ = false; }
    bool active() const { return active_; }

    /// Updates the pose. Returns true in the frame in which a pinch has lasted long enough to place the scene. Finger
    /// radii of 0 are replaced by a typical radius.
    bool update(const tracking::HandPair& in_seat, const Eigen::Isometry3f& seat_from_head, std::int64_t now_ns);
    /// Returns the current pose of the scene. Until a hand is tracked, it is the pose passed to begin().
    const Eigen::Isometry3f& seat_from_scene() const { return seat_from_scene_; }

  private:
    bool active_ = false;
    Eigen::Isometry3f seat_from_scene_ = Eigen::Isometry3f::Identity();
    tracking::PerSide<bool> was_open_{};
    tracking::PerSide<std::int64_t> pinched_since_ns_{};  // 0: not pinching
};

}  // namespace glovebox::vr
