// A body of bones joined by joints, and the binary hierarchy of boxes over it.
//
// The topology is fixed when the body is made (post-order, children before parents), so a refit is one linear pass.
// BodyPose changes every frame; BodyBoxes is the result of a refit. All three are plain values.
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

/// Internal node of the hierarchy. Nodes 0..bones-1 are the leaves (leaf i bounds bone i). Nodes bones..2*bones-2 are
/// the internal nodes in post-order; the last one is the root.
struct HierarchyNode {
    std::int32_t child_a, child_b;  ///< node indices
    std::int32_t joint;             ///< index in BodyPose::joints_m of the joint that connects the two children
    bool operator==(const HierarchyNode&) const = default;
};

/// The topology of a body: names of its bones, the hierarchy over them, and the pairs that may touch each other.
struct ArticulatedBody {
    std::vector<std::string> bone_names;
    std::vector<HierarchyNode> nodes;  ///< internal nodes only: bones - 1 of them
    /// Bone pairs (a, b) that are tested for self-collision, a < b; may be empty.
    std::vector<std::pair<std::int32_t, std::int32_t>> may_collide;

    int bone_count() const { return static_cast<int>(bone_names.size()); }
    int node_count() const { return bone_names.empty() ? 0 : 2 * bone_count() - 1; }
};

/// Returns a chain with a balanced hierarchy that pairs adjacent links. Joint i connects link i to the next link.
ArticulatedBody make_chain(int link_count);

/// The merges of a body in groups of four that a refit computes at once, and the leaves below each node. A plan is made
/// once per body.
class RefitPlan {
  public:
    struct Group {
        std::array<std::int32_t, 4> node;  ///< node indices; entries from `count` on repeat the first
        std::int32_t count;
        /// Offsets, in floats, of each node's box and of its children's boxes in the array of boxes, and of its joint
        /// in the array of joints.
        std::array<std::int32_t, 4> box, box_a, box_b, joint;
    };

    /// Rebuilds the plan if the body's nodes are not those of the last call.
    void follow(const ArticulatedBody& body);
    std::span<const Group> groups() const { return groups_; }
    std::span<const std::int32_t> leaves_below(std::int32_t node) const;

  private:
    std::vector<HierarchyNode> made_for_;
    std::vector<Group> groups_;
    struct Range {
        std::int32_t first, count;
    };
    std::vector<std::int32_t> leaves_;  // each leaf once
    std::vector<Range> below_;          // per node: where its leaves are in leaves_
};

/// The pose of a body in one frame, in world coordinates. Values that are not finite never cause a contact and do not
/// affect other bones. A bone whose leaf box is not finite counts as lost. A bone whose shape is not finite may be a
/// candidate but has no contact. If a joint is not finite, the box merged at it is looser.
struct BodyPose {
    std::vector<Shape> shapes;              ///< per bone
    std::vector<Obb> leaf_boxes;            ///< per bone; bounds the shape
    std::vector<Eigen::Vector3f> joints_m;  ///< per articulation
    /// Per bone, 0 if it is lost in this frame. A lost bone has no contacts, and its box must not be read.
    std::vector<std::uint8_t> bone_present;
    /// Per bone, 0 if the bone and its joints have not moved since the same method last refitted these boxes. If empty,
    /// all bones have moved. The box of a bone that has not moved is kept. A box of an internal node is kept if no bone
    /// below it has moved.
    std::vector<std::uint8_t> bone_moved;

    /// True if the bone is present and its leaf box, if there are leaf boxes, is finite.
    bool has(std::size_t bone) const {
        return bone_present[bone] != 0 && (bone >= leaf_boxes.size() || all_finite(leaf_boxes[bone]));
    }
};

/// True if all numbers of the shape, its pose included, are finite.
bool all_finite(const Shape& shape);

/// The boxes of a body, one per node, leaves first. RefitMethod::kind tells which array is filled. Methods with a leaf
/// test also fill the leaves in `obb` and `cones`.
struct BodyBoxes {
    std::vector<Obb> obb;
    std::vector<Aabb> aabb;
    std::vector<RoundCone> cones;           ///< per bone; radius_a_m < 0 if the bone is no round cone
    BoxColumns columns;                     ///< the leaves' oriented boxes, for SIMD tests
    std::vector<std::uint8_t> changed;      ///< per node, 0 if the last refit kept its box
    std::vector<Eigen::Vector3f> joints_m;  ///< positions of the joints of a body of rigid bones
    RefitPlan plan;
    /// Per node, 0 if the pose has none of the bones below it. The box of such a node must not be read.
    std::vector<std::uint8_t> present;
};

}  // namespace glovebox::collision
