// Stored grab poses: a grab near one of an object's poses moves the object there within the hand.
#pragma once

#include <cstdint>
#include <optional>

#include "scenes/events.h"
#include "scenes/scene.h"

namespace glovebox::scenes {

/// A grab within this distance and angle of a stored pose snaps to it, in kSnap_ns.
inline constexpr float kSnap_m = 0.04F, kSnap_rad = 0.6F;
inline constexpr std::int64_t kSnap_ns = 120'000'000;

/// Returns the object's pose in the palm at the stored pose of that hand nearest to `palm_from_object`, among those
/// within both limits; empty if there is none. A radian counts as much as 0.1 m.
std::optional<Eigen::Isometry3f> find_grab_pose(const SceneObject& object, tracking::Side side,
                                                const Eigen::Isometry3f& palm_from_object, float limit_m,
                                                float limit_rad);

/// Begins moving a held object from its pose in the palm to `palm_from_end`.
void begin_motion(HoldState& hold, const Eigen::Isometry3f& palm_from_end, std::int64_t duration_ns);

/// Sets the object's pose in the palm at this time: along a straight line and one rotation, slow at both ends.
void follow_motion(HoldState& hold, std::int64_t time_ns);

}  // namespace glovebox::scenes
