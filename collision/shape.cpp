#include "collision/shape.h"

#include <algorithm>

namespace glovebox::collision {
namespace {

Obb box_of(const RoundCone& cone, const Eigen::Vector3f& roll_up) {
    Eigen::Vector3f along = cone.b_m - cone.a_m;
    const float length_m = along.norm();
    Obb box;
    if (length_m > 1e-6F) {
        along /= length_m;
        Eigen::Vector3f side = roll_up.cross(along);
        if (side.squaredNorm() < 1e-8F) side = along.unitOrthogonal();
        side.normalize();
        box.axes << along, side, along.cross(side);
    }
    // Along the axis each end sphere may swallow the other; across it the larger radius decides.
    const float low_m = std::min(-cone.radius_a_m, length_m - cone.radius_b_m);
    const float high_m = std::max(cone.radius_a_m, length_m + cone.radius_b_m);
    const float radius_m = std::max(cone.radius_a_m, cone.radius_b_m);
    box.center_m = cone.a_m + box.axes.col(0) * (0.5F * (low_m + high_m));
    box.half_m = {0.5F * (high_m - low_m), radius_m, radius_m};
    return box;
}

}  // namespace

Obb bounding_box(const Shape& shape, const Eigen::Vector3f& roll_up) {
    if (const auto* cone = std::get_if<RoundCone>(&shape)) return box_of(*cone, roll_up);
    if (const auto* rounded = std::get_if<RoundedBox>(&shape)) {
        Obb box = rounded->core;
        box.half_m.array() += rounded->radius_m;
        return box;
    }
    return {};
}

}  // namespace glovebox::collision
