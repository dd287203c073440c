// Trees of volumes over one topology: oriented boxes, aligned boxes, spheres. What the OBBTree paper compares.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "collision/mesh/build.h"
#include "collision/survey/fit/random.h"

namespace glovebox::vr {

/// An aligned box that turned with its mesh is an oriented box: `aabb` tests it as that, `aabb_boxed` boxes it again
/// along the other's axes first, which is cheaper and looser.
enum class Volume : std::uint8_t { obb, aabb, sphere, aabb_boxed };
inline constexpr std::array kVolumes = {std::pair{Volume::obb, "OBB"}, std::pair{Volume::aabb, "AABB"},
                                        std::pair{Volume::sphere, "sphere"},
                                        std::pair{Volume::aabb_boxed, "AABB, boxed again"}};
inline constexpr std::size_t kShapes = 3;  ///< the first of them: trees that differ, not tests

struct Ball {
    Eigen::Vector3f center_m;
    float radius_m;
};

// The boxes of a tree, and balls round the same triangles.
struct VolumeTree {
    Volume volume;
    const collision::Mesh& mesh;
    collision::BoxTree tree;
    std::vector<Ball> balls;
};

/// Leaves of one triangle, split at the mean. The mesh must outlive the tree.
VolumeTree make_tree(const collision::Mesh& mesh, Volume volume);

/// What a query costs: T = N_v C_v + N_p C_p (slide 45).
struct VolumeCost {
    std::int64_t n_v = 0, n_p = 0;  ///< tests of volumes and of triangles
    std::int64_t touching = 0;      ///< pairs of triangles
    double seconds = 0.0;
};

bool volumes_overlap(const VolumeTree& a, std::int32_t node_a, const VolumeTree& b, std::int32_t node_b,
                     const Eigen::Isometry3f& a_from_b);

/// The pairs that a query tests, in its order: of nodes and of leaves, each by node number.
struct VisitedPairs {
    std::vector<std::pair<std::int32_t, std::int32_t>> nodes, leaves;
};

/// Do the triangles of these two leaves touch?
bool leaves_touch(const VolumeTree& a, std::int32_t leaf_a, const VolumeTree& b, std::int32_t leaf_b,
                  const Eigen::Isometry3f& a_from_b);

/// All touching pairs of triangles. What it visits is kept where that is asked for.
VolumeCost query(const VolumeTree& a, const VolumeTree& b, const Eigen::Isometry3f& a_from_b,
                 VisitedPairs* visited = nullptr);

/// Uniform over the ball of quaternions: every turn, not all equally often.
Eigen::Matrix3f random_rotation(collision::Random& random);

}  // namespace glovebox::vr
