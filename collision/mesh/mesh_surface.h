// Determines on which side of a mesh a point lies: tests whether the mesh is closed, and computes pseudonormals of
// faces, edges and vertices.
//
// Vertices at the same position count as one, so unwelded files (STL) can be closed. The angle-weighted pseudonormal of
// the face, edge or vertex nearest to a point distinguishes inside from outside. It does so even at vertices where the
// normals of the faces disagree [Baerentzen05].
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "collision/mesh/mesh.h"
#include "collision/mesh/mesh_triangle.h"

namespace glovebox::collision {

class MeshSurface {
  public:
    MeshSurface() = default;
    explicit MeshSurface(const Mesh& mesh);

    /// True if every edge has two triangles that traverse it in opposite directions (triangles that welding collapses
    /// are ignored) and the mesh encloses a volume. A mesh of at most 1.5 m whose faces point inwards counts as closed:
    /// it is an export error, which outward() corrects. A larger one counts as open, because it is the scan of a room.
    bool closed() const { return closed_; }
    bool faces_inwards() const { return sign_ < 0.0; }
    /// True if the mesh is closed and has several pieces that share no edge. They may overlap, and near a face that is
    /// inside another piece, pseudonormals do not tell the inside.
    bool has_pieces() const { return has_pieces_; }

    /// Returns the pseudonormal of a feature of a triangle, not normalised. It points out of the solid if the mesh is
    /// closed. It is zero for the face of a zero-area triangle.
    Eigen::Vector3d outward(const Mesh& mesh, int triangle, TriangleFeature feature) const;

    /// Returns the triangle across edge `edge` of `triangle`, or -1 at a border or where more than two triangles meet.
    int neighbor(int triangle, int edge) const {
        return neighbors_[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(edge)];
    }
    std::size_t memory_bytes() const;

  private:
    std::vector<std::array<std::int32_t, 3>> neighbors_;
    std::vector<Eigen::Vector3f> vertex_normals_;  // one per distinct position
    std::vector<std::uint32_t> normal_of_;         // index of each vertex's normal; empty if all positions are distinct
    double sign_ = 1.0;
    bool closed_ = false, has_pieces_ = false;
};

}  // namespace glovebox::collision
