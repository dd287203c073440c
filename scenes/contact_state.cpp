#include "scenes/contact_state.h"

#include <algorithm>

namespace glovebox::scenes {
namespace {

int object_of(const btCollisionObject* body) {
    return CopyableSweep::object_of(body->getBroadphaseHandle());
}

}  // namespace

CopyableSweep::State CopyableSweep::save() const {
    State state;
    const unsigned edges = 2 * m_numHandles + 2;  // with a sentinel at either end
    for (std::size_t axis = 0; axis < 3; ++axis) state.edges[axis].assign(m_pEdges[axis], m_pEdges[axis] + edges);
    for (unsigned i = 1; i <= m_numHandles; ++i) {
        const Handle& handle = *getHandle(i);
        state.boxes.push_back(
            {std::to_array(handle.m_minEdges), std::to_array(handle.m_maxEdges), handle.m_aabbMin, handle.m_aabbMax});
    }
    return state;
}

void CopyableSweep::restore(const State& state) {
    for (std::size_t axis = 0; axis < 3; ++axis) std::ranges::copy(state.edges[axis], m_pEdges[axis]);
    for (unsigned i = 1; i <= m_numHandles; ++i) {
        const Box& box = state.boxes[i - 1];
        Handle& handle = *getHandle(i);
        std::ranges::copy(box.min_edges, handle.m_minEdges);
        std::ranges::copy(box.max_edges, handle.m_maxEdges);
        handle.m_aabbMin = box.low_m;
        handle.m_aabbMax = box.high_m;
        if (m_raycastAccelerator != nullptr)
            m_raycastAccelerator->setAabb(handle.m_dbvtProxy, box.low_m, box.high_m, nullptr);
    }
}

std::vector<SavedManifold> CopyableDispatcher::save() const {
    std::vector<SavedManifold> saved;
    for (int i = 0; i < m_manifoldsPtr.size(); ++i) {
        const btPersistentManifold& manifold = *m_manifoldsPtr[i];
        saved.push_back({object_of(manifold.getBody0()), object_of(manifold.getBody1()), {}});
        for (int k = 0; k < manifold.getNumContacts(); ++k) saved.back().points.push_back(manifold.getContactPoint(k));
    }
    return saved;
}

void CopyableDispatcher::restore(const std::vector<SavedManifold>& saved) {
    int place = 0;
    for (const SavedManifold& from : saved) {
        int i = place;
        while (i < m_manifoldsPtr.size() && (object_of(m_manifoldsPtr[i]->getBody0()) != from.object_a ||
                                             object_of(m_manifoldsPtr[i]->getBody1()) != from.object_b))
            ++i;
        if (i == m_manifoldsPtr.size()) continue;
        m_manifoldsPtr.swap(place, i);
        btPersistentManifold& to = *m_manifoldsPtr[place];
        to.setNumContacts(static_cast<int>(from.points.size()));
        for (int k = 0; k < to.getNumContacts(); ++k) to.getContactPoint(k) = from.points[static_cast<std::size_t>(k)];
        ++place;
    }
    for (int i = 0; i < m_manifoldsPtr.size(); ++i) m_manifoldsPtr[i]->m_index1a = i;
}

ContactState save_contacts(CopyableSweep& sweep, const CopyableDispatcher& dispatcher) {
    ContactState state{sweep.save(), {}, dispatcher.save()};
    btOverlappingPairCache& cache = *sweep.getOverlappingPairCache();
    const btBroadphasePair* pairs = cache.getOverlappingPairArrayPtr();
    for (int i = 0; i < cache.getNumOverlappingPairs(); ++i)
        state.pairs.push_back({CopyableSweep::object_of(pairs[i].m_pProxy0),
                               CopyableSweep::object_of(pairs[i].m_pProxy1), pairs[i].m_algorithm != nullptr});
    return state;
}

void restore_contacts(const ContactState& state, CopyableSweep& sweep, CopyableDispatcher& dispatcher,
                      const btDispatcherInfo& info) {
    btOverlappingPairCache& cache = *sweep.getOverlappingPairCache();
    while (cache.getNumOverlappingPairs() > 0) {
        const btBroadphasePair last = cache.getOverlappingPairArrayPtr()[cache.getNumOverlappingPairs() - 1];
        cache.removeOverlappingPair(last.m_pProxy0, last.m_pProxy1, &dispatcher);
    }
    sweep.restore(state.sweep);
    // A pair's manifold is made by its first test, and Bullet tests no pair that sleeps.
    for (std::size_t i = 0; i < state.sweep.boxes.size(); ++i)
        static_cast<btCollisionObject*>(sweep.proxy_of(static_cast<int>(i))->m_clientObject)
            ->forceActivationState(ACTIVE_TAG);
    for (const ContactState::Pair& pair : state.pairs) {
        btBroadphasePair* added =
            cache.addOverlappingPair(sweep.proxy_of(pair.object_a), sweep.proxy_of(pair.object_b));
        if (pair.tested && added != nullptr) btCollisionDispatcher::defaultNearCallback(*added, dispatcher, info);
    }
    dispatcher.restore(state.manifolds);
}

}  // namespace glovebox::scenes
