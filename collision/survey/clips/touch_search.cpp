#include "collision/survey/clips/touch_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "collision/query/triangle.h"
#include "collision/survey/clips/distance_bounds.h"

namespace glovebox::collision::clips {
namespace {

// Bounds are tested in another frame of reference and with other formulas than the exact distances. A hundredth of a
// millimetre covers the rounding of both near the origin at no cost; farther away it grows with the coordinates.
float slack_at(float furthest_m) {
    return 1e-5F + 16.0F * std::numeric_limits<float>::epsilon() * furthest_m;
}

float furthest_m(const Aabb& box) {
    return box.min_m.x() > box.max_m.x() ? 0.0F : box.min_m.cwiseAbs().cwiseMax(box.max_m.cwiseAbs()).maxCoeff();
}

// Returns a bound of the body's distance from the origin, in its tree or in its poses.
float furthest_m(const SweptBody& body) {
    return furthest_m(body.tree.boxes.front()) + body.tree_from_pose.translation().cwiseAbs().maxCoeff();
}

using BonePair = std::pair<std::uint8_t, std::uint8_t>;

bool present(const RoundCone& cone) {
    return cone.radius_a_m >= 0.0F;
}

// Returns a lower bound of their distance: the distance of the capsules around them.
float distance_at_least(const RoundCone& a, const RoundCone& b) {
    const Eigen::Vector3d a0 = a.a_m.cast<double>(), a1 = a.b_m.cast<double>();
    const Eigen::Vector3d b0 = b.a_m.cast<double>(), b1 = b.b_m.cast<double>();
    const SegmentParameters at = closest_segment_parameters(a0, a1, b0, b1);
    const double core_m = (a0 + at.s * (a1 - a0) - b0 - at.t * (b1 - b0)).norm();
    return static_cast<float>(core_m) - std::max(a.radius_a_m, a.radius_b_m) - std::max(b.radius_a_m, b.radius_b_m);
}

// A cheap test of two bones that avoids most exact queries, which search for the nearest points of tapering cones.
bool clearly_apart(const Shape& a, const Shape& b, float reach_m) {
    return distance_at_least(enclosing_cone(a), enclosing_cone(b)) > reach_m;
}

RoundCone moved(const Eigen::Isometry3f& target_from_cone, const RoundCone& cone) {
    return {target_from_cone * cone.a_m, target_from_cone * cone.b_m, cone.radius_a_m, cone.radius_b_m};
}

// Gathers the frames of one (bone, other) pair, which come in order, into intervals. A near frame that cannot be the
// nearest of its interval may be added without its distance.
class Intervals {
  public:
    static constexpr float kNotTheNearest_m = std::numeric_limits<float>::infinity();

    void add(std::int32_t bone, std::int32_t other, std::int32_t frame, float distance_m, std::size_t slot) {
        if (slot >= open_.size()) open_.resize(slot + 1, kNone);
        if (open_[slot] != kNone && all_[open_[slot]].last + 1 == frame) {
            NearInterval& interval = all_[open_[slot]];
            interval.last = frame;
            if (distance_m < interval.distance_m) {
                interval.distance_m = distance_m;
                interval.nearest_frame = frame;
            }
            return;
        }
        open_[slot] = all_.size();
        all_.push_back({bone, other, frame, frame, frame, distance_m});
    }

    /// Returns the least distance of the interval that a frame would extend; infinite if it would begin one.
    float nearest_before(std::int32_t frame, std::size_t slot) const {
        const bool extends = slot < open_.size() && open_[slot] != kNone && all_[open_[slot]].last + 1 == frame;
        return extends ? all_[open_[slot]].distance_m : kNotTheNearest_m;
    }

    void append(Intervals&& more) { all_.insert(all_.end(), more.all_.begin(), more.all_.end()); }

    std::vector<NearInterval> sorted() && {
        std::sort(all_.begin(), all_.end(), [](const NearInterval& a, const NearInterval& b) {
            return std::tie(a.other, a.bone, a.first) < std::tie(b.other, b.bone, b.first);
        });
        return std::move(all_);
    }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<NearInterval> all_;
    std::vector<std::size_t> open_;
};

// An object in one frame: its exact shape, and the box of everything within reach of it.
struct Here {
    Shape shape;  // in the poses' frame
    Aabb reach;   // box of all points within reach of it
};

// A resting object: every node is tested against the object itself.
struct StillTarget {
    Here here;
    Shape in_tree;
    float reach_m;  // search distance plus slack
    Aabb reach_in_tree;
    const RoundCone* round_in_tree = std::get_if<RoundCone>(&in_tree);
    bool ball_in_tree = round_in_tree != nullptr && is_ball(*round_in_tree);
    CollideCounts collide{};
    ConeBallPairs pairs{};
    BoundsColumns bounds{};
    std::array<int, ConeBallPairs::kCapacity> bone_of_pair{};

