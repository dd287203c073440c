// Procedural meshes and poses for tests and benchmarks. They replace the meshes of papers, with similar sizes and
// shapes.
//
// Meshes are deterministic and in metres. They are about one metre across and closed unless stated otherwise.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <random>

#include "collision/mesh/mesh.h"

namespace glovebox::collision {

/// Features that make a torus hard [Gottschalk96, fig. 10]. Amplitudes are fractions of the tube's radius; the twist is
/// in turns.
struct TorusShape {
    double spikes = 0.0, dimples = 0.0, wrinkles = 0.0, twist = 0.0;
};
/// Returns a torus of 2 * rings * sides triangles, with ring radius 1 and tube radius 0.4.
Mesh torus(int rings, int sides, const TorusShape& shape = {});
/// Returns a torus about Y with waves of the given height, of 2 * around * across triangles.
Mesh wavy_torus(int around, int across, float major_m = 1.0F, float minor_m = 0.4F, float wave_m = 0.05F);
/// Returns the torus of the benchmarks: 264 rings x 132 sides, 69,696 triangles, with all four features.
Mesh spiky_torus();

/// Returns a sphere of rings x sides quads with single vertices at the poles, so 2 sides (rings - 1) triangles.
Mesh sphere(int rings, int sides, double radius_m);
Mesh icosahedron();
/// Returns a box around the origin. Bit k of a vertex's number is set if its coordinate k is positive.
Mesh box_mesh(const Eigen::Vector3f& half_m);
/// Returns a square of cells x cells pairs of triangles at y = height_m, from 0 to 1 along x and z. It is not closed.
Mesh sheet(int cells, float height_m = 0.0F);

/// Return substitutes for the meshes of [Ramirez09, table 1], of the same kinds and with the same numbers of vertices
/// and triangles. A closed surface of 7,735 vertices has only 15,466 triangles, so the bone's other 7,196 triangles are
/// walls inside it. The prosthesis has five closed parts and 922 loose triangles that share no vertex.
Mesh bone_like();        ///< 7,735 vertices, 22,662 triangles
Mesh figure_like();      ///< 3,304 vertices, 6,604 triangles
Mesh prosthesis_like();  ///< 7,252 vertices, 9,874 triangles

/// Returns `count` bent pipes of `around` x `along` quads in a unit box. Their triangles are long, thin and close
/// together.
Mesh pipes(int count, int around, int along, std::uint64_t seed);

/// Returns the mesh bent into an arc along y, by `bend_rad` for each metre.
Mesh bent(const Mesh& straight, double bend_rad);

/// Returns random triangles of about `size_m` in a unit cube, without structure.
Mesh soup(int triangles, double size_m, std::uint64_t seed);
/// Returns random triangles in a cube from -1 to 1; a tenth of them has no area, and some are thin.
Mesh slivers(int triangles, unsigned seed, float size_m = 0.3F);

/// Returns a pose with any rotation, whose translation has the length `distance_m`.
Eigen::Isometry3f random_pose(std::mt19937& random, float distance_m);

}  // namespace glovebox::collision
