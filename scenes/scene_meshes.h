// Generates the meshes of the built-in scenes. The objects are closed meshes; the scanned desk is one open mesh.
#pragma once

#include "collision/mesh/mesh.h"

namespace glovebox::scenes {

/// Returns a cup about the y axis that stands on y = 0. It is 90 mm high, with a radius of 36 mm at the rim and 80 % of
/// that at the bottom; the wall is 3 mm thick.
collision::Mesh cup_mesh();

/// Returns a peg about the y axis, from y = -63 mm to 63 mm. Its diameter is 60 mm; its edges are chamfered by 2 mm.
collision::Mesh peg_mesh();

/// Returns a hand wheel about the y axis with its centre at the origin. It is a torus (radii 90 and 9 mm) with a hub
/// and three spokes.
collision::Mesh wheel_mesh();

/// Returns a simulated depth-camera scan of a desk with a book, a mug, a bowl, a box and a wall behind. It is one open
/// mesh of 60,000 uneven triangles, 1.2 m by 0.9 m, with the noise of a scanner.
collision::Mesh desk_mesh();

}  // namespace glovebox::scenes