    StillTarget(const StillTarget&) = delete;
    StillTarget(const SweptBody& body, const Shape& object, float search_within_m)
        : here{object, aabb_of(object)},
          in_tree(transformed(body.tree_from_pose, object)),
          reach_m(search_within_m + slack_at(furthest_m(body) + furthest_m(here.reach))),
          reach_in_tree(aabb_of(in_tree).grown(reach_m)) {
        here.reach = here.reach.grown(reach_m);
    }

    const Aabb& reach_of(std::int32_t) const { return reach_in_tree; }
    // Returns the bones that may come within reach during a node.
    std::uint64_t near_bones(std::int32_t, std::uint64_t bones, std::span<const RoundCone> cones, TouchCounts& counts) {
        counts.bound_tests += std::popcount(bones);
        std::uint64_t near = 0;
        pairs.count = 0;
        for (std::uint64_t left = bones; left != 0; left &= left - 1) {
            const int bone = std::countr_zero(left);
            const RoundCone& cone = cones[static_cast<std::size_t>(bone)];
            if (ball_in_tree) {  // capacity is enough: no body has more bones
                bone_of_pair[pairs.count] = bone;
                pairs.add(cone, *round_in_tree);
            } else if (overlap(aabb_of(cone), reach_in_tree) && may_collide(cone)) {
                near |= std::uint64_t{1} << bone;
            }
        }
        distance_bounds(pairs, bounds);
        for (std::size_t k = 0; k < pairs.count; ++k)
            if (bounds.min_m[k] <= reach_m) near |= std::uint64_t{1} << bone_of_pair[k];
        return near;
    }
    bool may_collide(const RoundCone& cone) {
        if (round_in_tree != nullptr) {
            const DistanceBounds quick = distance_bounds(cone, *round_in_tree);
            if (quick.min_m > reach_m) return false;
            if (quick.max_m <= reach_m) return true;
        }
        Contact contact;
        return closest(Shape(cone), in_tree, reach_m, contact, collide);
    }
    void come_to(const SweptNode&) {}
    const Here& at(std::int32_t) const { return here; }
};

// A moving object: each node has the box of the object's positions during its frames.
struct MovingTarget {
    const MovingObject& object;
    float within_m, body_m;  // body_m: bound of the body's distance from the origin
    std::vector<Aabb> reach;
    std::int32_t first = 0;
    std::vector<Here> in_leaf{};

    MovingTarget(const SweptBody& body, const MovingObject& moving, float search_within_m)
        : object(moving), within_m(search_within_m), body_m(furthest_m(body)), reach(body.tree.nodes.size()) {
        for (std::size_t i = reach.size(); i-- > 0;) {  // children come after their parent
            const SweptNode& node = body.tree.nodes[i];
            if (!node.leaf()) {
                const Aabb &a = reach[i + 1], &b = reach[static_cast<std::size_t>(node.second)];
                reach[i] = {a.min_m.cwiseMin(b.min_m), a.max_m.cwiseMax(b.max_m)};
                continue;
            }
            Aabb box;
            for (std::int32_t frame = node.first; frame < node.end; ++frame) {
                const Aabb now =
                    aabb_of(transformed(body.tree_from_pose * object.pose_from_object(frame), object.shape));
                box.include(now.min_m);
                box.include(now.max_m);
            }
            reach[i] = within_reach(box);
        }
    }
    Aabb within_reach(const Aabb& box) const { return box.grown(within_m + slack_at(body_m + furthest_m(box))); }

