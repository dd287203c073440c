// Refits the hierarchies of the method CAB with SIMD. merge_cab() computes a node's box from its two children's boxes
// and the position of the joint between them.
//
// The merges of a hierarchy level depend only on the levels below. For one body, four of them therefore run at once, in
// 128-bit vectors: a processor takes longer to switch on its wider vector units than to refit a whole hand. For many
// bodies of one topology, each lane refits one body, at the machine's full vector width. Both give the result of
// merge_cab() up to rounding, and the boxes enclose their children as those of merge_cab() do. [Schmidl04, sec. 3.2.1]
#pragma once

#include <span>
#include <vector>

#include "collision/body/articulated_body.h"

namespace glovebox::collision {

/// Computes the internal boxes from the leaves at the start of `boxes`, which must all be finite. `wanted` has an entry
/// per node: four merges that run at once are skipped if all four entries are 0. If `wanted` is empty, none is skipped.
void refit_cab_lanes(const ArticulatedBody& body, const RefitPlan& plan, std::span<const Eigen::Vector3f> joints_m,
                     std::span<const std::uint8_t> wanted, std::span<Obb> boxes);

/// The constant part of a body made of rigid bones.
struct RigidBones {
    std::vector<Obb> box_in_bone;                ///< leaf boxes, each in its bone's frame
    std::vector<Eigen::Vector3f> joint_in_bone;  ///< position of each joint in the frame of bone_of_joint
    std::vector<std::int32_t> bone_of_joint;     ///< a bone that the joint moves with; -1 if no merge needs the joint
};

/// Refits one body of rigid bones: places leaf boxes and joints by the poses (one world_from_bone per bone), then
/// merges. Fills the oriented boxes as the method `cab` does. Allocates only on the first call with these `boxes`. A
/// bone whose pose is not finite counts as lost: the node above its leaf takes the other child's box. If both children
/// are lost, the node's box is not finite.
void refit_cab_rigid(const ArticulatedBody& body, const RigidBones& bones, const Eigen::Isometry3f* world_from_bone,
                     BodyBoxes& boxes);

/// Refits many bodies with the same topology and bones, one body per lane.
class BodyBatch {
  public:
    /// `body` must outlive the batch.
    BodyBatch(const ArticulatedBody& body, RigidBones bones, int bodies);

    /// Refits all boxes of all bodies. poses[i] points to the poses of body i, one world_from_bone per bone. Does not
    /// allocate. Bones whose pose is not finite count as lost, as in refit_cab_rigid().
    void refit(std::span<const Eigen::Isometry3f* const> poses);

    Obb box(int body, int node) const;

  private:
    std::size_t place_of(int body, int node) const;
    void put(int body, int node, const Obb& box);

    const ArticulatedBody* body_;
    RigidBones bones_;
    int bodies_;
    std::vector<std::int32_t> joints_;  // indices of the joints that merges need, sorted by bone
    std::size_t first_ = 0;             // number of unused floats at the start of values_: boxes start at a cache line
    std::vector<float> values_;  // [group of 16 bodies][node][float of its box][body]; nodes in the order of merging
    BodyBoxes one_;              // for a body with lost bones
};

/// Returns the number of bodies that a BodyBatch refits at once on this machine.
int batch_lanes();

}  // namespace glovebox::collision
