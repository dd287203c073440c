#include "collision/query/sweep.h"

#include <algorithm>
#include <cmath>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/rotation_between.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

struct Middle {
    Vector3f at_m;
    float reach_m;  // bounds the distance of core points; radii rotate with the core and add nothing
};

Middle middle_of(const Shape& bone) {
    if (const auto* cone = std::get_if<RoundCone>(&bone))
        return {0.5F * (cone->a_m + cone->b_m), 0.5F * (cone->b_m - cone->a_m).norm()};
    if (const auto* box = std::get_if<RoundedBox>(&bone)) return {box->core.center_m, box->core.half_m.norm()};
    if (const auto* hull = std::get_if<HullInstance>(&bone))
        return {hull->world_from_hull * hull->hull->middle_m(), static_cast<float>(hull->hull->radius_m())};
    const Obb box = bounding_box(bone);
    return {box.center_m, box.half_m.norm()};
}

struct Way {
    Middle middle;
    Vector3f shift_m;
    Eigen::AngleAxisf turn;

    explicit Way(const BoneMotion& motion)
        : middle(middle_of(motion.start)),
          shift_m(motion.end_from_start * middle.at_m - middle.at_m),
          turn(motion.end_from_start.linear()) {}

    Eigen::Isometry3f at(float fraction) const {
        const Eigen::AngleAxisf part(fraction * turn.angle(), turn.axis());
        Eigen::Isometry3f moved = Eigen::Isometry3f::Identity();
        moved.linear() = part.toRotationMatrix();
        moved.translation() = middle.at_m + fraction * shift_m - moved.linear() * middle.at_m;
        return moved;
    }
    float turning_m() const { return std::abs(turn.angle()) * middle.reach_m; }
};

}  // namespace

BoneMotion motion_between(const RoundCone& before, const RoundCone& after) {
    Eigen::Isometry3f moved = Eigen::Isometry3f::Identity();
    moved.linear() = rotation_between(before.b_m - before.a_m, after.b_m - after.a_m).toRotationMatrix();
    moved.translation() = 0.5F * (after.a_m + after.b_m) - moved.linear() * (0.5F * (before.a_m + before.b_m));
    return {before, moved};
}

BoneMotion motion_between(const Shape& before, const Shape& after) {
    if (const auto* cone = std::get_if<RoundCone>(&before)) return motion_between(*cone, std::get<RoundCone>(after));
    const auto frame_of = [](const Shape& shape) {
        Eigen::Isometry3f frame = Eigen::Isometry3f::Identity();
        if (const auto* box = std::get_if<RoundedBox>(&shape)) {
            frame.linear() = box->core.axes;
            frame.translation() = box->core.center_m;
        } else if (const auto* hull = std::get_if<HullInstance>(&shape)) {
            frame = hull->world_from_hull;
        } else if (const auto* mesh = std::get_if<MeshInstance>(&shape)) {
            frame = mesh->world_from_mesh;
        }
        return frame;
    };
    return {before, frame_of(after) * frame_of(before).inverse(Eigen::Isometry)};
}

Shape shape_at(const BoneMotion& motion, float fraction) {
    return transformed(Way(motion).at(fraction), motion.start);
}

SweepResult sweep(const BoneMotion& motion, const Shape& object, CollideCounts& counts, const SweepSettings& settings) {
    SweepResult result;
    const Way way(motion);
    const float length_m = way.shift_m.norm() + way.turning_m();
    if (!(length_m <= kLongestSweep_m)) {  // NaN too
        result.end = SweepEnd::teleport;
        result.fraction = 0.0F;
        return result;
    }
    // A plane separates two convex shapes; a shape that is not convex may extend past it.
    const bool convex =
        !std::holds_alternative<MeshInstance>(object) && !std::holds_alternative<MeshInstance>(motion.start);
    float fraction = 0.0F;
    while (true) {
        Contact contact;
        ++result.steps;
        // Objects farther away than the rest of the motion cannot be reached any more.
        const float rest_m = (1.0F - fraction) * length_m;
        const Shape bone = transformed(way.at(fraction), motion.start);
        if (!closest(bone, object, settings.reach_m + rest_m + kClosed_m, contact, counts)) return result;
        if (contact.distance_m <= settings.reach_m + kClosed_m) {
            result.end = SweepEnd::touches;
            result.fraction = fraction;
            result.contact = contact;
            return result;
        }
        const float approach_m = convex ? std::max(0.0F, way.shift_m.dot(contact.normal)) + way.turning_m() : length_m;
        // Advances to half of the closing gap, so that the last steps do not become tiny.
        const float free_m = contact.distance_m - settings.reach_m - 0.5F * kClosed_m;
        if (!(free_m < (1.0F - fraction) * approach_m)) return result;
        fraction += std::max(free_m / approach_m, settings.min_step_m / length_m);
        if (!(fraction <= 1.0F)) return result;
    }
}

}  // namespace glovebox::collision
