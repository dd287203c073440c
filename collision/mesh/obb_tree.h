// The tree of a mesh: oriented boxes, eight children per node, four triangles per block. All mesh queries use it.
//
// A binary tree is built top-down as in [Gottschalk96] (build.h), then collapsed into nodes of eight by least expected
// cost [Ylitie17, sec. 3]. The eight boxes of a node share one rotation [Kern25]. So a query is rotated once per node
// and then tested in SIMD as against axis-aligned boxes. The bounds of the boxes are 8-bit steps relative to their
// node, rounded outwards, so a node takes two cache lines.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "collision/box/shape.h"
#include "collision/mesh/box_tree.h"
#include "collision/mesh/mesh.h"
#include "collision/mesh/tree_part.h"

namespace glovebox::collision {

/// The tree. Immutable, so threads may share it.
class ObbTree {
  public:
    static constexpr std::size_t kWidth = 8, kBlockTriangles = 4;

    /// Eight boxes in the node's own frame, which rotates a point x of the mesh's frame to axes_of(node)^T * x. Child k
    /// extends from low + step * low_steps[.][k] to low + step * high_steps[.][k].
    struct alignas(64) Node {
        std::array<float, 3> low_m, step_m;
        std::array<float, 4> turn;  ///< mesh_from_node as a unit quaternion x y z w
        std::array<std::array<std::uint8_t, kWidth>, 3> low_steps, high_steps;
        std::array<std::int32_t, kWidth> child;  ///< index of a node, or ~index of a block
        std::int32_t count;                      ///< number of children
    };
    /// Four triangles, with exact copies of the mesh's corners. Unused lanes repeat the first triangle.
    struct alignas(16) Block {
        float corner_m[3][3][kBlockTriangles];               ///< [corner][coordinate][triangle]
        std::array<std::int32_t, kBlockTriangles> triangle;  ///< indices in the mesh; -1 for unused lanes, at the end
    };

    ObbTree() = default;
    /// Converts a binary tree that has each triangle once. The result does not depend on the number of threads.
    ObbTree(const Mesh& mesh, const BoxTree& binary);

    /// Builds the tree with build_tree(), one block per leaf. Throws what check(mesh) throws.
    static std::shared_ptr<const ObbTree> build(const Mesh& mesh);

    /// Maximum size of the stack of a depth-first traversal: seven siblings at each of at most 72 levels. Builders make
    /// at most 40 levels by position and 32 by halving.
    static constexpr std::size_t kMaxWaiting = 7 * 72 + 8;

    std::span<const Node> nodes() const { return nodes_; }  ///< the root first; children follow their parents
    std::span<const Block> blocks() const { return blocks_; }
    const Obb& root_box() const { return root_; }
    std::size_t memory_bytes() const { return nodes_.size() * sizeof(Node) + blocks_.size() * sizeof(Block); }
    double lanes_filled() const;  ///< mean number of children per node, at most 8

    /// Returns the box of a child in the mesh's frame. It contains every triangle below, despite rounding of the steps.
    Obb box_of(const Node& node, std::size_t child) const;
    /// Returns the boxes of one level (level 0 is the root's box) and the boxes of blocks above that level.
    std::vector<Obb> boxes_at(int level) const;
    int depth() const;  ///< number of levels below the root box

    /// Returns the largest absolute coordinate of the mesh, which scales the rounding error of bounds.
    float largest_m() const { return largest_m_; }

  private:
    std::vector<Node> nodes_;
    std::vector<Block> blocks_;
    Obb root_;
    float largest_m_ = 0.0F;
};

/// Returns the rotation mesh_from_node; its columns are the axes that the node's boxes share. Exact for the identity.
inline Eigen::Matrix3f axes_of(const ObbTree::Node& node) {
    const auto [x, y, z, w] = node.turn;
    Eigen::Matrix3f axes;
    axes << 1.0F - 2.0F * (y * y + z * z), 2.0F * (x * y - w * z), 2.0F * (x * z + w * y),  //
        2.0F * (x * y + w * z), 1.0F - 2.0F * (x * x + z * z), 2.0F * (y * z - w * x),      //
        2.0F * (x * z - w * y), 2.0F * (y * z + w * x), 1.0F - 2.0F * (x * x + y * y);
    return axes;
}

/// Returns a child's box as stored, in the node's frame.
inline Aabb stored_box(const ObbTree::Node& node, std::size_t child) {
    Aabb box;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        box.min_m[axis] = node.low_m[k] + node.step_m[k] * static_cast<float>(node.low_steps[k][child]);
        box.max_m[axis] = node.low_m[k] + node.step_m[k] * static_cast<float>(node.high_steps[k][child]);
    }
    return box;
}

