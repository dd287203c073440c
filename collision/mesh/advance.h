// Computes how long a moving bone stays clear of a mesh: one step of conservative advancement for the whole tree.
//
// For each box and triangle a plane separates it from the bone. The time that an end of the bone needs to reach the
// plane follows from its speed across the plane. So near triangles behind, beside or at a resting end of the bone cost
// no steps. The traversal visits first what the bone may reach first. [Zhang06]
#pragma once

#include "collision/mesh/obb_tree.h"

namespace glovebox::collision {

/// A bone at the start of a motion, in the mesh's frame. The caller chooses the unit of time: seconds, or a fraction of
/// a motion.
struct MovingCone {
    RoundCone now;
    Eigen::Vector3f speed_a_m, speed_b_m;        ///< velocities of the two ends; in between they are interpolated
    float change_a_m = 0.0F, change_b_m = 0.0F;  ///< bound of each end's change of velocity per unit of time
};

/// Returns the least time in which an end may move distance_m along a direction; infinite if it never does.
float time_to_go(float distance_m, float speed_m, float change_m);

/// Returns a time, at most `until`, in which the bone comes no nearer to any triangle than half of gap_m. Returns 0 if
/// the bone is within gap_m now or crosses a triangle. The inside and the outside of a solid count alike. Returns
/// `until` if the bone is not finite. One traversal, no allocation.
float free_time(const ObbTree& tree, const MovingCone& bone, float gap_m, float until, MeshTreeCounts& counts);

}  // namespace glovebox::collision