    const Aabb& reach_of(std::int32_t node) const { return reach[static_cast<std::size_t>(node)]; }
    // Tests only against the box of the object's positions.
    std::uint64_t near_bones(std::int32_t node, std::uint64_t bones, std::span<const RoundCone> cones,
                             TouchCounts& counts) const {
        counts.bound_tests += std::popcount(bones);
        std::uint64_t near = 0;
        for (std::uint64_t left = bones; left != 0; left &= left - 1) {
            const int bone = std::countr_zero(left);
            if (overlap(aabb_of(cones[static_cast<std::size_t>(bone)]), reach_of(node)))
                near |= std::uint64_t{1} << bone;
        }
        return near;
    }
    void come_to(const SweptNode& leaf) {
        first = leaf.first;
        in_leaf.clear();
        for (std::int32_t frame = leaf.first; frame < leaf.end; ++frame) {
            Shape now = transformed(object.pose_from_object(frame), object.shape);
            const Aabb box = within_reach(aabb_of(now));
            in_leaf.push_back({std::move(now), box});
        }
    }
    const Here& at(std::int32_t frame) const { return in_leaf[static_cast<std::size_t>(frame - first)]; }
};

// Searches one body against one object.
template <class Target>
struct NearSearch {
    // The knowledge about a bone in a frame. `distance_m` is valid once `exact` is set.
    struct Look {
        DistanceBounds bounds{};
        bool present = false, near = false, exact = false;
        float distance_m = 0.0F;
    };

    const SweptBody& body;
    Target target;
    std::int32_t object_index;
    float within_m;
    TouchCounts& counts;
    Intervals& intervals;
    std::vector<BodyPose> poses{};  // of one leaf's frames
    std::vector<Look> looks{};      // of one bone in these frames
    ConeBallPairs pairs{};
    BoundsColumns bounds{};
    std::array<std::size_t, ConeBallPairs::kCapacity> visit_of_pair{};
    CollideCounts collide{};

    void visit(std::int32_t index, std::uint64_t bones) {
        ++counts.nodes;
        const Aabb& reach = target.reach_of(index);
        if (!overlap(body.tree.boxes[static_cast<std::size_t>(index)], reach)) return;
        const std::span<const RoundCone> cones = body.tree.cones_of(index);
        std::uint64_t there = 0;
        for (std::uint64_t left = bones; left != 0; left &= left - 1)
            if (present(cones[static_cast<std::size_t>(std::countr_zero(left))])) there |= left & (~left + 1);
        const std::uint64_t near = target.near_bones(index, there, cones, counts);
        if (near == 0) return;
        const SweptNode& node = body.tree.nodes[static_cast<std::size_t>(index)];
        if (node.leaf()) return look_at(node, near);
        visit(index + 1, near);
        visit(node.second, near);
    }

    void look_at(const SweptNode& leaf, std::uint64_t bones) {
        target.come_to(leaf);
        poses.resize(std::max(poses.size(), static_cast<std::size_t>(leaf.end - leaf.first)));
        for (std::int32_t frame = leaf.first; frame < leaf.end; ++frame) {
            body.pose_of(frame, bones, poses[static_cast<std::size_t>(frame - leaf.first)]);
            ++counts.frames_posed;
        }
        for (std::uint64_t left = bones; left != 0; left &= left - 1) look_at(leaf, std::countr_zero(left));
    }

    // First decides which frames are near, then which of each run may be the nearest of its interval. Frames that the
    // bounds decide need no exact test.
    void look_at(const SweptNode& leaf, int bone) {
        find_bounds(leaf, bone);
        for (std::size_t k = 0; k < looks.size(); ++k)
            decide(leaf, leaf.first + static_cast<std::int32_t>(k), bone, looks[k]);
        const auto slot = static_cast<std::size_t>(bone);
        for (std::size_t k = 0; k < looks.size();) {
            std::size_t end = k;
            float surely_m = Intervals::kNotTheNearest_m;
            for (; end < looks.size() && looks[end].near; ++end) surely_m = std::min(surely_m, looks[end].bounds.max_m);
            if (k == end) {
                ++k;
                continue;
            }
            surely_m = std::min(surely_m, intervals.nearest_before(leaf.first + static_cast<std::int32_t>(k), slot));
            for (; k < end; ++k) {
                const std::int32_t frame = leaf.first + static_cast<std::int32_t>(k);
                const bool may_be_nearest = looks[k].bounds.min_m <= surely_m;
                intervals.add(bone, object_index, frame,
                              may_be_nearest ? exactly(leaf, frame, bone, looks[k]) : Intervals::kNotTheNearest_m,
                              slot);
            }
        }
    }

    const Shape& shape_of(const SweptNode& leaf, std::int32_t frame, int bone) const {
        return poses[static_cast<std::size_t>(frame - leaf.first)].shapes[static_cast<std::size_t>(bone)];
    }