/// Counts of the work of queries, which add to them and never reset them.
struct MeshTreeCounts {
    std::int64_t box_tests = 0, triangle_tests = 0;
    std::int64_t unfinished = 0;  ///< deepest-point searches that ended with the best result so far (deepest_point.h)
};

/// Callback for a triangle that may be within reach. It may lower the reach; setting it to minus infinity ends the
/// traversal.
struct NearVisit {
    void (*call)(void* context, const ObbTree::Block& block, std::size_t lane, double& reach_m);
    void* context;

    template <class Visitor>
    static NearVisit of(Visitor& visitor) {
        return {[](void* visited, const ObbTree::Block& block, std::size_t lane, double& reach_m) {
                    (*static_cast<Visitor*>(visited))(block, lane, reach_m);
                },
                &visitor};
    }
};

/// Visits every triangle within reach_m that can be the nearest to the point, the cone's surface or the box's core.
/// These are all triangles whose distance equals the minimum up to rounding, and a few others. A box core that crosses
/// a triangle has distance 0; a cone whose axis does has minus its radius. Visits nothing if the shape is not finite.
/// `parts` must contain all triangles within reach. No allocation.
void find_nearest(const ObbTree& tree, const Eigen::Vector3f& point_m, double reach_m, MeshTreeCounts& counts,
                  NearVisit visit);
void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit);
void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const Obb& core, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit);

/// Visits every triangle of the parts within reach_m, and a few triangles beyond it.
void find_all_near(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit);
void find_all_near(const ObbTree& tree, std::span<const TreePart> parts, const Obb& core, double reach_m,
                   MeshTreeCounts& counts, NearVisit visit);

/// Returns false only if no triangle meets the box. Tests the axes of the box and of the mesh's frame, and the
/// triangles' normals. The result depends only on the triangles, not on the tree's boxes.
bool meets(const ObbTree& tree, const Obb& box, MeshTreeCounts& counts);

/// Returns a bound of the float rounding error for a shape whose coordinates and lengths add up to size_m.
inline float rounding_m(const ObbTree& tree, float size_m) {
    return 4e-6F * (tree.largest_m() + size_m) + 1e-30F;
}

/// Distance bounds, up to rounding: lower bounds for a node's children, lower and upper bounds for a block's triangles.
/// A lower bound is the gap along some direction; an upper bound is the distance of some pair of points. The scalar
/// versions compute the same one at a time; they are the reference for tests.
using NodeBounds = std::array<float, ObbTree::kWidth>;
struct BlockBounds {
    std::array<float, ObbTree::kBlockTriangles> least, most;
};
NodeBounds node_bounds(const ObbTree::Node& node, const Eigen::Vector3f& point_m);
NodeBounds node_bounds(const ObbTree::Node& node, const RoundCone& cone);
NodeBounds node_bounds(const ObbTree::Node& node, const Obb& core);
BlockBounds block_bounds(const ObbTree::Block& block, const Eigen::Vector3f& point_m);
BlockBounds block_bounds(const ObbTree::Block& block, const RoundCone& cone);
BlockBounds block_bounds(const ObbTree::Block& block, const Obb& core);
NodeBounds node_bounds_scalar(const ObbTree::Node& node, const Eigen::Vector3f& point_m);
NodeBounds node_bounds_scalar(const ObbTree::Node& node, const RoundCone& cone);
NodeBounds node_bounds_scalar(const ObbTree::Node& node, const Obb& core);
BlockBounds block_bounds_scalar(const ObbTree::Block& block, const Eigen::Vector3f& point_m);
BlockBounds block_bounds_scalar(const ObbTree::Block& block, const RoundCone& cone);
BlockBounds block_bounds_scalar(const ObbTree::Block& block, const Obb& core);

}  // namespace glovebox::collision
