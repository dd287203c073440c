// Inside or outside of a closed mesh at one look, wherever the surface is not near.
//
// A grid of cells over the mesh. Cells that a triangle may touch are unknown; the others form connected regions that
// the surface does not enter, so that one question settles a region. Conservative and exact: what is known is right.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "collision/mesh.h"

namespace glovebox::collision {

class InsideGrid {
  public:
    enum class Side : std::uint8_t { outside, inside, unknown };

    InsideGrid() = default;
    /// `inside` answers for a point in a free cell; it is asked once per region. About four cells a triangle, 64 along
    /// the longest side at most: a byte each.
    InsideGrid(const Mesh& mesh, const std::function<bool(const Eigen::Vector3f&)>& inside);

    /// Beyond the grid: outside. Without a grid: unknown.
    Side at(const Eigen::Vector3f& point_m) const;
    std::size_t memory_bytes() const { return sides_.capacity(); }

  private:
    std::size_t index(int x, int y, int z) const {
        return static_cast<std::size_t>((z * counts_[1] + y) * counts_[0] + x);
    }
    void mark(const Mesh& mesh);
    void fill(const std::function<bool(const Eigen::Vector3f&)>& inside);

    Eigen::Vector3f low_m_ = Eigen::Vector3f::Zero();
    float cell_m_ = 0.0F;
    Eigen::Vector3i counts_ = Eigen::Vector3i::Zero();
    std::vector<Side> sides_;
};

}  // namespace glovebox::collision
