// The tree of a mesh: oriented boxes, eight children a node, four triangles a block. Every query goes down this one.
//
// It is built top-down as [Gottschalk96] has it (build.h), then nodes are cut into eights by least expected cost
// [Ylitie17, sec. 3]. The eight boxes of a node share one rotation [Kern25]: a query is turned once for all of them,
// and they are tested side by side like aligned ones. Bounds are 8-bit steps of their node, rounded outwards, so a node
// is two cache lines.
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

class ObbTree {
  public:
    static constexpr std::size_t kWidth = 8, kBlockTriangles = 4;

    /// Child k reaches from low + step * low_steps[.][k] to low + step * high_steps[.][k] in the node's own frame,
    /// axes_of(node)^T * x for a point x of the mesh's frame.
    struct alignas(64) Node {
        std::array<float, 3> low_m, step_m;
        std::array<float, 4> turn;  ///< unit quaternion x y z w: mesh_from_node
        std::array<std::array<std::uint8_t, kWidth>, 3> low_steps, high_steps;
        std::array<std::int32_t, kWidth> child;  ///< number of a node; ~number of a block
        std::int32_t count;                      ///< of children
    };
    /// Corners as the mesh has them, to the bit. Unused lanes repeat the first triangle.
    struct alignas(16) Block {
        float corner_m[3][3][kBlockTriangles];               ///< [corner][coordinate][triangle]
        std::array<std::int32_t, kBlockTriangles> triangle;  ///< numbers in the mesh; -1: none, at the end
    };

    ObbTree() = default;
    /// The triangles of the binary tree's leaves, each once. Deterministic, whatever the number of threads.
    ObbTree(const Mesh& mesh, const BoxTree& binary);

    /// From a binary tree as build_tree() makes it with leaves of a block. Throws what check(mesh) throws.
    static std::shared_ptr<const ObbTree> build(const Mesh& mesh);

    /// More children than wait at once in a walk that opens one at a time: seven siblings at each of at most 72 levels,
    /// 40 by place and 32 by halving, as the builders make them.
    static constexpr std::size_t kMaxWaiting = 7 * 72 + 8;

    std::span<const Node> nodes() const { return nodes_; }  ///< the root first, children behind their parents
    std::span<const Block> blocks() const { return blocks_; }
    const Obb& root_box() const { return root_; }
    std::size_t memory_bytes() const { return nodes_.size() * sizeof(Node) + blocks_.size() * sizeof(Block); }
    double lanes_filled() const;  ///< mean number of children a node, of 8

    /// Of child k, in the mesh's frame: holds every triangle below it, whatever float loses of the steps.
    Obb box_of(const Node& node, std::size_t child) const;
    /// The boxes of one level, the root's box at level 0; blocks above that level are among them.
    std::vector<Obb> boxes_at(int level) const;
    int depth() const;  ///< levels below the root box

    /// No coordinate of the mesh is larger: what rounding of bounds is measured by.
    float largest_m() const { return largest_m_; }

  private:
    std::vector<Node> nodes_;
    std::vector<Block> blocks_;
    Obb root_;
    float largest_m_ = 0.0F;
};

/// mesh_from_node: the axes that the boxes of a node share, as columns. Exact for the identity.
inline Eigen::Matrix3f axes_of(const ObbTree::Node& node) {
    const auto [x, y, z, w] = node.turn;
    Eigen::Matrix3f axes;
    axes << 1.0F - 2.0F * (y * y + z * z), 2.0F * (x * y - w * z), 2.0F * (x * z + w * y),  //
        2.0F * (x * y + w * z), 1.0F - 2.0F * (x * x + z * z), 2.0F * (y * z - w * x),      //
        2.0F * (x * z - w * y), 2.0F * (y * z + w * x), 1.0F - 2.0F * (x * x + y * y);
    return axes;
}

/// As stored, in the node's frame.
inline Aabb stored_box(const ObbTree::Node& node, std::size_t child) {
    Aabb box;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        box.min_m[axis] = node.low_m[k] + node.step_m[k] * static_cast<float>(node.low_steps[k][child]);
        box.max_m[axis] = node.low_m[k] + node.step_m[k] * static_cast<float>(node.high_steps[k][child]);
    }
    return box;
}

struct MeshTreeCounts {
    std::int64_t box_tests = 0, triangle_tests = 0;
    std::int64_t unfinished = 0;  ///< searches for a deepest point that gave the best they had (deepest_point.h)
};

/// Called for a triangle that may be within reach. May lower the reach; minus infinity ends the walk.
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

/// Visits every triangle that can be the nearest one to the point, the cone's surface or the box's core, if that is
/// within reach_m: those whose distance cannot be told from the least within rounding, and few others. A core that is
/// crossed counts as distance 0, an axis as minus the radius. Nothing is near what is not finite. `parts` must hold all
/// that is within reach. No allocation.
void find_nearest(const ObbTree& tree, const Eigen::Vector3f& point_m, double reach_m, MeshTreeCounts& counts,
                  NearVisit visit);
void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit);
void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const Obb& core, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit);

/// Visits every triangle within reach_m, and a few that are not.
void find_all_near(const ObbTree& tree, const RoundCone& cone, double reach_m, MeshTreeCounts& counts, NearVisit visit);
void find_all_near(const ObbTree& tree, const Obb& core, double reach_m, MeshTreeCounts& counts, NearVisit visit);

/// False only if no triangle meets the box: asks the axes of both and those across the triangles' planes. The answer is
/// of the triangles alone, whatever the boxes above them.
bool meets(const ObbTree& tree, const Obb& box, MeshTreeCounts& counts);

/// What float may lose of a bound of something whose coordinates and lengths add up to size_m.
inline float rounding_m(const ObbTree& tree, float size_m) {
    return 4e-6F * (tree.largest_m() + size_m) + 1e-30F;
}

/// Bounds of the distance, up to rounding: from below to each child's box, and from both sides to each triangle of a
/// block. From below it is the gap along some direction, from above the distance of some pair of points. The scalar
/// ones do the same one by one: what tests compare with.
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
