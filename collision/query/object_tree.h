// The broad phase of a scene: finds the objects that a body may reach, with a dynamic tree kept between frames.
//
// Resting objects cost nothing, and moving objects cost nothing while they stay within their enlarged boxes. One tree
// serves all bodies of a scene. For queries with one box among a thousand or more objects, the dynamic tree is the
// fastest of our broad phases (`glovebox bench broad-phase hands scene-tests`).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broad_phase/dynamic_tree.h"

namespace glovebox::collision {

struct Collider;  // collide.h

/// The bounds of all objects of one scene, and a dynamic tree over them.
class ObjectTree {
  public:
    /// With fewer objects than this, find_candidates() does not use the tree: testing all objects is as fast.
    static constexpr std::size_t kMinObjects = 16;

    /// Updates all objects from Collider::box; removes objects whose index is beyond the span. An object that has not
    /// moved costs one comparison.
    void update(std::span<const Collider> objects);
    /// Updates one object. Indices may come in any order; an object is inserted with its first box.
    void move(std::int32_t object, const Collider& collider);

    std::size_t size() const { return objects_.size(); }
    const Aabb& bounds_of(std::int32_t object) const { return objects_[static_cast<std::size_t>(object)].bounds; }

    /// Replaces `near` by the objects whose bounds overlap the box, in ascending order. Bounds contain the object's
    /// oriented box and, for a mesh, all boxes of its tree. A box with a NaN is near nothing. Does not allocate once
    /// warm.
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
