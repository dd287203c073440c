// Collision tests between bodies: a chain or a hand against itself, or one body against another.
//
// Works in the same two steps as a test against a scene (collide.h): box tests between the hierarchies list the
// candidate pairs, and exact queries decide them. Both steps work with every refit method.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/query/collide.h"

namespace glovebox::collision {

/// Two bones that may touch. For two bones of one body, a < b; for two bodies, bone_a belongs to the first.
struct BonePair {
    std::int32_t bone_a, bone_b;
    auto operator<=>(const BonePair&) const = default;
};

/// The bone pairs of one body that may collide, from ArticulatedBody::may_collide. A mask is made once per body.
class PairMask {
  public:
    explicit PairMask(const ArticulatedBody& body);
    /// True if these two bones may collide. In the box hierarchy, bone i is the leaf with index i.
    bool wants(std::int32_t bone_a, std::int32_t bone_b) const { return wants_below(bone_a, bone_b); }
    /// True if a bone at or below node_a of the box hierarchy and a bone at or below node_b may collide.
    bool wants_below(std::int32_t node_a, std::int32_t node_b) const {
        return wanted_[static_cast<std::size_t>(node_a) * nodes_ + static_cast<std::size_t>(node_b)] != 0;
    }

  private:
    std::size_t nodes_;
    std::vector<std::uint8_t> wanted_;  // symmetric matrix
};

/// Appends to `out`, in sorted order, all wanted pairs whose distance may be <= margin_m. Counts tests and candidates.
void find_self_candidates(const RefitMethod& method, const ArticulatedBody& body, const PairMask& mask,
                          const BodyBoxes& boxes, float margin_m, std::vector<BonePair>& out, CollideCounts& counts);

/// Does the same for two bodies: tests all bones of one against all bones of the other.
void find_body_candidates(const RefitMethod& method, const ArticulatedBody& body_a, const BodyBoxes& boxes_a,
                          const ArticulatedBody& body_b, const BodyBoxes& boxes_b, float margin_m,
                          std::vector<BonePair>& out, CollideCounts& counts);

/// Do the same without hierarchy or refit, by the bones' own axis-aligned boxes. For one body, the pairs in
/// ArticulatedBody::may_collide are tested. This is the fastest way for bodies of few bones: a hand against itself
/// takes a quarter of a microsecond.
void find_self_candidates(const ArticulatedBody& body, const BodyPose& pose, float margin_m, std::vector<BonePair>& out,
                          CollideCounts& counts);
void find_body_candidates(const BodyPose& pose_a, const BodyPose& pose_b, float margin_m, std::vector<BonePair>& out,
                          CollideCounts& counts);

}  // namespace glovebox::collision
