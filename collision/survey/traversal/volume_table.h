// The table of all kinds of bounding volume, for benchmarks, tests and users who compare them.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "collision/survey/traversal/traversal.h"

namespace glovebox::collision {

/// A Hierarchy<V> of some kind V, to be used only with the table entry of V.
using AnyHierarchy = std::shared_ptr<void>;

/// Two nodes that an all-pairs traversal tests.
struct TestedPair {
    std::int32_t a, b;
    bool to_triangles = false;  ///< true for overlapping leaves, whose triangles are tested next
};

struct VolumeRow {
    std::string_view name, summary;
    AnyHierarchy (*build)(Mesh mesh, const HierarchySettings& settings);
    Answer (*traverse)(const AnyHierarchy& a, const AnyHierarchy& b, const Eigen::Isometry3f& a_from_b,
                       const Query& query, TraversalMemory& memory);
    /// `size` returns the number of volumes. `root_volume_m3` returns the volume of the root; divided by the volume of
    /// the convex hull, it measures tightness.
    std::int64_t (*size)(const AnyHierarchy& tree);
    float (*root_volume_m3)(const AnyHierarchy& tree);
    /// For measuring single steps. `tested_pairs` returns the pairs that all_pairs tests. `test_again` repeats only
    /// these tests and returns the number of overlaps. `test_triangles_again` repeats only the tests of their triangles
    /// and returns how many meet. `refit` fits all volumes again.
    std::vector<TestedPair> (*tested_pairs)(const AnyHierarchy& a, const AnyHierarchy& b,
                                            const Eigen::Isometry3f& a_from_b);
    std::int64_t (*test_again)(const AnyHierarchy& a, const AnyHierarchy& b, const Eigen::Isometry3f& a_from_b,
                               std::span<const TestedPair> pairs);
    std::int64_t (*test_triangles_again)(const AnyHierarchy& a, const AnyHierarchy& b,
                                         const Eigen::Isometry3f& a_from_b, std::span<const TestedPair> pairs);
    void (*refit)(const AnyHierarchy& tree, Bounding bounding);
};

/// Returns all kinds, the cheapest test first: sphere, AABB, 8-, 14-, 18-, 26-DOP, turned AABB, OBB, RSS, hull.
std::span<const VolumeRow> volume_rows();

}  // namespace glovebox::collision
