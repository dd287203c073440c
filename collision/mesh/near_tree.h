// The tree that a bone walks down to the triangles near it: eight boxes a node, four triangles a block.
//
// A rounded bone asks all boxes of a node at once, by the register, and prunes triangles by directions before anybody
// computes an exact distance. Boxes lie along the mesh's axes and are stored in 8-bit steps of their node, so that a
// node is two cache lines: what is far from the last frame's cache is what a frame after a pause waits for.
// [Ylitie17, sec. 3]
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collision/box/shape.h"
#include "collision/mesh/box_tree.h"
#include "collision/mesh/mesh.h"

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

    std::span<const Node> nodes() const { return nodes_; }  ///< the root first
    std::span<const Block> blocks() const { return blocks_; }
    std::size_t memory_bytes() const { return nodes().size_bytes() + blocks().size_bytes(); }
    /// Of child k: holds every triangle below it, whatever float loses of the steps.
    Aabb box_of(const Node& node, std::size_t child) const;
    /// No coordinate of the mesh is larger: what rounding of bounds is measured by.
    float largest_m() const { return largest_m_; }

  private:
    std::vector<Node> nodes_;
    std::vector<Block> blocks_;
    float largest_m_ = 0.0F;
};

struct MeshTreeCounts {
    std::int64_t box_tests = 0, triangle_tests = 0;
    std::int64_t unfinished = 0;  ///< searches for a deepest point that gave the best they had (deepest_point.h)
};

/// Called for a triangle that may be within reach. May lower the reach; minus infinity ends the walk. Returns a unit
/// direction from the triangle to the shape along which the two are as far apart as has been found; zero: none.
struct NearVisit {
    Eigen::Vector3f (*call)(void* context, const NearTree::Block& block, std::size_t lane, double& reach_m);
    void* context;

    template <class Visitor>
    static NearVisit of(Visitor& visitor) {
        return {[](void* visited, const NearTree::Block& block, std::size_t lane, double& reach_m) -> Eigen::Vector3f {
                    (*static_cast<Visitor*>(visited))(block, lane, reach_m);
                    return Eigen::Vector3f::Zero();
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

/// The blocks that reach into a box: all that what stays within it can meet. Kept from frame to frame, so that a bone
/// that has moved a little need not come down the tree again.
struct NearBlocks {
    static constexpr std::int32_t kMost = 48;
    Aabb around_m;            ///< of the mesh's frame; empty: nothing is kept
    std::int32_t count = -1;  ///< -1: none, or more than there is room for
    std::array<std::int32_t, kMost> block;
};

/// A region that is kept as well, and the box that it holds all of.
struct NearPlace {
    Aabb around_m;
    NearRegion region;
};

/// From the place, if there is one that holds the box; else from the root. No allocation.
void find_blocks(const NearTree& tree, const NearPlace* place, const Aabb& around_m, MeshTreeCounts& counts,
                 NearBlocks& kept);

/// How far a box is from the sides of the one round it; negative where it sticks out, and where the latter is empty.
inline float room_in(const Aabb& around_m, const Aabb& box_m) {
    return std::min((box_m.min_m - around_m.min_m).minCoeff(), (around_m.max_m - box_m.max_m).minCoeff());
}

/// The triangles that were nearest to a shape, the nearest first, each with the direction along which the two were
/// furthest apart. Wherever the shape goes, it is at least as far from the triangle as that direction says. All others
/// were further away than beyond_m, and are that less what the shape has moved.
struct NearTriangles {
    static constexpr std::int32_t kMost = 24;
    struct Four {
        float along[3][4];   ///< [coordinate]: from the triangle to the shape; not longer than 1
        float high[4];       ///< no corner of the triangle is higher; minus infinity: none
        std::int32_t at[4];  ///< number of the block times kBlockTriangles, plus the lane
    };
    std::int32_t count = -1;  ///< -1: nothing is kept
    float beyond_m = 0.0F;
    float least_m = 0.0F;  ///< none of the kept ones was nearer; infinite if there are none
    std::array<Four, kMost / 4> fours;
};

/// Those of the blocks' triangles that are within keep_m more than the nearest is, or than reach_m where nothing is as
/// near. The caller lowers beyond_m to how far away the nearest triangle of other blocks may be. No allocation.
void find_near(const NearTree& tree, const NearBlocks& blocks, const RoundCone& cone, double reach_m, float keep_m,
               MeshTreeCounts& counts, NearTriangles& kept);
void find_near(const NearTree& tree, const NearBlocks& blocks, const Obb& core, double reach_m, float keep_m,
               MeshTreeCounts& counts, NearTriangles& kept);

/// True only if nothing is within reach of the shape, which has moved by so much: told without a look at any triangle.
bool all_far(const NearTree& tree, const NearTriangles& kept, float moved_m, const RoundCone& cone, double reach_m);
bool all_far(const NearTree& tree, const NearTriangles& kept, float moved_m, const Obb& core, double reach_m);

/// Shows what find_nearest() would, and lowers the reach as the visitor does. False if others than the kept ones may be
/// as near: the shape has moved too far. Directions that the visitor finds are kept instead of those there were: what
/// has been shown and was not the nearest need not be shown again as long as little moves.
bool show_nearest(const NearTree& tree, NearTriangles& kept, float moved_m, const RoundCone& cone, double& reach_m,
                  MeshTreeCounts& counts, NearVisit visit);
bool show_nearest(const NearTree& tree, NearTriangles& kept, float moved_m, const Obb& core, double& reach_m,
                  MeshTreeCounts& counts, NearVisit visit);

/// What rounding may take of a bound: a box that is to be met must be inside by so much.
float rounding_m(const NearTree& tree, const Aabb& box_m);

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