    void find_bounds(const SweptNode& leaf, int bone) {
        looks.clear();
        pairs.count = 0;
        for (std::int32_t frame = leaf.first; frame < leaf.end; ++frame) {
            Look& look = looks.emplace_back();
            const BodyPose& pose = poses[static_cast<std::size_t>(frame - leaf.first)];
            look.present = pose.bone_present[static_cast<std::size_t>(bone)] != 0;
            if (!look.present) continue;
            const Shape &shape = shape_of(leaf, frame, bone), &object = target.at(frame).shape;
            const auto *cone = std::get_if<RoundCone>(&shape), *round = std::get_if<RoundCone>(&object);
            if (cone != nullptr && round != nullptr && is_ball(*round) && !pairs.full()) {
                visit_of_pair[pairs.count] = looks.size() - 1;
                pairs.add(*cone, *round);
            } else {
                look.bounds = distance_bounds(shape, object);
            }
        }
        distance_bounds(pairs, bounds);
        for (std::size_t k = 0; k < pairs.count; ++k)
            looks[visit_of_pair[k]].bounds = {bounds.min_m[k], bounds.max_m[k]};
    }

    void decide(const SweptNode& leaf, std::int32_t frame, int bone, Look& look) {
        if (!look.present || look.bounds.min_m > within_m) return;
        look.near = look.bounds.max_m <= within_m;
        if (look.near || !overlap(aabb_of(shape_of(leaf, frame, bone)), target.at(frame).reach)) return;
        look.near = exactly(leaf, frame, bone, look) <= within_m;
        look.bounds = {look.distance_m, look.distance_m};
    }

    float exactly(const SweptNode& leaf, std::int32_t frame, int bone, Look& look) {
        if (look.exact) return look.distance_m;
        ++counts.exact_tests;
        Contact contact;
        const bool near = closest(shape_of(leaf, frame, bone), target.at(frame).shape, within_m, contact, collide);
        look.exact = true;
        look.distance_m = near ? contact.distance_m : Intervals::kNotTheNearest_m;
        return look.distance_m;
    }
};

// Pairs of bones that may still be near, on one stack for all levels of the traversal.
class PairStack {
  public:
    std::size_t mark() const { return pairs_.size(); }
    void push(BonePair pair) { pairs_.push_back(pair); }
    void drop_to(std::size_t mark) { pairs_.resize(mark); }
    BonePair operator[](std::size_t i) const { return pairs_[i]; }

  private:
    std::vector<BonePair> pairs_;
};

void push_all_pairs(PairStack& stack, const SweptTreeView& a, std::uint64_t bones_a, const SweptTreeView& b,
                    std::uint64_t bones_b) {
    for (std::int32_t i = 0; i < a.bone_count; ++i)
        for (std::int32_t j = 0; j < b.bone_count; ++j)
            if ((bones_a >> i & 1U) != 0 && (bones_b >> j & 1U) != 0)
                stack.push({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)});
}

// Pushes those of the pairs [first, end) whose swept cones may come within reach on these nodes.
void push_near_pairs(PairStack& stack, std::size_t first, std::size_t end, const SweptTreeView& a, std::int32_t node_a,
                     const SweptTreeView& b, std::int32_t node_b, const Eigen::Isometry3f& a_from_b, float reach_m,
                     TouchCounts& counts) {
    std::array<RoundCone, 64> cones_b;
    std::array<Aabb, 64> boxes_b;
    const std::span<const RoundCone> own_cones = a.cones_of(node_a), other_cones = b.cones_of(node_b);
    std::uint64_t made = 0;
    for (std::size_t k = first; k < end; ++k) {
        const BonePair pair = stack[k];
        const RoundCone& cone_a = own_cones[pair.first];
        if (!present(cone_a) || !present(other_cones[pair.second])) continue;
        if ((made >> pair.second & 1U) == 0) {
            made |= std::uint64_t{1} << pair.second;
            cones_b[pair.second] = moved(a_from_b, other_cones[pair.second]);
            boxes_b[pair.second] = aabb_of(cones_b[pair.second]).grown(reach_m);
        }
        if (!overlap(aabb_of(cone_a), boxes_b[pair.second])) continue;
        ++counts.bound_tests;
        if (distance_at_least(cone_a, cones_b[pair.second]) <= reach_m) stack.push(pair);
    }
}

bool boxes_near(const Aabb& a, const Aabb& b, const Eigen::Isometry3f& a_from_b, float reach_m) {
    if (a.min_m.x() > a.max_m.x() || b.min_m.x() > b.max_m.x()) return false;
    if (a_from_b.matrix().isIdentity(0.0F)) return overlap(a.grown(reach_m), b);
    return overlap(a.grown(reach_m), aabb_of(transformed(a_from_b, obb_of(b))));
}

// Searches two bodies that share their frames.
struct HandHandSearch {
    const SweptBody& a;
    const SweptBody& b;
    float within_m;
    TouchCounts& counts;
    Intervals& intervals;
    float reach_m = within_m + slack_at(furthest_m(a) + furthest_m(b));
    PairStack pairs{};
    BodyPose pose_a{}, pose_b{};
    CollideCounts collide{};

