// Inside or outside of a closed mesh at one look, wherever the surface is not near.
//
// A grid of cells over the mesh. Cells that a triangle may touch are unknown; the others form connected regions that
// the surface does not enter, so that one question settles a region: how often the surface winds round a point of it.
// Conservative and exact, also where parts of the mesh overlap or fold over themselves: what is known is right.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/mesh/mesh.h"

namespace glovebox::collision {

class InsideGrid {
  public:
    enum class Side : std::uint8_t { outside, inside, unknown };

    InsideGrid() = default;
    /// Of a closed mesh whose faces all look out, or all `faces_inwards`. About four cells a triangle, 64 along the
    /// longest side at most: a byte each. Reads all triangles once per region.
    InsideGrid(const Mesh& mesh, bool faces_inwards);

    /// Beyond the grid: outside. Without a grid: unknown.
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

/// How often a closed surface winds round a point: 1 in a solid, 0 outside, 2 where two overlap, negative where faces
/// look inwards. Told by the triangles that a ray crosses, so that every edge counts once however it is rounded; of a
/// point on the surface either side's. O(triangles), some nanoseconds each.
int winding_number(const Mesh& mesh, const Eigen::Vector3d& point_m);

}  // namespace glovebox::collision
