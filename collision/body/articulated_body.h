// A body of bones joined by joints, and the binary hierarchy of boxes over it.
//
// The topology is fixed when the body is made (frozen post-order, children before parents), so that a refit is one
// linear pass. What moves every frame is BodyPose; what the refit produces is BodyBoxes. All three are plain values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collision/box/box_columns.h"
#include "collision/box/shape.h"

namespace glovebox::collision {

/// Internal node of the hierarchy. Children are node numbers: 0..bones-1 are the leaves (leaf i bounds bone i),
/// bones..2*bones-2 the internal nodes in post-order, the last one the root.
struct HierarchyNode {
    std::int32_t child_a, child_b;
    std::int32_t joint;  ///< index into BodyPose::joints_m: the articulation that joins the two children
    bool operator==(const HierarchyNode&) const = default;
};

struct ArticulatedBody {
    std::vector<std::string> bone_names;
    std::vector<HierarchyNode> nodes;                                ///< internal nodes only: bones - 1 of them
    std::vector<std::pair<std::int32_t, std::int32_t>> may_collide;  ///< self-collision pairs, a < b; empty: none

    int bone_count() const { return static_cast<int>(bone_names.size()); }
    int node_count() const { return bone_names.empty() ? 0 : 2 * bone_count() - 1; }
};

/// A balanced hierarchy over a chain: adjacent links are paired. joints[i] lies between link i and i + 1.
ArticulatedBody make_chain(int link_count);

/// The order in which a refit can do four merges side by side, and which leaves lie below each node. Made once per
/// body.
class RefitPlan {
  public:
    struct Group {
        std::array<std::int32_t, 4> node;  ///< node numbers; those beyond `count` repeat the first
        std::int32_t count;
        /// Where they lie, counted in floats: of the nodes' boxes and their children's, and of the joints.
        std::array<std::int32_t, 4> box, box_a, box_b, joint;
    };

    /// Remakes the plan only if the body's nodes are not those that it was made for.
    void follow(const ArticulatedBody& body);
    std::span<const Group> groups() const { return groups_; }
    std::span<const std::int32_t> leaves_below(std::int32_t node) const;

  private:
    std::vector<HierarchyNode> made_for_;
    std::vector<Group> groups_;
    struct Range {
        std::int32_t first, count;
    };
    std::vector<std::int32_t> leaves_;  // each once
    std::vector<Range> below_;          // per node: where its leaves are in leaves_
};

/// Where the body is this frame, in world coordinates. What is not finite touches nothing and leaves the other bones as
/// they are: a bone whose leaf box is not is as good as lost, one whose shape is not may be a candidate but has no
/// contact, and without its joint a merge gives a box that is only looser.
struct BodyPose {
    std::vector<Shape> shapes;               ///< per bone
    std::vector<Obb> leaf_boxes;             ///< per bone; bounds the shape
    std::vector<Eigen::Vector3f> joints_m;   ///< per articulation
    std::vector<std::uint8_t> bone_present;  ///< 0: lost this frame; has no contacts, and its box must not be read
    /// Per bone; empty: all have moved. 0: the bone stands where it stood when these boxes were last refitted by the
    /// same method, and so does every joint that it ends in: its boxes are kept, and those above it if nothing else
    /// moved.
    std::vector<std::uint8_t> bone_moved;

    /// Present, and its leaf box, where leaf boxes are given, is finite.
    bool has(std::size_t bone) const {
        return bone_present[bone] != 0 && (bone >= leaf_boxes.size() || all_finite(leaf_boxes[bone]));
    }
};

bool all_finite(const Shape& shape);

/// One box per node, leaves first. What is filled is said by the method's row; rows that look closer at the leaves fill
/// those in `obb` and `cones` besides.
struct BodyBoxes {
    std::vector<Obb> obb;
    std::vector<Aabb> aabb;
    std::vector<RoundCone> cones;           ///< per bone; radius_a_m < 0: the bone is no round cone
    BoxColumns columns;                     ///< the leaves' oriented boxes, for sweeps
    std::vector<std::uint8_t> changed;      ///< per node: computed again by the last refit
    std::vector<Eigen::Vector3f> joints_m;  ///< where the joints are, of bodies that are given as rigid bones
    RefitPlan plan;
    std::vector<std::uint8_t> present;  ///< per node; 0: the pose has no bone below, and its box must not be read
};

}  // namespace glovebox::collision