    void visit(std::int32_t index, std::size_t first, std::size_t end) {
        ++counts.nodes;
        const auto i = static_cast<std::size_t>(index);
        const Eigen::Isometry3f same = Eigen::Isometry3f::Identity();
        if (!boxes_near(a.tree.boxes[i], b.tree.boxes[i], same, reach_m)) return;
        const std::size_t mine = pairs.mark();
        push_near_pairs(pairs, first, end, a.tree, index, b.tree, index, same, reach_m, counts);
        if (const std::size_t mine_end = pairs.mark(); mine_end > mine) {
            const SweptNode& node = a.tree.nodes[i];
            if (node.leaf()) {
                look_at(node, mine, mine_end);
            } else {
                visit(index + 1, mine, mine_end);
                visit(node.second, mine, mine_end);
            }
        }
        pairs.drop_to(mine);
    }

    void look_at(const SweptNode& node, std::size_t first, std::size_t end) {
        std::uint64_t bones_a = 0, bones_b = 0;
        for (std::size_t k = first; k < end; ++k) {
            bones_a |= std::uint64_t{1} << pairs[k].first;
            bones_b |= std::uint64_t{1} << pairs[k].second;
        }
        for (std::int32_t frame = node.first; frame < node.end; ++frame) {
            a.pose_of(frame, bones_a, pose_a);
            b.pose_of(frame, bones_b, pose_b);
            counts.frames_posed += 2;
            for (std::size_t k = first; k < end; ++k) {
                const auto [bone_a, bone_b] = pairs[k];
                if (pose_a.bone_present[bone_a] == 0 || pose_b.bone_present[bone_b] == 0) continue;
                if (clearly_apart(pose_a.shapes[bone_a], pose_b.shapes[bone_b], reach_m)) continue;
                ++counts.exact_tests;
                Contact contact;
                if (closest(pose_a.shapes[bone_a], pose_b.shapes[bone_b], within_m, contact, collide))
                    intervals.add(bone_a, bone_b, frame, contact.distance_m, std::size_t{64} * bone_a + bone_b);
            }
        }
    }
};

void check_reach(float within_m) {
    if (!(within_m >= 0.0F && within_m <= 1e3F))
        throw std::invalid_argument("search: the distance must be between 0 and 1000 m");
}

// ---- recordings with clocks of their own

// The poses of one leaf, computed once and reused while the other tree's leaves change.
class LeafPoses {
  public:
    const BodyPose& get(const SweptBody& body, const SweptNode& leaf, std::int32_t frame, TouchCounts& counts) {
        if (first_ != leaf.first || body_ != &body) {
            body_ = &body;
            first_ = leaf.first;
            filled_.assign(static_cast<std::size_t>(leaf.end - leaf.first), 0);
            poses_.resize(std::max(poses_.size(), filled_.size()));
        }
        const auto i = static_cast<std::size_t>(frame - leaf.first);
        if (filled_[i] == 0) {
            body.pose_of(frame, kAllBones, poses_[i]);
            ++counts.frames_posed;
            filled_[i] = 1;
        }
        return poses_[i];
    }

  private:
    const SweptBody* body_ = nullptr;
    std::int32_t first_ = -1;
    std::vector<std::uint8_t> filled_;
    std::vector<BodyPose> poses_;
};

// Finds all pairs of frames of two bodies that overlap in time at an offset and whose bones meet. `Goal` decides which
// pairs starting at a given time are still of interest, and receives the clashes.
template <class Goal>
struct TakeSearch {
    const TakeBody& a;
    const TakeBody& b;
    std::int32_t body_a, body_b;
    std::int64_t offset_ns;
    float within_m;
    Goal& goal;
    TouchCounts& counts;
    float reach_m = within_m + slack_at(furthest_m(a.body) + furthest_m(b.body));
    // All poses are in one frame of reference; each tree may have its own.
    Eigen::Isometry3f a_from_b = a.body.tree_from_pose * b.body.tree_from_pose.inverse();
    PairStack pairs{};
    LeafPoses poses_a{}, poses_b{};
    CollideCounts collide{};

