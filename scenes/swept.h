// Swept contacts: finds the contacts of fast bones between two frames (continuous collision detection). It covers
// fixed objects and objects that move along a recorded track, including thin plates, walls and edges.
//
// A bone's motion is measured relative to the object. A bone that moves less than its own radius in a frame cannot
// tunnel through a surface. A bone that moves further is swept from its previous to its current pose
// (collision/query/sweep.h), in pieces that follow its trajectory to a quarter of a millimetre. So a touch or hover
// that begins and ends between two frames is reported, with its point and the normal of the side that the bone came
// from. Dynamic objects are handled in sub-steps instead (interact.h), because they move during the step.
#pragma once

#include <span>
#include <vector>

#include "collision/query/collide.h"

namespace glovebox::scenes {

/// The motion of an object since the previous frame, interpolated evenly like the samples of a track.
struct ObjectDisplacement {
    Eigen::Isometry3f world_from_object_t0 = Eigen::Isometry3f::Identity();
    Eigen::Isometry3f world_from_object_t1 = Eigen::Isometry3f::Identity();
    float turn_rad = 0.0F;
    float max_m = 0.0F;  ///< upper bound of the displacement of any point within reach_m of its box; 0: at rest

    Eigen::Isometry3f world_from_object(float share) const;
};

/// The maximum turn of an object in a frame; more is a jump. The fastest wrist turns a quarter of this in a frame at 90
/// Hz.
constexpr float kLongestTurn_rad = 1.0F;

/// Returns the motion between two poses. The object jumped if its middle moved further than collision::kLongestSweep_m,
/// if it turned by more than kLongestTurn_rad, or if a pose is not finite. The result is then an object at rest at
/// `world_from_object_t1`.
ObjectDisplacement displacement_between(const Eigen::Isometry3f& world_from_object_t0,
                                        const Eigen::Isometry3f& world_from_object_t1,
                                        const collision::Obb& box_in_object, float reach_m);

/// The first contact of a bone with an object in its path.
struct SweptContact {
    collision::Contact contact;  ///< in the world, with bone and object as they were at that time
    float share;                 ///< that time: 0 at the previous frame, 1 now
};

/// Returns a bone (a round cone) interpolated between the previous frame (`share` 0) and now (1).
collision::Shape between(const collision::Shape& before, const collision::Shape& now, float share);

/// Returns the greater displacement of a bone's two ends.
float displacement_m(const collision::Shape& before, const collision::Shape& now);

/// Returns how far a bone may move in a frame without tunnelling through a surface: its smaller radius.
float unseen_m(const collision::Shape& bone);

/// Appends to `out` the first contact within reach_m of each candidate whose bone moves further than unseen_m()
/// relative to the object. `ways` has one entry per object, or is empty if all are at rest. A bone that starts within
/// reach counts only if it moves closer. A bone that ends within reach without having passed through the object is
/// skipped, because `contacts` (this frame's) already has it. About a dozen exact queries per candidate; allocates
/// only in `out`.
void find_swept(const collision::BodyPose& before, const collision::BodyPose& now,
                std::span<const collision::Collider> objects, std::span<const ObjectDisplacement> displacements,
                std::span<const collision::Candidate> candidates, std::span<const collision::Contact> contacts,
                float reach_m, std::vector<SweptContact>& out);

}  // namespace glovebox::scenes
