// The tree that a bone walks down to the triangles near it: eight boxes a node, four triangles a block.
//
// A rounded bone asks all boxes of a node at once, by the register, and prunes triangles by directions before anybody
// computes an exact distance. Boxes lie along the mesh's axes and are stored in 8-bit steps of their node, so that a
// node is two cache lines: what is far from the last frame's cache is what a frame after a pause waits for.
// [Ylitie17, sec. 3]
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "collision/large_pages.h"
#include "collision/mesh.h"
#include "collision/shape.h"
#include "collision/tree/box_tree.h"

namespace glovebox::collision {

class NearTree {
  public:
    static constexpr std::size_t kWidth = 8, kBlockTriangles = 4;

    /// Child k reaches from low + step * low_steps[.][k] to low + step * high_steps[.][k].
    struct alignas(64) Node {
        std::array<float, 3> low_m, step_m;
        std::array<std::array<std::uint8_t, kWidth>, 3> low_steps, high_steps;
        std::array<std::int32_t, kWidth> child;  ///< number of a node; ~number of a block
        std::int32_t count;                      ///< of children
    };
    /// Corners as the mesh has them, to the bit.
    struct alignas(16) Block {
        float corner_m[3][3][kBlockTriangles];               ///< [corner][coordinate][triangle]
        std::array<std::int32_t, kBlockTriangles> triangle;  ///< numbers in the mesh; -1: none, at the end
    };

    NearTree() = default;
    /// The triangles of the binary tree's leaves, each once; its boxes only say what belongs together.
    NearTree(const Mesh& mesh, const BoxTree& binary);

    /// More children than wait at once in a walk that opens one at a time: seven siblings at each of at most 72 levels,
    /// 40 by place and 32 by halving, as the builders make them.
    static constexpr std::size_t kMostWaiting = 7 * 72 + 8;

    std::span<const Node> nodes() const { return arrays_.first(); }  ///< the root first
    std::span<const Block> blocks() const { return arrays_.second(); }
    std::size_t memory_bytes() const { return arrays_.memory_bytes(); }
    /// Of child k: holds every triangle below it, whatever float loses of the steps.
    Aabb box_of(const Node& node, std::size_t child) const;
    /// No coordinate of the mesh is larger: what rounding of bounds is measured by.
    float largest_m() const { return largest_m_; }

  private:
    LargeArrays<Node, Block> arrays_;
    float largest_m_ = 0.0F;
};

struct MeshTreeCounts {
    std::int64_t box_tests = 0, triangle_tests = 0;
};

/// Called for a triangle that may be within reach. May lower the reach; minus infinity ends the walk.
struct NearVisit {
    void (*call)(void* context, const NearTree::Block& block, std::size_t lane, double& reach_m);
    void* context;

    template <class Visitor>
    static NearVisit of(Visitor& visitor) {
        return {[](void* visited, const NearTree::Block& block, std::size_t lane, double& reach_m) {
                    (*static_cast<Visitor*>(visited))(block, lane, reach_m);
                },
                &visitor};
    }
};

/// The part of a tree that a few shapes have in common: made once for all bones of a hand, so that not each of them
/// comes down from the root.
struct NearRegion {
    static constexpr std::size_t kMost = 48;
    alignas(16) float low_m[3][kMost], high_m[3][kMost];  ///< [coordinate][entry]
    std::int32_t child[kMost];                            ///< as in a node
    std::size_t count;  ///< entries; what stands behind them up to a multiple of 8 is nowhere
};

/// Everything that a box of the mesh's frame reaches. No allocation.
NearRegion region_of(const NearTree& tree, const Aabb& box_m, MeshTreeCounts& counts);

/// Shows every triangle that can be the nearest one to the point, the cone's surface or the box's core, if that is
/// within reach_m: those whose distance cannot be told from the least within rounding, and few others. A core that is
/// crossed counts as distance 0, an axis as minus the radius. Nothing is near what is not finite. A region, where one
/// is given, must hold all that is within reach. No allocation.
void find_nearest(const NearTree& tree, const Eigen::Vector3f& point_m, double reach_m, MeshTreeCounts& counts,
                  NearVisit visit);
void find_nearest(const NearTree& tree, const NearRegion* region, const RoundCone& cone, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit);
void find_nearest(const NearTree& tree, const NearRegion* region, const Obb& core, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit);

/// Shows every triangle within reach_m, and a few that are not.
void find_all_near(const NearTree& tree, const NearRegion* region, const RoundCone& cone, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit);
void find_all_near(const NearTree& tree, const NearRegion* region, const Obb& core, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit);

/// False only if no triangle meets the box: asks the axes of both and those across the triangles' planes.
bool meets(const NearTree& tree, const NearRegion* region, const Obb& box, MeshTreeCounts& counts);

/// Bounds of the distance, up to rounding: from below to each child's box, and from both sides to each triangle of a
/// block. From below it is the gap along some direction, from above the distance of some pair of points. The scalar
/// ones do the same one by one: what tests compare with.
using NodeBounds = std::array<float, NearTree::kWidth>;
struct BlockBounds {
    std::array<float, NearTree::kBlockTriangles> least, most;
};
NodeBounds node_bounds(const NearTree::Node& node, const Eigen::Vector3f& point_m);
NodeBounds node_bounds(const NearTree::Node& node, const RoundCone& cone);
NodeBounds node_bounds(const NearTree::Node& node, const Obb& core);
BlockBounds block_bounds(const NearTree::Block& block, const Eigen::Vector3f& point_m);
BlockBounds block_bounds(const NearTree::Block& block, const RoundCone& cone);
BlockBounds block_bounds(const NearTree::Block& block, const Obb& core);
NodeBounds node_bounds_scalar(const NearTree::Node& node, const Eigen::Vector3f& point_m);
NodeBounds node_bounds_scalar(const NearTree::Node& node, const RoundCone& cone);
NodeBounds node_bounds_scalar(const NearTree::Node& node, const Obb& core);
BlockBounds block_bounds_scalar(const NearTree::Block& block, const Eigen::Vector3f& point_m);
BlockBounds block_bounds_scalar(const NearTree::Block& block, const RoundCone& cone);
BlockBounds block_bounds_scalar(const NearTree::Block& block, const Obb& core);

}  // namespace glovebox::collision
