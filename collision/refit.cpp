#include "collision/refit.h"

#include <array>

#include "collision/merge.h"

namespace glovebox::collision {
namespace {

// One pass over the frozen post-order: leaves first, then each parent from its two children.
template <class Box, class Leaf, class Merge>
int refit_tree(const ArticulatedBody& body, const BodyPose& pose, std::vector<Box>& boxes,
               std::vector<std::uint8_t>& present, const Leaf& leaf, const Merge& merge) {
    const auto bones = static_cast<std::size_t>(body.bone_count());
    const auto nodes = static_cast<std::size_t>(body.node_count());
    boxes.resize(nodes);
    present.resize(nodes);
    for (std::size_t i = 0; i < bones; ++i) {
        present[i] = pose.bone_present[i];
        if (present[i] != 0) boxes[i] = leaf(i);
    }
    int computed = 0;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const HierarchyNode& node = body.nodes[i];
        const auto a = static_cast<std::size_t>(node.child_a), b = static_cast<std::size_t>(node.child_b);
        present[bones + i] = present[a] | present[b];
        if (present[a] != 0 && present[b] != 0) {
            boxes[bones + i] = merge(boxes[a], boxes[b], node);
            ++computed;
        } else if (present[bones + i] != 0) {
            boxes[bones + i] = boxes[present[a] != 0 ? a : b];
        }
    }
    return computed;
}

template <class Merge>
int refit_oriented(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes, const Merge& merge) {
    return refit_tree(
        body, pose, boxes.obb, boxes.present, [&](std::size_t i) -> const Obb& { return pose.leaf_boxes[i]; }, merge);
}

template <class Leaf>
int refit_aligned(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes, const Leaf& leaf) {
    return refit_tree(body, pose, boxes.aabb, boxes.present, leaf,
                      [](const Aabb& a, const Aabb& b, const HierarchyNode&) {
                          return Aabb{a.min_m.cwiseMin(b.min_m), a.max_m.cwiseMax(b.max_m)};
                      });
}

int refit_cab(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_oriented(body, pose, boxes, [&](const Obb& a, const Obb& b, const HierarchyNode& node) {
        return merge_cab(a, b, pose.joints_m[static_cast<std::size_t>(node.joint)]);
    });
}

int refit_covariance(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_oriented(body, pose, boxes,
                          [](const Obb& a, const Obb& b, const HierarchyNode&) { return merge_covariance(a, b); });
}

int refit_merge(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_oriented(body, pose, boxes,
                          [](const Obb& a, const Obb& b, const HierarchyNode&) { return merge_rotations(a, b); });
}

// The paper's AABB*: through the eight corners, as it describes them.
Aabb aabb_of_corners(const Obb& box) {
    Aabb result;
    for (int corner = 0; corner < 8; ++corner) {
        const Eigen::Vector3f sign((corner & 1) != 0 ? 1.0F : -1.0F, (corner & 2) != 0 ? 1.0F : -1.0F,
                                   (corner & 4) != 0 ? 1.0F : -1.0F);
        result.include(box.center_m + box.axes * sign.cwiseProduct(box.half_m));
    }
    return result;
}

int refit_aabb(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_aligned(body, pose, boxes, [&](std::size_t i) { return aabb_of_corners(pose.leaf_boxes[i]); });
}

int refit_aabb_vertices(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_aligned(body, pose, boxes, [&](std::size_t i) { return aabb_of(pose.shapes[i]); });
}

int refit_nothing(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    boxes.present.assign(static_cast<std::size_t>(body.node_count()), 0);
    for (std::size_t i = 0; i < pose.bone_present.size(); ++i) boxes.present[i] = pose.bone_present[i];
    return 0;
}

constexpr std::array kMethods = {
    RefitMethod{"cab", "oriented boxes, merged along the articulation (CAB)", BoxKind::oriented, refit_cab},
    RefitMethod{"covariance", "oriented boxes, axes from the covariance of the children's corners", BoxKind::oriented,
                refit_covariance},
    RefitMethod{"merge", "oriented boxes, two-box merge as FCL and Coal do it", BoxKind::oriented, refit_merge},
    RefitMethod{"aabb", "axis-aligned boxes of the leaf boxes' corners (AABB*)", BoxKind::aligned, refit_aabb},
    RefitMethod{"aabb-vertices", "axis-aligned boxes fitted to the bones themselves (AABB+)", BoxKind::aligned,
                refit_aabb_vertices},
    RefitMethod{"brute", "no boxes: every pair goes to the exact test", BoxKind::none, refit_nothing},
};

}  // namespace

std::span<const RefitMethod> refit_methods() {
    return kMethods;
}

const RefitMethod* find_refit_method(std::string_view name) {
    for (const RefitMethod& method : kMethods)
        if (method.name == name) return &method;
    return nullptr;
}

ArticulatedBody make_chain(int link_count) {
    ArticulatedBody body;
    for (int i = 0; i < link_count; ++i) body.bone_names.push_back("link " + std::to_string(i));
    // Each round joins neighbours; the joint between two runs of links is the one behind the left run's last link.
    struct Run {
        std::int32_t node, last_link;
    };
    std::vector<Run> runs;
    for (std::int32_t i = 0; i < link_count; ++i) runs.push_back({i, i});
    while (runs.size() > 1) {
        std::vector<Run> next;
        for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
            body.nodes.push_back({runs[i].node, runs[i + 1].node, runs[i].last_link});
            next.push_back({link_count + static_cast<std::int32_t>(body.nodes.size()) - 1, runs[i + 1].last_link});
        }
        if (runs.size() % 2 == 1) next.push_back(runs.back());
        runs = std::move(next);
    }
    return body;
}

}  // namespace glovebox::collision
