// Saves and restores what Bullet keeps from step to step beside its bodies: sorted edges, pairs and contacts.
//
// A step depends on the order of pairs and contacts, and begins with the impulses of the step before. So a state that
// is to give the same results bit by bit needs all of these in their order. Objects are stored by index: a state may be
// restored in another simulation of the same scene.
#pragma once

#include <btBulletCollisionCommon.h>

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>

#include <array>
#include <vector>

namespace glovebox::scenes {

/// Bullet's sweep-and-prune broad phase, with its state.
class CopyableSweep : public bt32BitAxisSweep3 {
  public:
    using bt32BitAxisSweep3::bt32BitAxisSweep3;

    struct Box {
        std::array<unsigned, 3> min_edges, max_edges;
        btVector3 low_m, high_m;
    };
    struct State {
        std::array<std::vector<Edge>, 3> edges;
        std::vector<Box> boxes;  ///< [object]
    };
    State save() const;
    void restore(const State& state);

    Handle* proxy_of(int object) const { return getHandle(static_cast<unsigned>(object) + 1U); }
    /// Returns the object's index: no body is ever removed, so they have the order in which they were added.
    static int object_of(const btBroadphaseProxy* proxy) { return proxy->m_uniqueId - 1; }
};

/// A contact of two objects.
struct SavedManifold {
    int object_a, object_b;
    std::vector<btManifoldPoint> points;
};

/// Bullet's dispatcher, which owns the contacts.
class CopyableDispatcher : public btCollisionDispatcher {
  public:
    using btCollisionDispatcher::btCollisionDispatcher;
    std::vector<SavedManifold> save() const;
    /// Gives the manifolds the saved order and points. There must be one for each saved pair.
    void restore(const std::vector<SavedManifold>& saved);
};

struct ContactState {
    struct Pair {
        int object_a, object_b;
        bool tested;  ///< the narrow phase has begun: the pair may have a manifold
    };
    CopyableSweep::State sweep;
    std::vector<Pair> pairs;
    std::vector<SavedManifold> manifolds;
};

ContactState save_contacts(CopyableSweep& sweep, const CopyableDispatcher& dispatcher);

/// Restores the contacts, and wakes all bodies. Restore these after it.
void restore_contacts(const ContactState& state, CopyableSweep& sweep, CopyableDispatcher& dispatcher,
                      const btDispatcherInfo& info);

}  // namespace glovebox::scenes
