// Finds the contacts of fast bones between two frames (continuous collision detection). Objects may be fixed or move
// along a recorded track, and may be thin plates, walls and edges.
//
// A bone's motion is measured relative to the object. A bone that moves less than its own radius in a frame cannot
// tunnel through a surface. A bone that moves further is swept from its previous to its current pose
// (collision/query/sweep.h). The sweep is split into pieces that follow the bone's trajectory to within a quarter of a
// millimetre. A touch or hover that begins and ends between two frames is therefore reported, with its point and the
// normal on the side that the bone came from. Dynamic objects are handled in sub-steps instead (interact.h), because
// they move during the step.
#pragma once

#include <span>
#include <vector>

#include "collision/query/collide.h"

namespace glovebox::scenes {

/// The motion of an object since the previous frame. Poses between are interpolated at constant speed, like the samples
/// of a track.
struct ObjectDisplacement {
    Eigen::Isometry3f world_from_object_t0 = Eigen::Isometry3f::Identity();
    Eigen::Isometry3f world_from_object_t1 = Eigen::Isometry3f::Identity();
    float turn_rad = 0.0F;
    /// Upper bound of the displacement of any point within reach_m of the object's box; 0 if the object is at rest.
    float max_m = 0.0F;

    Eigen::Isometry3f world_from_object(float share) const;
};

/// The maximum rotation of an object in a frame; a larger one counts as a jump. In a frame at 90 Hz, the fastest wrist
/// turns by a quarter of this.
constexpr float kLongestTurn_rad = 1.0F;

/// Returns the motion between two poses. If the object jumped, returns an object at rest at `world_from_object_t1`. It
/// jumped if its centre moved further than collision::kLongestSweep_m, if it turned by more than kLongestTurn_rad, or
/// if a pose is not finite.
ObjectDisplacement displacement_between(const Eigen::Isometry3f& world_from_object_t0,
                                        const Eigen::Isometry3f& world_from_object_t1,
                                        const collision::Obb& box_in_object, float reach_m);

/// The first contact of a bone with an object in its path.
struct SweptContact {
    collision::Contact contact;  ///< in the world, with the poses of bone and object at that time
    /// Time of the contact: 0 at the previous frame, 1 at the current one.
    float share;
};

/// Returns a bone (a round cone) interpolated between the previous frame (`share` 0) and now (1).
collision::Shape between(const collision::Shape& before, const collision::Shape& now, float share);

/// Returns the greater displacement of a bone's two ends.
float displacement_m(const collision::Shape& before, const collision::Shape& now);

/// Returns the smaller radius of a bone. A bone that moves less than this in a frame cannot tunnel through a surface.
float unseen_m(const collision::Shape& bone);

/// Appends to `out` the first contact within reach_m of each candidate whose bone moves further than unseen_m()
/// relative to the object. `ways` has one entry per object, or is empty if all are at rest. A bone that starts within
/// reach has a swept contact only if it moves closer. A bone that ends within reach without having passed through the
/// object is skipped, because `contacts`, those of this frame, already has it. Makes about a dozen exact queries per
/// candidate; allocates only in `out`.
void find_swept(const collision::BodyPose& before, const collision::BodyPose& now,
                std::span<const collision::Collider> objects, std::span<const ObjectDisplacement> displacements,
                std::span<const collision::Candidate> candidates, std::span<const collision::Contact> contacts,
                float reach_m, std::vector<SweptContact>& out);

}  // namespace glovebox::scenes
