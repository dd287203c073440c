// Refits CAB boxes with SIMD: independent merges, one per lane.
//
// For one body, four merges run at once in 128-bit vectors, since the merges of a hierarchy level depend only on the
// levels below. Wider vectors would take longer to power up than refitting a whole hand takes. For many bodies of one
// topology, each lane refits one body, at the machine's full vector width. Both give the result of merge_cab() up to
// rounding, and the boxes enclose their children as those of merge_cab() do. [Schmidl04, sec. 3.2.1]
#pragma once

#include <span>
#include <vector>

#include "collision/body/articulated_body.h"

namespace glovebox::collision {

/// Computes the internal boxes from the leaves at the start of `boxes`. All bones must be present. Skips a group of
/// four merges if `wanted`, which has an entry per node, is 0 for all of them; if it is empty, computes all.
void refit_cab_lanes(const ArticulatedBody& body, const RefitPlan& plan, std::span<const Eigen::Vector3f> joints_m,
                     std::span<const std::uint8_t> wanted, std::span<Obb> boxes);

/// The constant part of a body made of rigid bones.
struct RigidBones {
    std::vector<Obb> box_in_bone;                ///< leaf boxes, each in its bone's frame
    std::vector<Eigen::Vector3f> joint_in_bone;  ///< position of each joint in the frame of its bone
    std::vector<std::int32_t> bone_of_joint;     ///< index of each joint's bone; -1 if no merge needs the joint
};

/// Refits one body of rigid bones: places leaf boxes and joints by the poses (one world_from_bone per bone), then
/// merges. Fills the oriented boxes as the method `cab` does. Allocates only on first use. A bone whose pose is not
/// finite counts as lost, and its parent takes the other child's box.
void refit_cab_rigid(const ArticulatedBody& body, const RigidBones& bones, const Eigen::Isometry3f* world_from_bone,
                     BodyBoxes& boxes);

/// Refits many bodies with the same topology and bones, one body per lane.
class BodyBatch {
  public:
    /// `body` must outlive the batch.
    BodyBatch(const ArticulatedBody& body, RigidBones bones, int bodies);

    /// Refits all boxes of all bodies. poses[i] points to the poses of body i, one world_from_bone per bone. Does not
    /// allocate. A bone whose pose is not finite counts as lost, and its parent takes the other child's box. If both
    /// children are lost, the parent's box is not finite.
    void refit(std::span<const Eigen::Isometry3f* const> poses);

    int body_count() const { return bodies_; }
    Obb box(int body, int node) const;

  private:
    std::size_t place_of(int body, int node) const;
    void put(int body, int node, const Obb& box);

    const ArticulatedBody* body_;
    RigidBones bones_;
    int bodies_;
    std::vector<std::int32_t> joints_;  // indices of the joints that merges need, sorted by bone
    std::size_t first_ = 0;             // index in values_ of the first cache line
    std::vector<float> values_;         // [group of 16 bodies][node][float of its box][body]; nodes in order of use
    BodyBoxes one_;                     // for a body with lost bones
};

/// Returns the number of bodies that a BodyBatch refits at once on this machine.
int batch_lanes();

}  // namespace glovebox::collision
