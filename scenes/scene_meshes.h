// Meshes of the built-in scenes, generated: closed ones for objects, one open sheet for the scanned desk.
#pragma once

#include "collision/mesh/mesh.h"

namespace glovebox::scenes {

/// Returns a cup about the y axis, 90 mm high, on y = 0: radius 36 mm at the rim, 80 % of that below, wall 3 mm.
collision::Mesh cup_mesh();

/// Returns a peg about the y axis from y = -63 mm to 63 mm: diameter 60 mm, edges chamfered by 2 mm.
collision::Mesh peg_mesh();

/// Returns a hand wheel about the y axis through the origin: a torus (radii 90 and 9 mm), a hub and three spokes.
collision::Mesh wheel_mesh();

/// Returns a simulated depth-camera scan of a desk with a book, a mug, a bowl, a box and a wall behind: one open sheet
/// of 60,000 uneven triangles, 1.2 m by 0.9 m, with a scanner's noise.
collision::Mesh desk_mesh();

}  // namespace glovebox::scenes
