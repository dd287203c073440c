// The bodies that laboratories are drawn with: turned on a lathe, or hewn.
#pragma once

#include <span>

#include "vr/render/object_mesh.h"

namespace glovebox::vr {

/// A point of an outline that turns about +Y. Between two points with the same place the surface has an edge.
struct LathePoint {
    float radius_m, height_m;
};
/// From the top of the outline down; normals are those of its segments, smooth where `smooth` says so.
DrawMesh turned(std::span<const LathePoint> outline, int segments, bool smooth);

/// A walker as a pawn: a body and a head, 1 unit high, standing on the origin.
DrawMesh pawn_mesh();
/// A flat disc about +Y of radius 1 and thickness 1, its middle at the origin.
DrawMesh disc_mesh();
/// A boulder about the origin with a mean radius of 1: never outside of the unit ball by more than it is inside.
/// `rounds` of subdivision: 1 gives 80 faces, 2 gives 320.
DrawMesh rock_mesh(unsigned seed, int rounds);
/// A ramp: 1 wide about X, its slope falling from (0, rise, 0) to (0, 0, run).
DrawMesh ramp_mesh(float rise, float run);

}  // namespace glovebox::vr