    bool share_time(std::int32_t a_first, std::int32_t a_end, std::int32_t b_first, std::int32_t b_end) const {
        return std::max(begin_a(a_first), begin_b(b_first) + offset_ns) <
               std::min(end_a(a_end - 1), end_b(b_end - 1) + offset_ns);
    }
    std::int64_t both_from(std::int32_t frame_a, std::int32_t frame_b) const {
        return std::max(begin_a(frame_a), begin_b(frame_b) + offset_ns);
    }
    std::int64_t begin_a(std::int32_t frame) const { return a.times.begin_ns[static_cast<std::size_t>(frame)]; }
    std::int64_t begin_b(std::int32_t frame) const { return b.times.begin_ns[static_cast<std::size_t>(frame)]; }
    std::int64_t end_a(std::int32_t frame) const { return a.times.end_ns(frame); }
    std::int64_t end_b(std::int32_t frame) const { return b.times.end_ns(frame); }

    void run() {
        push_all_pairs(pairs, a.body.tree, ~std::uint64_t{0}, b.body.tree, ~std::uint64_t{0});
        visit(0, 0, 0, pairs.mark());
    }

    void visit(std::int32_t index_a, std::int32_t index_b, std::size_t first, std::size_t end) {
        ++counts.nodes;
        const SweptNode& na = a.body.tree.nodes[static_cast<std::size_t>(index_a)];
        const SweptNode& nb = b.body.tree.nodes[static_cast<std::size_t>(index_b)];
        if (!share_time(na.first, na.end, nb.first, nb.end)) return;
        if (!goal.wants(both_from(na.first, nb.first))) return;
        if (!boxes_near(a.body.tree.boxes[static_cast<std::size_t>(index_a)],
                        b.body.tree.boxes[static_cast<std::size_t>(index_b)], a_from_b, reach_m))
            return;
        const std::size_t mine = pairs.mark();
        push_near_pairs(pairs, first, end, a.body.tree, index_a, b.body.tree, index_b, a_from_b, reach_m, counts);
        if (const std::size_t mine_end = pairs.mark(); mine_end > mine) descend(index_a, index_b, mine, mine_end);
        pairs.drop_to(mine);
    }

    void descend(std::int32_t index_a, std::int32_t index_b, std::size_t first, std::size_t end) {
        const SweptNode& na = a.body.tree.nodes[static_cast<std::size_t>(index_a)];
        const SweptNode& nb = b.body.tree.nodes[static_cast<std::size_t>(index_b)];
        if (na.leaf() && nb.leaf()) return look_at(na, nb, first, end);
        // Splits the node that lasts longer, so that both become short together.
        const std::int64_t lasts_a = end_a(na.end - 1) - begin_a(na.first);
        const std::int64_t lasts_b = end_b(nb.end - 1) - begin_b(nb.first);
        if (nb.leaf() || (!na.leaf() && lasts_a >= lasts_b)) {
            visit(index_a + 1, index_b, first, end);
            visit(na.second, index_b, first, end);
        } else {
            visit(index_a, index_b + 1, first, end);
            visit(index_a, nb.second, first, end);
        }
    }

    void look_at(const SweptNode& na, const SweptNode& nb, std::size_t first, std::size_t end) {
        for (std::int32_t i = na.first; i < na.end; ++i)
            for (std::int32_t j = nb.first; j < nb.end; ++j) {
                if (share_time(i, i + 1, j, j + 1) && goal.wants(both_from(i, j))) look_at(na, nb, i, j, first, end);
            }
    }

    void look_at(const SweptNode& na, const SweptNode& nb, std::int32_t i, std::int32_t j, std::size_t first,
                 std::size_t end) {
        const BodyPose& pose_a = poses_a.get(a.body, na, i, counts);
        const BodyPose& pose_b = poses_b.get(b.body, nb, j, counts);
        for (std::size_t k = first; k < end; ++k) {
            const auto [bone_a, bone_b] = pairs[k];
            if (pose_a.bone_present[bone_a] == 0 || pose_b.bone_present[bone_b] == 0) continue;
            if (clearly_apart(pose_a.shapes[bone_a], pose_b.shapes[bone_b], reach_m)) continue;
            ++counts.exact_tests;
            Contact contact;
            if (!closest(pose_a.shapes[bone_a], pose_b.shapes[bone_b], within_m, contact, collide)) continue;
            if (goal.found({body_a, body_b, i, j, bone_a, bone_b, both_from(i, j), contact.distance_m})) return;
        }
    }
};

// Keeps the earliest clash; among clashes at the same time the deepest.
struct Earliest {
    std::optional<Clash> best{};

