// The table of all kinds of bounding volume, for benches, tests and users who compare them.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "collision/survey/traversal/traversal.h"

namespace glovebox::collision {

/// A Hierarchy<V> of some V, together with the entry of V.
using AnyHierarchy = std::shared_ptr<void>;

/// Two nodes that an all-pairs traversal tests.
struct TestedPair {
    std::int32_t a, b;
    bool to_triangles = false;  ///< overlapping leaves: their triangles are tested next
};

struct VolumeRow {
    std::string_view name, summary;
    bool exact_distance;
    AnyHierarchy (*build)(Mesh mesh, const HierarchySettings& settings);
    Answer (*traverse)(const AnyHierarchy& a, const AnyHierarchy& b, const Eigen::Isometry3f& a_from_b,
                       const Query& query, TraversalMemory& memory);
    /// Number of volumes, and the root's volume: tightness is that over the hull's.
    std::int64_t (*size)(const AnyHierarchy& tree);
    float (*root_volume_m3)(const AnyHierarchy& tree);
    /// For the cost of one step: the pairs that all_pairs tests; those tests alone (returns how many overlap); the
    /// tests of their triangles alone (returns how many meet); all volumes fitted again.
    std::vector<TestedPair> (*tested_pairs)(const AnyHierarchy& a, const AnyHierarchy& b,
                                            const Eigen::Isometry3f& a_from_b);
    std::int64_t (*test_again)(const AnyHierarchy& a, const AnyHierarchy& b, const Eigen::Isometry3f& a_from_b,
                               std::span<const TestedPair> pairs);
    std::int64_t (*test_triangles_again)(const AnyHierarchy& a, const AnyHierarchy& b,
                                         const Eigen::Isometry3f& a_from_b, std::span<const TestedPair> pairs);
    void (*refit)(const AnyHierarchy& tree, Bounding bounding);
};

/// Cheapest test first: sphere, AABB, 8-, 14-, 18-, 26-DOP, turned AABB, OBB, RSS, hull.
std::span<const VolumeRow> volume_rows();

}  // namespace glovebox::collision
