#include "collision/query/may_reach.h"

#include <algorithm>

#include "collision/query/triangle.h"

namespace glovebox::collision {

bool may_reach(const RoundCone& cone, const Obb& box) {
    // The cone in the box's frame.
    const Eigen::Vector3f a_m = box.axes.transpose() * (cone.a_m - box.center_m);
    const Eigen::Vector3f b_m = box.axes.transpose() * (cone.b_m - box.center_m);
    // Bound of the rounding error.
    const float slack_m = 1e-6F * (box.center_m.cwiseAbs().maxCoeff() + a_m.cwiseAbs().maxCoeff() +
                                   b_m.cwiseAbs().maxCoeff() + box.half_m.sum());
    const Aabb bounds = aabb_of(RoundCone{a_m, b_m, cone.radius_a_m, cone.radius_b_m});
    if (((bounds.min_m - box.half_m).array() > slack_m).any() || ((-bounds.max_m - box.half_m).array() > slack_m).any())
        return false;
    const Eigen::Vector3f along_m = b_m - a_m;
    const float length2 = along_m.squaredNorm();
    const float s = length2 > 0.0F ? std::clamp(-a_m.dot(along_m) / length2, 0.0F, 1.0F) : 0.0F;
    const Eigen::Vector3f away_m = a_m + s * along_m;
    const float length_m = away_m.norm();
    if (!(length_m > 0.0F)) return true;
    const Eigen::Vector3f away = away_m / length_m;
    const float nearest_m = std::min(away.dot(a_m) - cone.radius_a_m, away.dot(b_m) - cone.radius_b_m);
    return nearest_m <= box.half_m.dot(away.cwiseAbs()) + slack_m;
}

bool may_reach(const RoundCone& a, const RoundCone& b, float margin_m) {
    const Eigen::Vector3d a0 = a.a_m.cast<double>(), a1 = a.b_m.cast<double>();
    const Eigen::Vector3d b0 = b.a_m.cast<double>(), b1 = b.b_m.cast<double>();
    const SegmentParameters at = closest_segment_parameters(a0, a1, b0, b1);
    const double distance_m = (a0 + at.s * (a1 - a0) - b0 - at.t * (b1 - b0)).norm();
    // Uses the larger radius everywhere: exact for capsules.
    const double reach_m =
        double{std::max(a.radius_a_m, a.radius_b_m)} + double{std::max(b.radius_a_m, b.radius_b_m)} + double{margin_m};
    return distance_m <= reach_m * (1.0 + 1e-9);
}

}  // namespace glovebox::collision
