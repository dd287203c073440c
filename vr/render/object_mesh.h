// Builds triangle meshes with normals for drawing the solids of a scene, in the object's own frame.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collision/box/shape.h"
#include "collision/mesh/mesh.h"

namespace glovebox::vr {

struct DrawVertex {
    Eigen::Vector3f position_m;
    Eigen::Vector3f normal;
};

struct DrawMesh {
    std::vector<DrawVertex> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise from outside
};

/// Triangulates a shape. The triangles of spheres and rounded boxes deviate from the shape by at most a quarter of a
/// pixel at arm's length; meshes keep their triangles.
DrawMesh draw_mesh(const collision::Shape& shape);

/// Computes a normal per triangle corner: the mean normal of the faces at that corner, without the faces that are
/// tilted by more than 40 degrees from the corner's own face. So edges stay sharp and curved surfaces smooth, even if a
/// file duplicates vertices.
/// Corners with equal position and normal share a vertex, so that each is transformed once. Triangles keep their order.
/// Takes O(n) time if no vertex has many triangles.
DrawMesh smoothed(const collision::Mesh& mesh);

/// Consecutive triangles of a mesh, and the box that encloses them.
struct MeshPart {
    std::size_t first_triangle = 0, triangle_count = 0;
    Eigen::AlignedBox3f box_m;
};

/// Sorts the triangles so that neighbours form parts of at most 2,048, and parts that are out of view need not be
/// drawn. Takes O(n log n) time.
std::vector<MeshPart> sort_into_parts(DrawMesh& mesh);

/// Returns whether a box may be in view: false if it is beyond one plane of the frustum. `low` and `high` limit the
/// view to a horizontal band of the picture, in clip-space y: -1 is its bottom and 1 its top.
bool may_be_seen(const Eigen::AlignedBox3f& box_m, const Eigen::Matrix4f& clip_from_object, float low, float high);

}  // namespace glovebox::vr
