// How long a moving bone touches no triangle of a mesh: one step of conservative advancement, for the tree as a whole.
//
// A plane parts the bone from each box and each triangle, and an end of the bone is as long in coming to it as its
// speed across the plane allows. So what is near but behind, beside, or at an end that stands still, costs no steps.
// The walk takes first what may be met first. [Zhang06]
#pragma once

#include "collision/mesh/obb_tree.h"

namespace glovebox::collision {

/// A bone that begins to move, in the mesh's frame. Time is the caller's: seconds, or a share of some way.
struct MovingCone {
    RoundCone now;
    Eigen::Vector3f speed_a_m, speed_b_m;  ///< of the two ends; the points between them move as these do, in between
    float change_a_m = 0.0F, change_b_m = 0.0F;  ///< no end changes its speed by more in a unit of time
};

/// How long an end goes before it may have gone distance_m along a direction; infinite if it never does.
float time_to_go(float distance_m, float speed_m, float change_m);

/// A time in which the bone comes no nearer to any triangle than half of gap_m, up to `until`. 0 where it is within
/// gap_m now, or crosses one. Inside and outside of a solid are alike. What is not finite is free. One walk, no
/// allocation.
float free_time(const ObbTree& tree, const MovingCone& bone, float gap_m, float until, MeshTreeCounts& counts);

}  // namespace glovebox::collision
