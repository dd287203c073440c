// A mesh for contact queries: its OBB tree, surface and inside grid. Built once, queried every frame.
//
// Mesh and queries are in the mesh's own frame, so a moving object costs only one transform of the bone. The tree is
// converted from the binary tree of build_tree(), or from a stored one (tree_file.h).
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "collision/box/shape.h"
#include "collision/mesh/box_tree.h"
#include "collision/mesh/inside_grid.h"
#include "collision/mesh/mesh.h"
#include "collision/mesh/mesh_surface.h"
#include "collision/mesh/obb_tree.h"

namespace glovebox::collision {

/// The nearest points of a shape and the mesh, in the mesh's frame.
struct MeshHit {
    std::int32_t triangle = -1;  ///< -1: nothing within reach
    float distance_m = 0.0F;     ///< signed; negative when penetrating
    Eigen::Vector3f normal;      ///< unit, from the shape to the mesh
    Eigen::Vector3f on_shape_m, on_mesh_m;
};

struct BoneMemory;  // bone_memory.h

/// A mesh with its tree, surface and inside. Constant once built; may be shared by threads.
class MeshTree {
  public:
    static constexpr int kLeafTriangles = 4;

    /// Builds the tree. Throws what check(mesh) throws. Deterministic.
    static std::shared_ptr<const MeshTree> build(Mesh mesh, int max_leaf_triangles = kLeafTriangles);

    /// Uses an existing binary tree of this mesh, with each triangle in exactly one leaf. Throws what check(mesh) and
    /// check(tree) throw.
    static std::shared_ptr<const MeshTree> over(Mesh mesh, BoxTree tree);

    const Mesh& mesh() const { return mesh_; }
    const Obb& root_box() const { return tree_.root_box(); }
    /// True if the mesh has an inside; see MeshSurface::closed().
    bool closed() const { return surface_.closed(); }
    const MeshSurface& surface() const { return surface_; }
    std::size_t memory_bytes() const;  ///< of all that queries read, without the mesh itself

    /// Returns the tree that every query traverses.
    const ObbTree& tree() const { return tree_; }

    /// Returns false only if no triangle meets the box and its centre is not inside a closed mesh. Tests the box's axes
    /// and the triangles' normals, so it may return true for separate ones.
    bool overlaps(const Obb& box_in_mesh, MeshTreeCounts& counts) const;

    /// Returns the least signed distance over the bone, up to max_distance_m:
    ///     min over core points x of phi(x) - radius(x),
    /// where phi is the distance to the surface, negative inside a closed mesh. Closed form if the core is outside. If
    /// part of the core is inside, branch and bound finds its deepest point (query/deepest_point.h), to 1e-4 of the
    /// core's size, in tens to some hundred microseconds. A search that many thin walls prolong ends after up to three
    /// milliseconds with the best point so far and adds to counts.unfinished. In a mesh without inside, phi is 0 where
    /// the core crosses a triangle, and the bone is taken to have come from the triangle's front.
    /// `parts` must contain every triangle within max_distance_m: the result of descend(), or the whole tree. Of
    /// equally near triangles, the one of lowest number is returned. `memory` of this bone saves the traversal while
    /// the bone moves little. The result is the same to the bit.
    MeshHit nearest(const RoundCone& cone_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    std::span<const TreePart> parts = kWholeTree, BoneMemory* memory = nullptr) const;
    MeshHit nearest(const RoundedBox& box_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    std::span<const TreePart> parts = kWholeTree, BoneMemory* memory = nullptr) const;

    using Visitor = std::function<void(const MeshHit&)>;
    /// Visits every triangle within max_distance_m of the bone, with its own nearest points, in the order of the tree.
    /// The distance is negative if the bone crosses the triangle or the core point is inside. For the depth of the bone
    /// as a whole use nearest().
    void all_within(const RoundCone& cone_in_mesh, float max_distance_m, const Visitor& visit,
                    MeshTreeCounts& counts) const;
    void all_within(const RoundedBox& box_in_mesh, float max_distance_m, const Visitor& visit,
                    MeshTreeCounts& counts) const;

    /// True if the point is inside; false for a mesh without an inside. Reads the grid, or near the surface the side of
    /// the nearest point.
    bool contains(const Eigen::Vector3f& point_in_mesh_m, MeshTreeCounts& counts) const;

    /// Returns the signed distance of a point: negative inside a closed mesh.
    float signed_distance(const Eigen::Vector3f& point_in_mesh_m) const;

    /// Finds the nearest point of the surface and its signed distance. `start_m2`: a known upper bound of the squared
    /// distance, if any.
    struct SurfacePoint {
        double distance_m;          ///< signed
        Eigen::Vector3d nearest_m;  ///< on the surface
        Eigen::Vector3d outward;    ///< pseudonormal there
        std::int32_t triangle;
    };
    SurfacePoint nearest_surface(const Eigen::Vector3d& point_m, MeshTreeCounts& counts,
                                 double start_m2 = std::numeric_limits<double>::infinity()) const;

  private:
    bool known_inside(const Eigen::Vector3f& point_in_mesh_m) const {
        return closed() && inside_.at(point_in_mesh_m) == InsideGrid::Side::inside;
    }
    MeshHit deepest(const RoundCone& cone_in_mesh, MeshTreeCounts& counts) const;
    MeshHit deepest(const RoundedBox& box_in_mesh, MeshTreeCounts& counts) const;

    Mesh mesh_;
    MeshSurface surface_;
    InsideGrid inside_;
    ObbTree tree_;
};

}  // namespace glovebox::collision