    bool wants(std::int64_t from_ns) const { return !best || from_ns <= best->at_ns; }
    bool found(const Clash& clash) {
        if (!best || std::tie(clash.at_ns, clash.distance_m) < std::tie(best->at_ns, best->distance_m)) best = clash;
        return false;
    }
};

// Keeps the first clash that the search finds.
struct Any {
    std::optional<Clash> clash{};

    bool wants(std::int64_t) const { return !clash; }
    bool found(const Clash& one) {
        clash = one;
        return true;
    }
};

template <class Goal>
void search(std::span<const TakeBody> a, std::span<const TakeBody> b, std::int64_t offset_ns, float within_m,
            Goal& goal, TouchCounts& counts) {
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            TakeSearch<Goal>{.a = a[i],
                             .b = b[j],
                             .body_a = static_cast<std::int32_t>(i),
                             .body_b = static_cast<std::int32_t>(j),
                             .offset_ns = offset_ns,
                             .within_m = within_m,
                             .goal = goal,
                             .counts = counts}
                .run();
}

// Tests pairs of frames of two recordings, one at a time.
class PairsOfFrames {
  public:
    PairsOfFrames(std::span<const TakeBody> a, std::span<const TakeBody> b, float within_m, TouchCounts& counts)
        : a_(a), b_(b), within_m_(within_m), counts_(counts) {}

    // Returns the offset in one direction from which on the pair of frames shares no time: b begins as a ends, or vice
    // versa.
    std::int64_t parted_at(const Clash& pair, bool later) const {
        const FrameTimes &a = times(a_, pair.body_a), &b = times(b_, pair.body_b);
        return later ? a.end_ns(pair.frame_a) - b.begin_ns[static_cast<std::size_t>(pair.frame_b)]
                     : a.begin_ns[static_cast<std::size_t>(pair.frame_a)] - b.end_ns(pair.frame_b);
    }

    // Returns a pair that clashes at an offset and shares a frame with one that clashed at the previous offset.
    std::optional<Clash> next_to(const Clash& last, std::int64_t offset_ns, bool later) {
        const FrameTimes &a = times(a_, last.body_a), &b = times(b_, last.body_b);
        const auto begin = [](const FrameTimes& of, std::int32_t frame) {
            return of.begin_ns[static_cast<std::size_t>(frame)];
        };
        Clash pair = last;
        // As b moves later, a frame of a meets ever earlier ones of b, and one of b ever later ones of a.
        for (const std::int32_t frame : {last.frame_b, last.frame_b + (later ? -1 : 1)}) {
            if (frame < 0 || frame >= static_cast<std::int32_t>(b.begin_ns.size())) continue;
            for (const std::int32_t other : {last.frame_a, last.frame_a + (later ? 1 : -1)}) {
                if (other < 0 || other >= static_cast<std::int32_t>(a.begin_ns.size())) continue;
                if (std::max(begin(a, other), begin(b, frame) + offset_ns) >=
                    std::min(a.end_ns(other), b.end_ns(frame) + offset_ns))
                    continue;
                pair.frame_a = other;
                pair.frame_b = frame;
                if (clashes(pair)) return pair;
            }
        }
        return {};
    }

  private:
    static const FrameTimes& times(std::span<const TakeBody> take, std::int32_t body) {
        return take[static_cast<std::size_t>(body)].times;
    }

    // Tests the bones that met last time first; if other bones meet, stores these in `pair`.
    bool clashes(Clash& pair) {
        const SweptBody& a = a_[static_cast<std::size_t>(pair.body_a)].body;
        const SweptBody& b = b_[static_cast<std::size_t>(pair.body_b)].body;
        a.pose_of(pair.frame_a, kAllBones, pose_a_);
        b.pose_of(pair.frame_b, kAllBones, pose_b_);
        counts_.frames_posed += 2;
        const float reach_m = within_m_ + slack_at(furthest_m(a) + furthest_m(b));
        if (meet(pair.bone_a, pair.bone_b, reach_m)) return true;
        for (std::int32_t i = 0; i < a.tree.bone_count; ++i)
            for (std::int32_t j = 0; j < b.tree.bone_count; ++j)
                if (meet(i, j, reach_m)) {
                    pair.bone_a = i;
                    pair.bone_b = j;
                    return true;
                }
        return false;
    }

