#include "collision/survey/clips/swept_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace glovebox::collision::clips {
namespace {

const RoundCone kAbsent = {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), -1.0F, -1.0F};

// Every bound takes a few float operations; eight units in the last place of the largest number cover their rounding.
float grown(float radius_m, const Eigen::Vector3f& center_m) {
    return radius_m + 8.0F * std::numeric_limits<float>::epsilon() * (center_m.cwiseAbs().maxCoeff() + radius_m);
}

bool finite(const RoundCone& cone) {
    return cone.a_m.allFinite() && cone.b_m.allFinite() && cone.radius_a_m >= 0.0F && cone.radius_b_m >= 0.0F &&
           std::isfinite(cone.radius_a_m) && std::isfinite(cone.radius_b_m);
}

// Returns a ball around one end of a bone over some frames, centred on the box of the centres.
Ball ball_round(std::span<const RoundCone> cones, bool end_b) {
    Aabb box;
    for (const RoundCone& cone : cones) box.include(end_b ? cone.b_m : cone.a_m);
    Ball ball{0.5F * (box.min_m + box.max_m), 0.0F};
    for (const RoundCone& cone : cones) {
        const float reach_m =
            ((end_b ? cone.b_m : cone.a_m) - ball.center_m).norm() + (end_b ? cone.radius_b_m : cone.radius_a_m);
        ball.radius_m = std::max(ball.radius_m, reach_m);
    }
    ball.radius_m = grown(ball.radius_m, ball.center_m);
    return ball;
}

}  // namespace

RoundCone enclosing_cone(const Shape& shape) {
    if (const auto* cone = std::get_if<RoundCone>(&shape)) return *cone;
    const auto* rounded = std::get_if<RoundedBox>(&shape);
    const Obb core = rounded != nullptr ? rounded->core : bounding_box(shape);
    const float radius_m = rounded != nullptr ? rounded->radius_m : 0.0F;
    // A capsule along the longest axis, thick enough to contain the box's corners.
    Eigen::Index k = 0;
    core.half_m.maxCoeff(&k);
    const Eigen::Vector3f along = core.axes.col(k) * core.half_m[k];
    const float across_m = std::hypot(core.half_m[(k + 1) % 3], core.half_m[(k + 2) % 3]);
    const float reach_m = grown(radius_m + across_m, core.center_m.cwiseAbs() + core.half_m);
    return {core.center_m - along, core.center_m + along, reach_m, reach_m};
}

Ball enclosing_ball(const Ball& a, const Ball& b) {
    const Eigen::Vector3f between = b.center_m - a.center_m;
    const float distance_m = between.norm();
    if (distance_m + b.radius_m <= a.radius_m) return a;
    if (distance_m + a.radius_m <= b.radius_m) return b;
    const float radius_m = 0.5F * (distance_m + a.radius_m + b.radius_m);
    const Eigen::Vector3f center_m = a.center_m + between * ((radius_m - a.radius_m) / distance_m);
    return {center_m, grown(radius_m, center_m)};
}

bool well_formed(const SweptTreeView& view, std::int32_t frame_count) {
    if (view.bone_count < 1 || view.bone_count > 64 || frame_count < 1 || view.nodes.empty() ||
        view.boxes.size() != view.nodes.size() ||
        view.cones.size() != view.nodes.size() * static_cast<std::size_t>(view.bone_count))
        return false;
    const auto count = static_cast<std::int64_t>(view.nodes.size());
    if (view.nodes.front().first != 0 || view.nodes.front().end != frame_count) return false;
    for (std::int64_t i = 0; i < count; ++i) {
        const SweptNode& node = view.nodes[static_cast<std::size_t>(i)];
        if (node.first < 0 || node.end <= node.first || node.end > frame_count) return false;
        if (node.leaf()) continue;
        // Children come after their parent, so a search only moves forward and ends.
        if (node.second <= i + 1 || node.second >= count) return false;
        const SweptNode& a = view.nodes[static_cast<std::size_t>(i) + 1];
        const SweptNode& b = view.nodes[static_cast<std::size_t>(node.second)];
        if (a.first != node.first || a.end != b.first || b.end != node.end) return false;
    }
    return true;
}

