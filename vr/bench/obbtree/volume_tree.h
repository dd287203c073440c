// Trees of oriented boxes, aligned boxes or spheres with the same topology, as the OBBTree paper compares them.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "collision/mesh/build.h"
#include "collision/survey/fit/random.h"

namespace glovebox::vr {

/// When its mesh turns, an aligned box becomes an oriented one. `aabb` tests it as an oriented box. `aabb_boxed` first
/// encloses it in a box along the axes of the other mesh, which is cheaper but looser.
enum class Volume : std::uint8_t { obb, aabb, sphere, aabb_boxed };
inline constexpr std::array kVolumes = {std::pair{Volume::obb, "OBB"}, std::pair{Volume::aabb, "AABB"},
                                        std::pair{Volume::sphere, "sphere"},
                                        std::pair{Volume::aabb_boxed, "AABB, boxed again"}};
/// Number of volumes with trees of their own, which come first in Volume. The others differ only in the test.
inline constexpr std::size_t kShapes = 3;

struct Ball {
    Eigen::Vector3f center_m;
    float radius_m;
};

// The boxes of a tree. For Volume::sphere, it also has bounding balls of the same triangles.
struct VolumeTree {
    Volume volume;
    const collision::Mesh& mesh;
    collision::BoxTree tree;
    std::vector<Ball> balls;
};

/// Builds a tree with one triangle per leaf, split at the mean. The mesh must outlive the tree.
VolumeTree make_tree(const collision::Mesh& mesh, Volume volume);

/// The counts and the time of a query. The cost model is T = N_v C_v + N_p C_p (slide 45).
struct VolumeCost {
    std::int64_t n_v = 0, n_p = 0;  ///< tests of volumes and of triangles
    std::int64_t touching = 0;      ///< touching pairs of triangles
    double seconds = 0.0;
};

bool volumes_overlap(const VolumeTree& a, std::int32_t node_a, const VolumeTree& b, std::int32_t node_b,
                     const Eigen::Isometry3f& a_from_b);

/// The pairs of nodes and of leaves that a query tests, as node indices, in the order of the tests.
struct VisitedPairs {
    std::vector<std::pair<std::int32_t, std::int32_t>> nodes, leaves;
};

/// Returns true if the triangles of the two leaves touch.
bool leaves_touch(const VolumeTree& a, std::int32_t leaf_a, const VolumeTree& b, std::int32_t leaf_b,
                  const Eigen::Isometry3f& a_from_b);

/// Finds all touching pairs of triangles. Appends the tested pairs to `visited` unless it is null.
VolumeCost query(const VolumeTree& a, const VolumeTree& b, const Eigen::Isometry3f& a_from_b,
                 VisitedPairs* visited = nullptr);

/// Returns a random rotation; all rotations are equally likely.
Eigen::Matrix3f random_rotation(collision::Random& random);

}  // namespace glovebox::vr
