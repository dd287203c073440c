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

/// Internal node of the hierarchy. Children are node numbers: 0..bones-1 are the leaves (leaf i bounds bone i),
/// bones..2*bones-2 the internal nodes in post-order, the last one the root.
struct HierarchyNode {
    std::int32_t child_a, child_b;
    std::int32_t joint;  ///< index into BodyPose::joints_m: the articulation that joins the two children
    bool operator==(const HierarchyNode&) const = default;
};

/// The topology of a body: names of its bones, the hierarchy over them, and the pairs that may touch each other.
struct ArticulatedBody {
    std::vector<std::string> bone_names;
    std::vector<HierarchyNode> nodes;                                ///< internal nodes only: bones - 1 of them
    std::vector<std::pair<std::int32_t, std::int32_t>> may_collide;  ///< self-collision pairs, a < b; empty: none

    int bone_count() const { return static_cast<int>(bone_names.size()); }
    int node_count() const { return bone_names.empty() ? 0 : 2 * bone_count() - 1; }
};

/// Returns a balanced hierarchy over a chain, in which adjacent links are paired. Joint i joins link i to the
/// next.
ArticulatedBody make_chain(int link_count);

/// The order in which a refit computes four merges at once, and the leaves below each node. Made once per
/// body.
class RefitPlan {
  public:
    struct Group {
        std::array<std::int32_t, 4> node;  ///< node numbers; those beyond `count` repeat the first
        std::int32_t count;
        /// Offsets in floats of the nodes' boxes, of their children's boxes, and of the joints.
        std::array<std::int32_t, 4> box, box_a, box_b, joint;
    };

    /// Rebuilds the plan if the body's nodes differ from those that it was built for.
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

/// The pose of a body in one frame, in world coordinates. Values that are not finite touch nothing and do not affect
/// other bones. A bone without a finite leaf box counts as lost. A bone without a finite shape may be a candidate but
/// has no contact. A merge whose joint is not finite gives a looser box.
struct BodyPose {
    std::vector<Shape> shapes;               ///< per bone
    std::vector<Obb> leaf_boxes;             ///< per bone; bounds the shape
    std::vector<Eigen::Vector3f> joints_m;   ///< per articulation
    std::vector<std::uint8_t> bone_present;  ///< 0: lost this frame; has no contacts, and its box must not be read
    /// Per bone; if empty, all have moved. 0: the bone and its joints have not moved since the same method last
    /// refitted these boxes. Its box is kept, and so is each box above it if no other bone below that box moved.
    std::vector<std::uint8_t> bone_moved;

    /// True if the bone is present and its leaf box, if there are leaf boxes, is finite.
    bool has(std::size_t bone) const {
        return bone_present[bone] != 0 && (bone >= leaf_boxes.size() || all_finite(leaf_boxes[bone]));
    }
};

/// True if every number of the shape and its pose is finite.
bool all_finite(const Shape& shape);

/// The boxes of a body, one per node, leaves first. RefitMethod::kind tells which array is filled. Methods with a leaf
/// test also fill the leaves in `obb` and `cones`.
struct BodyBoxes {
    std::vector<Obb> obb;
    std::vector<Aabb> aabb;
    std::vector<RoundCone> cones;           ///< per bone; radius_a_m < 0: the bone is no round cone
    BoxColumns columns;                     ///< the leaves' oriented boxes, for SIMD tests
    std::vector<std::uint8_t> changed;      ///< per node: recomputed by the last refit
    std::vector<Eigen::Vector3f> joints_m;  ///< positions of the joints of a body of rigid bones
    RefitPlan plan;
    std::vector<std::uint8_t> present;  ///< per node; 0: the pose has no bone below, and its box must not be read
};

}  // namespace glovebox::collision
