// Meshes made by formula, for tests and benchmarks: shapes of the sizes that papers used, without their files.
//
// Deterministic. Metres; about one unit across unless said otherwise. Closed, unless said otherwise.
#pragma once

#include <cstdint>

#include "collision/mesh/mesh.h"

namespace glovebox::collision {

/// What makes a torus hard [Gottschalk96, fig. 10]: each is an amplitude in parts of the tube's radius; twist in turns.
struct TorusShape {
    double spikes = 0.0, dimples = 0.0, wrinkles = 0.0, twist = 0.0;
};
/// 2 * rings * sides triangles; ring radius 1, tube radius 0.4.
Mesh torus(int rings, int sides, const TorusShape& shape = {});
/// rings x sides as in the benchmarks: 264 x 132, 69,696 triangles, all four kinds of trouble.
Mesh spiky_torus();

/// A sphere of rings x sides quads, poles of single vertices: 2 sides (rings - 1) triangles.
Mesh sphere(int rings, int sides, double radius_m);
Mesh icosahedron();
Mesh box_mesh(const Eigen::Vector3f& half_m);

/// Stand-ins of the sizes and kinds of [Ramirez09, table 1], to the vertex and the triangle. A closed surface of 7,735
/// vertices has only 15,466 triangles, so the bone's other 7,196 are walls inside it; the prosthesis is five closed
/// parts and 922 loose triangles that share no vertex.
Mesh bone_like();        ///< 7,735 vertices, 22,662 triangles
Mesh figure_like();      ///< 3,304 vertices, 6,604 triangles
Mesh prosthesis_like();  ///< 7,252 vertices, 9,874 triangles

/// `count` bent pipes of `around` x `along` quads in a box of one unit: long thin triangles in close quarters.
Mesh pipes(int count, int around, int along, std::uint64_t seed);

/// Random triangles of about `size_m` in a unit cube: a soup without structure.
Mesh soup(int triangles, double size_m, std::uint64_t seed);

}  // namespace glovebox::collision
