#include "scenes/near_objects.h"

namespace glovebox::scenes {
namespace {

constexpr collision::Layers kHand = {.layer = 1U, .mask = 2U}, kObject = {.layer = 2U, .mask = 1U};

}  // namespace

NearObjects::NearObjects() : row_(collision::find_broad_phase("tree")), memory_(row_->make_memory()) {}

void NearObjects::mark(std::span<collision::Collider> colliders, const tracking::PerSide<collision::Aabb>& hands,
                       float margin_m) {
    // Hands first: their numbers stay when objects come and go.
    boxes_.assign(hands.begin(), hands.end());
    // The box tests grow an object's oriented box by the margin, whose corners then reach sqrt(3) times as far: grown
    // by as much here, no candidate is lost to them.
    for (collision::Aabb& hand : boxes_) {
        hand.min_m.array() -= 1.7321F * margin_m;
        hand.max_m.array() += 1.7321F * margin_m;
    }
    layers_.assign(2 + colliders.size(), kObject);
    layers_[0] = layers_[1] = kHand;
    for (collision::Collider& collider : colliders) {
        boxes_.push_back(collision::aabb_of(collider.box));
        collider.mask = 0;
    }
    row_->find_pairs(*memory_, {boxes_, layers_}, pairs_, counts_);
    for (const collision::BodyPair pair : pairs_)
        colliders[static_cast<std::size_t>(pair.b) - 2].mask |= 1U << static_cast<unsigned>(pair.a);
}

void NearObjects::mark_all(std::span<collision::Collider> colliders) {
    for (collision::Collider& collider : colliders) collider.mask = ~0U;
}

collision::Aabb reach_of(const collision::BodyPose& pose) {
    collision::Aabb reach;
    for (std::size_t bone = 0; bone < pose.leaf_boxes.size(); ++bone) {
        if (pose.bone_present[bone] == 0) continue;
        const collision::Aabb box = collision::aabb_of(pose.leaf_boxes[bone]);
        reach.include(box.min_m);
        reach.include(box.max_m);
    }
    return reach;
}

}  // namespace glovebox::scenes
