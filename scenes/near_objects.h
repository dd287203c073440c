// Which objects a hand may reach: a broad phase before the box tests, for scenes with many objects.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/broad_phase/broad_phase.h"
#include "collision/query/collide.h"
#include "tracking/per_side.h"

namespace glovebox::scenes {

class NearObjects {
  public:
    /// With fewer objects than this the box tests alone are as fast (`glovebox bench broad-phase scene-tests`).
    static constexpr std::size_t kWorthwhile = 16;

    NearObjects();

    /// The row in use: what measures best for two hands among objects that mostly rest (`glovebox bench broad-phase`).
    const collision::BroadPhase& row() const { return *row_; }

    /// Sets every collider's mask to the hands that may come within `margin_m` of it: bit 0 for hands[0], bit 1 for
    /// hands[1]. An empty box is a hand that is not there. None is missed: the boxes hold what the later tests look at.
    /// No allocation once warm.
    void mark(std::span<collision::Collider> colliders, const tracking::PerSide<collision::Aabb>& hands,
              float margin_m);
    /// Back to every hand and every object.
    static void mark_all(std::span<collision::Collider> colliders);

  private:
    const collision::BroadPhase* row_;
    std::unique_ptr<collision::BroadPhaseMemory> memory_;
    std::vector<collision::Aabb> boxes_;
    std::vector<collision::Layers> layers_;
    std::vector<collision::BodyPair> pairs_;
    collision::BroadPhaseCounts counts_;
};

/// Round the leaf boxes of the bones that are present.
collision::Aabb reach_of(const collision::BodyPose& pose);

}  // namespace glovebox::scenes