SweptTree SweptTree::build(std::int32_t bone_count, std::int32_t frame_count, const PoseOfFrame& pose_of,
                           int leaf_frames) {
    if (frame_count < 1) throw std::invalid_argument("swept tree: no frames");
    if (bone_count < 1 || bone_count > 64) throw std::invalid_argument("swept tree: needs 1 to 64 bones");
    if (leaf_frames < 1) throw std::invalid_argument("swept tree: leaves must hold at least one frame");
    SweptTree tree;
    tree.bone_count_ = bone_count;
    tree.add_node(0, frame_count, leaf_frames, pose_of);
    tree.pose_ = {};
    return tree;
}

std::int32_t SweptTree::add_node(std::int32_t first, std::int32_t end, int leaf_frames, const PoseOfFrame& pose_of) {
    const auto index = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({first, end, 0});
    boxes_.emplace_back();
    cones_.resize(cones_.size() + static_cast<std::size_t>(bone_count_), kAbsent);
    if (end - first <= leaf_frames) {
        fill_leaf(index, pose_of);
        return index;
    }
    // Splits at the middle, rounded to whole leaves so that all but the last are full.
    const std::int32_t leaves = (end - first + leaf_frames - 1) / leaf_frames;
    const std::int32_t middle = first + (leaves / 2) * leaf_frames;
    add_node(first, middle, leaf_frames, pose_of);
    const std::int32_t second = add_node(middle, end, leaf_frames, pose_of);
    nodes_[static_cast<std::size_t>(index)].second = second;
    fill_parent(index);
    return index;
}

void SweptTree::fill_leaf(std::int32_t node, const PoseOfFrame& pose_of) {
    const SweptNode& range = nodes_[static_cast<std::size_t>(node)];
    const auto bones = static_cast<std::size_t>(bone_count_);
    std::vector<std::vector<RoundCone>> over_time(bones);
    Aabb& box = boxes_[static_cast<std::size_t>(node)];
    for (std::int32_t frame = range.first; frame < range.end; ++frame) {
        pose_of(frame, kAllBones, pose_);
        for (std::size_t bone = 0; bone < bones; ++bone) {
            if (pose_.bone_present[bone] == 0) continue;
            const RoundCone cone = enclosing_cone(pose_.shapes[bone]);
            if (!finite(cone))
                throw std::invalid_argument("swept tree: frame " + std::to_string(frame) + ", bone " +
                                            std::to_string(bone) + ": not finite, or a negative radius");
            over_time[bone].push_back(cone);
            const Aabb tight = aabb_of(pose_.shapes[bone]);
            box.include(tight.min_m);
            box.include(tight.max_m);
        }
    }
    for (std::size_t bone = 0; bone < bones; ++bone) {
        if (over_time[bone].empty()) continue;
        const Ball a = ball_round(over_time[bone], false), b = ball_round(over_time[bone], true);
        cones_[static_cast<std::size_t>(node) * bones + bone] = {a.center_m, b.center_m, a.radius_m, b.radius_m};
    }
}

void SweptTree::fill_parent(std::int32_t node) {
    const auto i = static_cast<std::size_t>(node), a = i + 1, b = static_cast<std::size_t>(nodes_[i].second);
    boxes_[i].min_m = boxes_[a].min_m.cwiseMin(boxes_[b].min_m);
    boxes_[i].max_m = boxes_[a].max_m.cwiseMax(boxes_[b].max_m);
    const auto bones = static_cast<std::size_t>(bone_count_);
    for (std::size_t bone = 0; bone < bones; ++bone) {
        const RoundCone& cone_a = cones_[a * bones + bone];
        const RoundCone& cone_b = cones_[b * bones + bone];
        RoundCone& cone = cones_[i * bones + bone];
        if (cone_a.radius_a_m < 0.0F || cone_b.radius_a_m < 0.0F) {
            cone = cone_a.radius_a_m < 0.0F ? cone_b : cone_a;
            continue;
        }
        const Ball end_a = enclosing_ball({cone_a.a_m, cone_a.radius_a_m}, {cone_b.a_m, cone_b.radius_a_m});
        const Ball end_b = enclosing_ball({cone_a.b_m, cone_a.radius_b_m}, {cone_b.b_m, cone_b.radius_b_m});
        cone = {end_a.center_m, end_b.center_m, end_a.radius_m, end_b.radius_m};
    }
}

std::size_t SweptTree::memory_bytes() const {
    return sizeof(*this) + nodes_.size() * sizeof(SweptNode) + boxes_.size() * sizeof(Aabb) +
           cones_.size() * sizeof(RoundCone);
}

}  // namespace glovebox::collision::clips
