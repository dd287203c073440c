// An OBB tree over the triangles of a rigid mesh: built once, queried every frame.
//
// Built in the mesh's own frame; queries come in that frame too, so a moving object costs one transform of the bone.
// Method: covariance of the convex hull's surface, longest axis split at the mean [Gottschalk96].
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/mesh.h"
#include "collision/shape.h"

namespace glovebox::collision {

/// Nearest points of a shape and the mesh, in the mesh's frame.
struct MeshHit {
    std::int32_t triangle = -1;  ///< -1: nothing within reach
    float distance_m = 0.0F;     ///< signed; negative when penetrating
    Eigen::Vector3f normal;      ///< unit, from the shape to the mesh
    Eigen::Vector3f on_shape_m, on_mesh_m;
};

struct MeshTreeCounts {
    std::int64_t box_tests = 0, triangle_tests = 0;
};

class MeshTree {
  public:
    /// Throws what check(mesh) throws. Deterministic.
    static std::shared_ptr<const MeshTree> build(Mesh mesh, int max_leaf_triangles = 4);

    const Mesh& mesh() const { return mesh_; }
    const Obb& root_box() const { return nodes_.front().box; }
    bool closed() const { return closed_; }  ///< every edge has exactly two triangles: inside and outside exist
    int depth() const;
    std::size_t memory_bytes() const;

    /// Boxes of one level (or of the leaves above it), for drawing.
    std::vector<Obb> boxes_at(int level) const;

    /// Is any triangle's leaf box within reach of the box? The pair test of find_candidates().
    bool overlaps(const Obb& box_in_mesh, MeshTreeCounts& counts) const;

    /// Nearest triangle to a round cone no further than max_distance_m. Signed by the surface's pseudonormals where the
    /// mesh is closed.
    MeshHit nearest(const RoundCone& cone_in_mesh, float max_distance_m, MeshTreeCounts& counts) const;
    MeshHit nearest(const RoundedBox& box_in_mesh, float max_distance_m, MeshTreeCounts& counts) const;

    /// Signed distance of a point; negative inside a closed mesh.
    float signed_distance(const Eigen::Vector3f& point_in_mesh_m) const;

  private:
    struct Node {
        Obb box;
        std::int32_t first;  ///< leaf: first triangle in order_; inner: first child, the second follows it
        std::int32_t count;  ///< triangles; 0 for inner nodes
    };
    Mesh mesh_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> order_;
    bool closed_ = false;
};

}  // namespace glovebox::collision