    bool meet(std::int32_t bone_a, std::int32_t bone_b, float reach_m) {
        const auto i = static_cast<std::size_t>(bone_a), j = static_cast<std::size_t>(bone_b);
        if (pose_a_.bone_present[i] == 0 || pose_b_.bone_present[j] == 0) return false;
        if (clearly_apart(pose_a_.shapes[i], pose_b_.shapes[j], reach_m)) return false;
        ++counts_.exact_tests;
        Contact contact;
        return closest(pose_a_.shapes[i], pose_b_.shapes[j], within_m_, contact, collide_);
    }

    std::span<const TakeBody> a_, b_;
    float within_m_;
    TouchCounts& counts_;
    BodyPose pose_a_, pose_b_;
    CollideCounts collide_;
};

}  // namespace

std::vector<NearInterval> find_near(const SweptBody& body, std::span<const Shape> objects, float within_m,
                                    std::uint64_t bones, TouchCounts& counts) {
    check_reach(within_m);
    if (body.tree.bone_count < 64) bones &= (std::uint64_t{1} << body.tree.bone_count) - 1;
    Intervals intervals;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        Intervals of_object;
        NearSearch<StillTarget>{.body = body,
                                .target = {body, objects[i], within_m},
                                .object_index = static_cast<std::int32_t>(i),
                                .within_m = within_m,
                                .counts = counts,
                                .intervals = of_object}
            .visit(0, bones);
        intervals.append(std::move(of_object));
    }
    return std::move(intervals).sorted();
}

std::vector<NearInterval> find_near(const SweptBody& body, const MovingObject& object, float within_m,
                                    std::uint64_t bones, TouchCounts& counts) {
    check_reach(within_m);
    if (body.tree.bone_count < 64) bones &= (std::uint64_t{1} << body.tree.bone_count) - 1;
    Intervals intervals;
    NearSearch<MovingTarget>{.body = body,
                             .target = {body, object, within_m},
                             .object_index = 0,
                             .within_m = within_m,
                             .counts = counts,
                             .intervals = intervals}
        .visit(0, bones);
    return std::move(intervals).sorted();
}

std::vector<NearInterval> find_near(const SweptBody& a, const SweptBody& b, float within_m, std::uint64_t bones_a,
                                    std::uint64_t bones_b, TouchCounts& counts) {
    check_reach(within_m);
    const auto same = [](const SweptNode& x, const SweptNode& y) {
        return x.first == y.first && x.end == y.end && x.second == y.second;
    };
    if (!std::equal(a.tree.nodes.begin(), a.tree.nodes.end(), b.tree.nodes.begin(), b.tree.nodes.end(), same))
        throw std::invalid_argument("search: the two bodies do not share their frames");
    Intervals intervals;
    HandHandSearch search{.a = a, .b = b, .within_m = within_m, .counts = counts, .intervals = intervals};
    push_all_pairs(search.pairs, a.tree, bones_a, b.tree, bones_b);
    search.visit(0, 0, search.pairs.mark());
    return std::move(intervals).sorted();
}

std::optional<Clash> find_clash(std::span<const TakeBody> a, std::span<const TakeBody> b, std::int64_t offset_ns,
                                float within_m, TouchCounts& counts) {
    check_reach(within_m);
    Earliest goal;
    search(a, b, offset_ns, within_m, goal, counts);
    return goal.best;
}

std::int64_t min_clear_shift_ns(std::span<const TakeBody> a, std::span<const TakeBody> b, std::int64_t offset_ns,
                                float within_m, TouchCounts& counts) {
    check_reach(within_m);
    // A clashing pair of frames forbids a range of offsets. In both directions, steps repeatedly to the end of a range
    // that contains the current offset. The direction with the smaller shift goes first, so the first allowed offset is
    // the nearest.
    struct Way {
        bool later;
        std::int64_t shift_ns = 0;
        std::optional<Clash> clash{};
    };
    Way later{.later = true}, earlier{.later = false};
    PairsOfFrames pairs(a, b, within_m, counts);
    while (true) {
        Way& way = later.shift_ns <= -earlier.shift_ns ? later : earlier;
        // Usually a neighbour of the pair that clashed in the last step; a full search runs only if no neighbour does.
        const std::int64_t here_ns = offset_ns + way.shift_ns;
        if (way.clash) way.clash = pairs.next_to(*way.clash, here_ns, way.later);
        if (!way.clash) {
            Any goal;
            search(a, b, here_ns, within_m, goal, counts);
            way.clash = goal.clash;
        }
        if (!way.clash) return way.shift_ns;
        way.shift_ns = pairs.parted_at(*way.clash, way.later) - offset_ns;
    }
}

}  // namespace glovebox::collision::clips
