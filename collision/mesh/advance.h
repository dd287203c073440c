// Computes how long a moving bone stays clear of a mesh: one step of conservative advancement for the whole tree.
//
// For each box or triangle, a plane separates it from the bone. The time that an end of the bone needs to reach the
// plane follows from the end's speed along the plane's normal. So a near triangle costs no steps if it is behind the
// bone, beside it, or at an end that does not move. The traversal first visits what the bone may reach first. [Zhang06]
#pragma once

#include "collision/mesh/obb_tree.h"

namespace glovebox::collision {

/// A bone at the start of a motion, in the mesh's frame. The caller chooses the unit of time: seconds, or a fraction of
/// a motion.
struct MovingCone {
    RoundCone now;
    Eigen::Vector3f speed_a_m, speed_b_m;        ///< velocities of the two ends, interpolated between them
    float change_a_m = 0.0F, change_b_m = 0.0F;  ///< maximum acceleration of each end
};

/// Returns the least time in which an end can move by `distance_m` along a direction, given its speed along it and its
/// maximum acceleration; infinite if it never does.
float time_to_go(float distance_m, float speed_m, float change_m);

/// Returns a time, at most `until`, during which the bone comes no nearer to any triangle than half of gap_m. Returns 0
/// if the bone now is within gap_m of a triangle or intersects one, and `until` if a number of the bone is NaN or
/// infinite. Only the surface counts, so a bone inside a solid is free to move too. One traversal, no allocation.
float free_time(const ObbTree& tree, const MovingCone& bone, float gap_m, float until, MeshTreeCounts& counts);

}  // namespace glovebox::collision
