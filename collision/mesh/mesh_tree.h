// A mesh that can be touched: its OBB tree, its surface and its inside. Built once, queried every frame.
//
// Everything is in the mesh's own frame; queries come in that frame too, so a moving object costs one transform of the
// bone. The tree is made from the binary one that build_tree() makes, or that tree_file.h keeps from an earlier run.
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

/// Nearest points of a shape and the mesh, in the mesh's frame.
struct MeshHit {
    std::int32_t triangle = -1;  ///< -1: nothing within reach
    float distance_m = 0.0F;     ///< signed; negative when penetrating
    Eigen::Vector3f normal;      ///< unit, from the shape to the mesh
    Eigen::Vector3f on_shape_m, on_mesh_m;
};

struct BoneMemory;  // bone_memory.h

class MeshTree {
  public:
    static constexpr int kLeafTriangles = 4;

    /// Throws what check(mesh) throws. Deterministic.
    static std::shared_ptr<const MeshTree> build(Mesh mesh, int max_leaf_triangles = kLeafTriangles);

    /// Over a tree of this mesh that has been built or read already, each triangle in one leaf. Throws what check(mesh)
    /// and check(tree) throw.
    static std::shared_ptr<const MeshTree> over(Mesh mesh, BoxTree tree);

    const Mesh& mesh() const { return mesh_; }
    const Obb& root_box() const { return tree_.root_box(); }
    /// Inside and outside exist: every edge has exactly two triangles, which agree on the side.
    bool closed() const { return surface_.closed(); }
    const MeshSurface& surface() const { return surface_; }
    std::size_t memory_bytes() const;  ///< all that queries read, without the mesh itself

    /// The tree that every query goes down.
    const ObbTree& tree() const { return tree_; }

    /// False only if no triangle meets the box and its middle is not inside a closed mesh. Asks the box's axes and
    /// those of the triangles' planes.
    bool overlaps(const Obb& box_in_mesh, MeshTreeCounts& counts) const;

    /// Least signed distance over the bone, no further than max_distance_m:
    ///     min over core points x of phi(x) - radius(x),
    /// where phi is the distance to the surface, negative inside a closed mesh. Outside it is the distance to the
    /// nearest triangle, in closed form. Where some of the core is inside, the deepest core point is searched
    /// (query/deepest_point.h): right to a ten thousandth of the core's size, whatever the solid; a box that many thin
    /// walls cross may have to do with the best that was found, and counts.unfinished tells. Tens to some hundred
    /// microseconds then, unfinished up to three milliseconds. Where the mesh has no inside, a core that crosses a
    /// triangle has phi = 0 there and the bone is taken to have come from the triangle's front.
    /// `parts` must hold every triangle within max_distance_m: what descend() found, or the whole tree. Of triangles
    /// that are equally near, the one of lowest number.
    /// A memory of this bone spares it the walk as long as it moves little: the answer is the same to the bit, whatever
    /// it remembers of this mesh.
    MeshHit nearest(const RoundCone& cone_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    std::span<const TreePart> parts = kWholeTree, BoneMemory* memory = nullptr) const;
    MeshHit nearest(const RoundedBox& box_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    std::span<const TreePart> parts = kWholeTree, BoneMemory* memory = nullptr) const;

    using Visitor = std::function<void(const MeshHit&)>;
    /// Every triangle that comes within max_distance_m of the bone, each with its own nearest points, in the order
    /// of the tree; negative where the bone crosses it or that point of the core is inside. What a list of all contacts
    /// is made of; nearest() has the depth of the bone as a whole.
    void all_within(const RoundCone& cone_in_mesh, float max_distance_m, const Visitor& visit,
                    MeshTreeCounts& counts) const;
    void all_within(const RoundedBox& box_in_mesh, float max_distance_m, const Visitor& visit,
                    MeshTreeCounts& counts) const;

    /// Inside a closed mesh; false for one that has no inside. A look into a grid where the surface is not near, else
    /// the side of the nearest point.
    bool contains(const Eigen::Vector3f& point_in_mesh_m, MeshTreeCounts& counts) const;

    /// Signed distance of a point; negative inside a closed mesh.
    float signed_distance(const Eigen::Vector3f& point_in_mesh_m) const;

    /// The same with the nearest point. `start_m2` may pass a squared distance known to be reached (infinity
    /// otherwise).
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
