// A mesh for contact queries: its OBB tree, surface and inside grid. It is built once and queried every frame.
//
// Queries are in the mesh's own frame, so for a moving object only the bone needs to be transformed. The tree is
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
    std::int32_t triangle = -1;  ///< index of the triangle; -1 if none is within reach
    float distance_m = 0.0F;     ///< signed; negative when penetrating
    Eigen::Vector3f normal;      ///< unit, from the shape to the mesh
    Eigen::Vector3f on_shape_m, on_mesh_m;
};

struct BoneMemory;  // bone_memory.h

/// A mesh with its tree, surface and inside grid. It is constant once built and may be shared by threads.
class MeshTree {
  public:
    static constexpr int kLeafTriangles = 4;

    /// Builds the tree. Throws what check(mesh) throws. Deterministic.
    static std::shared_ptr<const MeshTree> build(Mesh mesh, int max_leaf_triangles = kLeafTriangles);

    /// Converts an existing binary tree of this mesh, in which each triangle is in exactly one leaf. Throws what
    /// check(mesh) and check(tree) throw.
    static std::shared_ptr<const MeshTree> over(Mesh mesh, BoxTree tree);

    const Mesh& mesh() const { return mesh_; }
    const Obb& root_box() const { return tree_.root_box(); }
    /// True if the mesh is closed; see MeshSurface::closed().
    bool closed() const { return surface_.closed(); }
    const MeshSurface& surface() const { return surface_; }
    std::size_t memory_bytes() const;  ///< size of all that queries read, without the mesh itself

    /// Returns the tree that every query traverses.
    const ObbTree& tree() const { return tree_; }

    /// Returns true if a triangle meets the box, or if the box's centre is inside a closed mesh. Not all
    /// separating axes are tested, so it may also return true for a box that is disjoint from the mesh.
    bool overlaps(const Obb& box_in_mesh, MeshTreeCounts& counts) const;

    /// Returns the least signed distance over the bone, up to max_distance_m:
    ///     min over core points x of phi(x) - radius(x),
    /// where phi is the distance to the surface, negative inside a closed mesh. If the core is outside, the result is
    /// in closed form. If part of the core is inside, branch and bound finds its deepest point (query/deepest_point.h)
    /// to 1e-4 of the core's size. That takes tens to a few hundred microseconds. With many thin walls, the search may
    /// stop after up to three milliseconds; it then returns the best point so far and increments counts.unfinished. In
    /// an open mesh, phi is 0 where the core crosses a triangle, and the bone is assumed to have come from the
    /// triangle's front. `parts` must contain every triangle within max_distance_m: the result of descend(), or the
    /// whole tree. If several triangles are equally near, the one of lowest index is returned. With this bone's
    /// `memory`, no traversal is needed while the bone moves little; the result is the same bit by bit.
    MeshHit nearest(const RoundCone& cone_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    std::span<const TreePart> parts = kWholeTree, BoneMemory* memory = nullptr) const;
    MeshHit nearest(const RoundedBox& box_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    std::span<const TreePart> parts = kWholeTree) const;

    using Visitor = std::function<void(const MeshHit&)>;
    /// Visits every triangle within max_distance_m of the bone, with the nearest points of both, in tree order; `parts`
    /// as for nearest(). The
    /// distance is negative if the bone crosses the triangle, or if the core's nearest point is inside the mesh. For
    /// the depth of the bone as a whole, use nearest().
    void all_within(const RoundCone& cone_in_mesh, float max_distance_m, const Visitor& visit, MeshTreeCounts& counts,
                    std::span<const TreePart> parts = kWholeTree) const;
    void all_within(const RoundedBox& box_in_mesh, float max_distance_m, const Visitor& visit, MeshTreeCounts& counts,
                    std::span<const TreePart> parts = kWholeTree) const;

    /// True if the point is inside; false for an open mesh. Reads the grid or, near the surface, counts the triangles
    /// on a ray. With a `memory` for this point of a body, no traversal is needed while it moves less than its distance
    /// to the surface; the result is the same.
    bool contains(const Eigen::Vector3f& point_in_mesh_m, MeshTreeCounts& counts, BoneMemory* memory = nullptr) const;

    /// Returns the signed distance of a point: negative inside a closed mesh.
    float signed_distance(const Eigen::Vector3f& point_in_mesh_m) const;

    /// A point of the surface, as nearest_surface() returns it.
    struct SurfacePoint {
        double distance_m;          ///< signed
        Eigen::Vector3d nearest_m;  ///< on the surface
        Eigen::Vector3d outward;    ///< pseudonormal at nearest_m
        std::int32_t triangle;
    };
    /// Finds the nearest point of the surface and its signed distance. `start_m2` is an upper bound of the squared
    /// distance, if one is known.
    SurfacePoint nearest_surface(const Eigen::Vector3d& point_m, MeshTreeCounts& counts,
                                 double start_m2 = std::numeric_limits<double>::infinity()) const;

  private:
    bool known_inside(const Eigen::Vector3f& point_in_mesh_m) const {
        return closed() && inside_.at(point_in_mesh_m) == InsideGrid::Side::inside;
    }
    bool inside_by_ray(const Eigen::Vector3d& point_m, MeshTreeCounts& counts) const;
    MeshHit deepest(const RoundCone& cone_in_mesh, MeshTreeCounts& counts) const;
    MeshHit deepest(const RoundedBox& box_in_mesh, MeshTreeCounts& counts) const;

    Mesh mesh_;
    MeshSurface surface_;
    InsideGrid inside_;
    ObbTree tree_;
};

}  // namespace glovebox::collision
