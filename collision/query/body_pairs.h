// Bodies against bodies: the links of a chain against each other, a hand against itself, one hand against the other.
//
// The same two steps as against a scene (collide.h): box tests down the hierarchies list the pairs that could not be
// ruled out, exact queries decide them. Both work with every refit method.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/query/collide.h"

namespace glovebox::collision {

/// Two bones that may touch; of one body a < b, of two bodies the first bone is the first body's.
struct BonePair {
    std::int32_t bone_a, bone_b;
    auto operator<=>(const BonePair&) const = default;
};

/// Which pairs of one body's bones are wanted, from ArticulatedBody::may_collide. Made once per body.
class PairMask {
  public:
    explicit PairMask(const ArticulatedBody& body);
    bool wants(std::int32_t bone_a, std::int32_t bone_b) const { return wants_below(bone_a, bone_b); }
    /// Is any pair wanted of which one bone is below the first node of the hierarchy and one below the second?
    bool wants_below(std::int32_t node_a, std::int32_t node_b) const {
        return wanted_[static_cast<std::size_t>(node_a) * nodes_ + static_cast<std::size_t>(node_b)] != 0;
    }

  private:
    std::size_t nodes_;
    std::vector<std::uint8_t> wanted_;  // symmetric matrix
};

/// Every wanted pair whose distance may be <= margin_m. Appends to `out`, sorted. Counts box tests and candidates.
void find_self_candidates(const RefitMethod& method, const ArticulatedBody& body, const PairMask& mask,
                          const BodyBoxes& boxes, float margin_m, std::vector<BonePair>& out, CollideCounts& counts);

/// The same for two bodies, all bones of one against all of the other.
void find_body_candidates(const RefitMethod& method, const ArticulatedBody& body_a, const BodyBoxes& boxes_a,
                          const ArticulatedBody& body_b, const BodyBoxes& boxes_b, float margin_m,
                          std::vector<BonePair>& out, CollideCounts& counts);

/// The same without a hierarchy and without a refit: the pairs whose bones' own aligned boxes meet. The fastest for
/// bodies of few bones, as hands are: a quarter of a microsecond for a hand against itself.
void find_self_candidates(const ArticulatedBody& body, const BodyPose& pose, float margin_m, std::vector<BonePair>& out,
                          CollideCounts& counts);
void find_body_candidates(const BodyPose& pose_a, const BodyPose& pose_b, float margin_m, std::vector<BonePair>& out,
                          CollideCounts& counts);

}  // namespace glovebox::collision
