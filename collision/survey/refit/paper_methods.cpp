#include "collision/survey/refit/paper_methods.h"

#include <array>

#include "collision/box/merge.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

// Returns the longest axis with the box's half length, pointing away from the joint.
Vector3f limb_of(const Obb& box, const Vector3f& joint_m) {
    Eigen::Index longest = 0;
    const float half_m = box.half_m.maxCoeff(&longest);
    const Vector3f limb_m = half_m * box.axes.col(longest);
    return (box.center_m - joint_m).dot(limb_m) < 0.0F ? Vector3f(-limb_m) : limb_m;
}

template <Obb (*merge)(const Obb&, const Obb&, const Vector3f&)>
int refit_one_by_one(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    const auto bones = static_cast<std::size_t>(body.bone_count());
    boxes.obb.resize(static_cast<std::size_t>(body.node_count()));
    boxes.present.resize(boxes.obb.size());
    boxes.changed.assign(boxes.obb.size(), 1);
    for (std::size_t i = 0; i < bones; ++i) {
        boxes.present[i] = pose.has(i) ? 1 : 0;
        boxes.obb[i] = pose.leaf_boxes[i];
    }
    int merged = 0;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const HierarchyNode& node = body.nodes[i];
        const auto a = static_cast<std::size_t>(node.child_a), b = static_cast<std::size_t>(node.child_b);
        boxes.present[bones + i] = boxes.present[a] | boxes.present[b];
        if (boxes.present[a] != 0 && boxes.present[b] != 0) {
            boxes.obb[bones + i] =
                merge(boxes.obb[a], boxes.obb[b], pose.joints_m[static_cast<std::size_t>(node.joint)]);
            ++merged;
        } else {
            boxes.obb[bones + i] = boxes.obb[boxes.present[a] != 0 ? a : b];
        }
    }
    return merged;
}

constexpr std::array kMethods = {
    RefitMethod{"cab-scalar", "CAB, one merge at a time", BoxKind::oriented, LeafTest::box,
                refit_one_by_one<merge_cab>},
    RefitMethod{"cab-footnote", "CAB with the limbs' bisector where the endpoint vector is the shortest",
                BoxKind::oriented, LeafTest::box, refit_one_by_one<merge_cab_footnote>},
};

}  // namespace

Obb merge_cab_footnote(const Obb& a, const Obb& b, const Vector3f& joint_m) {
    const Vector3f va = limb_of(a, joint_m), vb = limb_of(b, joint_m), normal = va.cross(vb);
    const float shortest2 = std::min(va.squaredNorm(), vb.squaredNorm());
    constexpr float kParallelSine2 = 2e-5F;
    if ((va - vb).squaredNorm() >= shortest2 ||
        normal.squaredNorm() <= kParallelSine2 * va.squaredNorm() * vb.squaredNorm())
        return merge_cab(a, b, joint_m);
    Eigen::Matrix3f axes;
    axes.col(0) = (va + vb).normalized();
    axes.col(1) = (normal - axes.col(0) * axes.col(0).dot(normal)).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return enclose(axes, a, b);
}

std::span<const RefitMethod> paper_refit_methods() {
    return kMethods;
}

}  // namespace glovebox::collision
