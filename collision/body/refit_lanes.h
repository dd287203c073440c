// CAB in SIMD lanes: independent merges side by side.
//
// One body: the merges of a level of its hierarchy need each other's answers only from below, so four of them are done
// at once, in registers of 128 bits: wider ones take longer to wake up than the whole hand takes. Many bodies of one
// topology: a body a lane, as wide as the machine is. Both give what merge_cab() gives, up to rounding, and enclose as
// it does. [Schmidl04, sec. 3.2.1]
#pragma once

#include <span>
#include <vector>

#include "collision/body/articulated_body.h"

namespace glovebox::collision {

/// Fills the internal boxes from the leaves that `boxes` begins with. All bones present. Groups of which no node is
/// `wanted` are skipped; empty: all are done.
void refit_cab_lanes(const ArticulatedBody& body, const RefitPlan& plan, std::span<const Eigen::Vector3f> joints_m,
                     std::span<const std::uint8_t> wanted, std::span<Obb> boxes);

/// What does not move of a body made of rigid bones.
struct RigidBones {
    std::vector<Obb> box_in_bone;                ///< leaf boxes, each in its bone's frame
    std::vector<Eigen::Vector3f> joint_in_bone;  ///< per articulation, in the frame of...
    std::vector<std::int32_t> bone_of_joint;     ///< ...this bone; -1: no merge needs it
};

/// One body of rigid bones: leaf boxes and joints from the poses (one world_from_bone per bone), then the merges. Fills
/// the oriented boxes as the method `cab` does; allocates only the first time. A bone whose pose is not finite is
/// missing: not present, and a parent takes the other child's box.
void refit_cab_rigid(const ArticulatedBody& body, const RigidBones& bones, const Eigen::Isometry3f* world_from_bone,
                     BodyBoxes& boxes);

/// Many bodies of one topology and one set of bones: transforms and merges, a body a lane.
class BodyBatch {
  public:
    /// `body` must outlive the batch.
    BodyBatch(const ArticulatedBody& body, RigidBones bones, int bodies);

    /// poses[i] points to the world_from_bone of body i, one per bone. All boxes of all bodies are refitted. Allocates
    /// nothing. A bone whose pose is not finite is missing: a parent takes the other child's box, and is not finite
    /// where both are not.
    void refit(std::span<const Eigen::Isometry3f* const> poses);

    int body_count() const { return bodies_; }
    Obb box(int body, int node) const;

  private:
    std::size_t place_of(int body, int node) const;
    void put(int body, int node, const Obb& box);

    const ArticulatedBody* body_;
    RigidBones bones_;
    int bodies_;
    std::vector<std::int32_t> joints_;  // those that are needed, by bone
    std::size_t first_ = 0;             // where in values_ a cache line begins
    std::vector<float> values_;         // [sixteen bodies][node][15][16]: what is done together lies together
    BodyBoxes one_;                     // of a body with bones that are missing
};

/// How many bodies a BodyBatch does at once on this machine.
int batch_lanes();

}  // namespace glovebox::collision
