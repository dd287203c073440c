// Builds the meshes of a laboratory's bodies: surfaces of revolution, rocks and a ramp.
#pragma once

#include <span>

#include "vr/render/object_mesh.h"

namespace glovebox::vr {

/// A point of a profile that is rotated about +Y. Two consecutive equal points give a sharp edge.
struct LathePoint {
    float radius_m, height_m;
};
/// Builds a surface of revolution from a profile given from the top down. Normals are those of the profile's segments,
/// averaged between segments if `smooth`.
DrawMesh turned(std::span<const LathePoint> outline, int segments, bool smooth);

/// Builds a pawn for a walking agent: body and head, 1 unit high, standing on the origin.
DrawMesh pawn_mesh();
/// Builds a disc about +Y of radius 1 and thickness 1, centred at the origin.
DrawMesh disc_mesh();
/// Builds a rock about the origin with a mean radius of 1. `rounds` is the number of subdivisions: 1 gives 80 faces, 2
/// gives 320.
DrawMesh rock_mesh(unsigned seed, int rounds);
/// Builds a ramp, 1 wide along X, whose slope falls from (0, rise, 0) to (0, 0, run).
DrawMesh ramp_mesh(float rise, float run);

}  // namespace glovebox::vr
