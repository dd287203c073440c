// Tells which side of a mesh a point is on: the test for a closed mesh, and pseudonormals of faces, edges and vertices.
//
// Vertices at the same position count as one, so unwelded files (STL) can be closed. The angle-weighted pseudonormal at
// the nearest point's feature distinguishes inside from outside, also at vertices where the normals of the faces
// disagree [Baerentzen05].
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "collision/mesh/mesh.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

class MeshSurface {
  public:
    MeshSurface() = default;
    explicit MeshSurface(const Mesh& mesh);

    /// True if every edge has two triangles that traverse it in opposite directions (ignoring triangles that welding
    /// collapses), and there is an inside. A mesh whose faces point inwards counts as closed up to 1.5 m (an export
    /// error, corrected by outward()). If larger, it is the scan of a room and not closed.
    bool closed() const { return closed_; }
    bool faces_inwards() const { return sign_ < 0.0; }

    /// Returns the pseudonormal of a triangle's feature, of any length; out of the solid if closed. Zero for a
    /// zero-area face.
    Eigen::Vector3d outward(const Mesh& mesh, int triangle, TriangleFeature feature) const;

    /// Returns the triangle across edge `edge` of `triangle`; -1 at a border or where more than two triangles meet.
    int neighbor(int triangle, int edge) const {
        return neighbors_[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(edge)];
    }
    std::size_t memory_bytes() const;

  private:
    std::vector<std::array<std::int32_t, 3>> neighbors_;
    std::vector<Eigen::Vector3f> vertex_normals_;  // one per distinct position
    std::vector<std::uint32_t> normal_of_;         // index of each vertex's normal; empty if all positions are distinct
    double sign_ = 1.0;
    bool closed_ = false;
};

Triangle triangle_of(const Mesh& mesh, int triangle);

}  // namespace glovebox::collision
