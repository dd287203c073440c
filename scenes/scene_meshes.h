// Meshes of the built-in scenes, generated: closed ones for objects, one open sheet for the scanned desk.
#pragma once

#include "collision/mesh/mesh.h"

namespace glovebox::scenes {

/// A drinking cup of 90 mm on y = 0 round the y axis: a wall of 3 mm, 36 mm wide at the rim, 80 % of that below.
collision::Mesh cup_mesh();

/// A peg round the y axis, from y = -63 mm to 63 mm, 60 mm thick, its edges broken by 2 mm.
collision::Mesh peg_mesh();

/// A hand wheel round the y axis through the origin: a rim of 90 mm radius, 9 mm thick, a hub and three spokes.
collision::Mesh wheel_mesh();

/// What a depth camera makes of a desk with a book, a mug, a bowl and a box on it and a wall behind: one open sheet of
/// 60,000 uneven triangles, 1.2 m by 0.9 m, with a scanner's noise.
collision::Mesh desk_mesh();

}  // namespace glovebox::scenes
