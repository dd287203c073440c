// Which side of a mesh a point is on: the closed test and the pseudonormals of faces, edges and corners.
//
// Vertices that stand at the same place are one vertex here, so that unwelded files (STL) close. The angle-weighted
// pseudonormal of the feature that holds the nearest point tells inside from outside, also at corners where the faces'
// own normals disagree [Baerentzen05].
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

    /// Every edge has two triangles that run along it in opposite directions (what welding collapses does not count),
    /// and there is an inside. Faces turned inwards: up to 1.5 m a slip, turned by outward(); larger, a room: not
    /// closed.
    bool closed() const { return closed_; }
    bool faces_inwards() const { return sign_ < 0.0; }

    /// Pseudonormal of a triangle's feature, pointing out of a closed mesh; any length. Zero for a zero-area face.
    Eigen::Vector3d outward(const Mesh& mesh, int triangle, TriangleFeature feature) const;

    /// The triangle across edge `edge` of `triangle`; -1 on a border or where more than two meet.
    int neighbor(int triangle, int edge) const {
        return neighbors_[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(edge)];
    }
    std::size_t memory_bytes() const;

  private:
    std::vector<std::array<std::int32_t, 3>> neighbors_;
    std::vector<Eigen::Vector3f> vertex_normals_;  // one a place: vertices that stand at one share it
    std::vector<std::uint32_t> normal_of_;         // by vertex; empty: each vertex has a place of its own
    double sign_ = 1.0;
    bool closed_ = false;
};

Triangle triangle_of(const Mesh& mesh, int triangle);

}  // namespace glovebox::collision
