// An OBB tree over the triangles of a rigid mesh: built once, queried every frame.
//
// Built in the mesh's own frame; queries come in that frame too, so a moving object costs one transform of the bone.
// It is made from the binary tree that build_tree() makes, or that tree_file.h keeps from an earlier run; of that only
// the first levels stay, to be drawn.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "collision/box/shape.h"
#include "collision/mesh/box_tree.h"
#include "collision/mesh/inside_grid.h"
#include "collision/mesh/mesh.h"
#include "collision/mesh/mesh_surface.h"
#include "collision/mesh/near_tree.h"

namespace glovebox::collision {

/// Nearest points of a shape and the mesh, in the mesh's frame.
struct MeshHit {
    std::int32_t triangle = -1;  ///< -1: nothing within reach
    float distance_m = 0.0F;     ///< signed; negative when penetrating
    Eigen::Vector3f normal;      ///< unit, from the shape to the mesh
    Eigen::Vector3f on_shape_m, on_mesh_m;
};

/// What one bone remembers of one mesh. Answers are the same to the bit with it as without, whatever it remembers of
/// this mesh: it only says where to look first. As long as the bone moves by less than `room_m` between two frames it
/// seldom comes down the tree. Worth it where MeshTree::is_coarse(): of finer meshes too many triangles are near a
/// bone to be remembered, and every query is as without.
struct alignas(64) MeshMemory {
    // What a bone that is far from everything reads is one cache line.
    float room_m = 0.009F;  ///< how far the bone may move until it has to look anew
    RoundCone cone = {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), -1.0F, -1.0F};  ///< that `triangles` are of
    NearTriangles triangles;
    Obb core = {Eigen::Vector3f::Zero(), Eigen::Matrix3f::Zero(), Eigen::Vector3f::Constant(-1.0F)};  ///< or this one
    NearBlocks blocks;

    /// Of another mesh from now on.
    void forget() {
        blocks = {};
        triangles.count = -1;
    }
};

class MeshTree {
  public:
    static constexpr int kLeafTriangles = 4;

    /// Throws what check(mesh) throws. Deterministic.
    static std::shared_ptr<const MeshTree> build(Mesh mesh, int max_leaf_triangles = kLeafTriangles);

    /// Over a tree of this mesh that has been built or read already, each triangle in one leaf. Throws what check(mesh)
    /// and check(tree) throw.
    static std::shared_ptr<const MeshTree> over(Mesh mesh, BoxTree tree);

    const Mesh& mesh() const { return mesh_; }
    const Obb& root_box() const { return drawn_.front().box; }
    /// Inside and outside exist: every edge has exactly two triangles, which agree on the side.
    bool closed() const { return surface_.closed(); }
    const MeshSurface& surface() const { return surface_; }
    /// Triangles of half a square centimetre in the mean, or larger: scans of rooms, tables, boxes. A few are near a
    /// finger at a time.
    bool is_coarse() const { return coarse_; }
    std::size_t memory_bytes() const;  ///< all that queries read, without the mesh itself

    /// Oriented boxes of one level of the tree that this one was made from (or of the leaves above it), for drawing:
    /// queries walk near_tree(). Below kDrawnLevels nothing is kept: the last kept level answers.
    static constexpr int kDrawnLevels = 8;
    std::vector<Obb> boxes_at(int level) const;

    /// What of the mesh a box reaches: several queries within it may be given it and then start from there. Each
    /// query's shape with what it may reach must lie in the box.
    NearRegion region(const Aabb& box_in_mesh, MeshTreeCounts& counts) const {
        return region_of(near_, box_in_mesh, counts);
    }

    /// False only if no triangle meets the box and its middle is not inside a closed mesh. Asks the box's axes and
    /// those of the triangles' planes. The pair test of find_candidates().
    bool overlaps(const Obb& box_in_mesh, MeshTreeCounts& counts, const NearRegion* region = nullptr) const;

    /// False only if the bone is out of reach of every triangle and not inside a closed mesh: nearest() with this reach
    /// then finds nothing. Told from what is remembered, and from what is kept anew where the bone has left that.
    bool may_reach(const RoundCone& cone_in_mesh, float reach_m, MeshTreeCounts& counts, MeshMemory& memory,
                   const NearPlace* place = nullptr) const;
    bool may_reach(const RoundedBox& box_in_mesh, float reach_m, MeshTreeCounts& counts, MeshMemory& memory,
                   const NearPlace* place = nullptr) const;

    /// Least signed distance over the bone, no further than max_distance_m:
    ///     min over core points x of phi(x) - radius(x),
    /// where phi is the distance to the surface, negative inside a closed mesh. Outside it is the distance to the
    /// nearest triangle, in closed form. Where some of the core is inside, the deepest core point is searched
    /// (exact/deepest_point.h): right to a ten thousandth of the core's size, whatever the solid; a box that many thin
    /// walls cross may have to do with the best that was found, and counts.unfinished tells. Tens to some hundred
    /// microseconds then, unfinished up to three milliseconds. Where the mesh has no inside, a core that crosses a
    /// triangle has phi = 0 there and the bone is taken to have come from the triangle's front.
    MeshHit nearest(const RoundCone& cone_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    const NearRegion* region = nullptr) const;
    MeshHit nearest(const RoundedBox& box_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    const NearRegion* region = nullptr) const;
    MeshHit nearest(const RoundCone& cone_in_mesh, float max_distance_m, MeshTreeCounts& counts, MeshMemory& memory,
                    const NearPlace* place = nullptr) const;
    MeshHit nearest(const RoundedBox& box_in_mesh, float max_distance_m, MeshTreeCounts& counts, MeshMemory& memory,
                    const NearPlace* place = nullptr) const;

    using Visitor = std::function<void(const MeshHit&)>;
    /// Every triangle that comes within max_distance_m of the bone, each with its own nearest points, in the order
    /// of the tree; negative where the bone crosses it or that point of the core is inside. What a list of all contacts
    /// is made of; nearest() has the depth of the bone as a whole.
    void all_within(const RoundCone& cone_in_mesh, float max_distance_m, const Visitor& visit, MeshTreeCounts& counts,
                    const NearRegion* region = nullptr) const;
    void all_within(const RoundedBox& box_in_mesh, float max_distance_m, const Visitor& visit, MeshTreeCounts& counts,
                    const NearRegion* region = nullptr) const;

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

    const NearTree& near_tree() const { return near_; }

  private:
    bool known_inside(const Eigen::Vector3f& point_in_mesh_m) const {
        return closed() && inside_.at(point_in_mesh_m) == InsideGrid::Side::inside;
    }
    void keep_drawn_levels(const BoxTree& tree);
    struct DrawnNode {
        Obb box;
        std::int32_t first_child;  // the second follows it; -1: none, or not kept
    };
    // Shows a visitor the triangles that can be nearest to the shape.
    struct Search;
    MeshHit nearest(const RoundCone& cone_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    const Search& search) const;
    MeshHit nearest(const RoundedBox& box_in_mesh, float max_distance_m, MeshTreeCounts& counts,
                    const Search& search) const;
    MeshHit deepest(const RoundCone& cone_in_mesh, MeshTreeCounts& counts) const;
    MeshHit deepest(const RoundedBox& box_in_mesh, MeshTreeCounts& counts) const;

    Mesh mesh_;
    MeshSurface surface_;
    InsideGrid inside_;
    bool coarse_ = false;
    std::vector<DrawnNode> drawn_;
    NearTree near_;
};

}  // namespace glovebox::collision
