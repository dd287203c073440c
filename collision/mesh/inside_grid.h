// Constant-time inside/outside test for a closed mesh, for points that are not near the surface.
//
// The mesh is covered by a grid of cells. Cells that a triangle may touch are unknown. The other cells form connected
// regions that the surface does not enter, so one winding number classifies a whole region. Known cells are classified
// correctly, even where parts of the mesh overlap or fold over themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/mesh/mesh.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

/// The grid of one mesh. Immutable after construction.
class InsideGrid {
  public:
    enum class Side : std::uint8_t { outside, inside, unknown };

    InsideGrid() = default;
    /// Builds the grid of a closed mesh whose faces all point outwards, or inwards if `faces_inwards`. The grid has
    /// about four cells per triangle and at most 64 along the longest side, one byte each. Reads all triangles once per
    /// region.
    InsideGrid(const Mesh& mesh, bool faces_inwards);

    /// Returns the side of a point in the mesh's frame: outside if the point is beyond the grid, unknown if there is no
    /// grid.
    Side at(const Eigen::Vector3f& point_m) const;
    std::size_t memory_bytes() const { return sides_.capacity(); }

  private:
    std::size_t index(int x, int y, int z) const {
        return static_cast<std::size_t>((z * counts_[1] + y) * counts_[0] + x);
    }
    void mark(const Mesh& mesh);
    void fill(const Mesh& mesh, bool faces_inwards);

    Eigen::Vector3f low_m_ = Eigen::Vector3f::Zero();
    float cell_m_ = 0.0F;
    Eigen::Vector3i counts_ = Eigen::Vector3i::Zero();
    std::vector<Side> sides_;
};

/// Returns the winding number of a closed surface about a point: 1 in a solid, 0 outside, 2 where two solids overlap,
/// negative where faces point inwards. Counts the triangles that a ray crosses; a crossing at an edge counts once,
/// whatever the rounding. A point on the surface gets the value of either side. Takes a few nanoseconds per triangle.
int winding_number(const Mesh& mesh, const Eigen::Vector3d& point_m);

/// Returns what one triangle adds to the winding number: 1 or -1 if the ray from the point along +x crosses it, else 0.
int crossing(const Triangle& triangle, const Eigen::Vector3d& point_m);

}  // namespace glovebox::collision
