// The broad phase of a scene: which of its objects a body may reach, from a tree that is kept from frame to frame.
//
// Objects that rest cost nothing, and those that move nothing as long as they stay within a fattened box. One tree
// serves all bodies of a scene. Of this project's broad phases the dynamic tree answers one box fastest from a thousand
// objects on (`glovebox bench broad-phase hands scene-tests`).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broad_phase/dynamic_tree.h"

namespace glovebox::collision {

struct Collider;  // collide.h

class ObjectTree {
  public:
    /// With fewer objects than this find_candidates() tests them all: that is as fast.
    static constexpr std::size_t kMinObjects = 16;

    /// Takes over all boxes, Collider::box. Costs a comparison per object that has not moved.
    void update(std::span<const Collider> objects);
    /// The same for one. Numbers may be given in any order; an object appears with its first box.
    void move(std::int32_t object, const Collider& collider);

    std::size_t size() const { return objects_.size(); }
    const Aabb& bounds_of(std::int32_t object) const { return objects_[static_cast<std::size_t>(object)].bounds; }

    /// Replaces `near` by the objects whose bounds overlap the box, by rising number. Bounds hold the oriented box, and
    /// of a mesh all boxes of its tree; what is not a number is near nothing. No allocation once warm.
    void find_near(const Aabb& box, std::vector<std::int32_t>& near) const;

  private:
    struct Object {
        Obb box;
        Aabb bounds;
        std::int32_t leaf = -1;
    };
    DynamicTree tree_;
    std::vector<Object> objects_;
};

}  // namespace glovebox::collision
