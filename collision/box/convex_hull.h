// The convex hull of a set of points: the shape of scene objects and of links of chains.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Corners and triangulated facets of a hull.
struct HullSurface {
    std::vector<std::int32_t> from;                   ///< per corner: index of the input point
    std::vector<std::array<std::int32_t, 3>> facets;  ///< corner indices, counter-clockwise seen from outside
};
/// Computes the hull of `points` (Qhull). Coplanar, collinear and coincident points are allowed; the result then has
/// corners but no facets.
HullSurface hull_surface(std::span<const Eigen::Vector3f> points);

/// A convex hull in its own frame, in metres; immutable.
class ConvexHull {
  public:
    /// Builds the hull. Throws std::invalid_argument if there are no points or one is not finite. Deterministic.
    static std::shared_ptr<const ConvexHull> from_points(std::span<const Eigen::Vector3f> points_m);

    std::span<const Eigen::Vector3f> corners_m() const { return corners_m_; }
    std::span<const std::array<std::int32_t, 3>> facets() const { return facets_; }
    const Obb& box() const { return box_; }                        ///< tight box, in the hull's frame
    const Eigen::Vector3f& middle_m() const { return middle_m_; }  ///< mean of the corners; inside the hull

    double radius_m() const { return radius_m_; }  ///< distance from middle_m() to the farthest corner

    static constexpr std::size_t kColumnPadding = 8;
    /// Returns one coordinate (0 is x) of all corners, for SIMD scans. Copies of corner 0 pad it to a multiple of
    /// kColumnPadding.
    std::span<const float> columns(std::size_t coordinate) const { return columns_[coordinate]; }

    /// Returns the index of the corner farthest along `direction`, which need not be normalised; in a tie, the lowest
    /// index.
    int support(const Eigen::Vector3f& direction) const {
        const int count = static_cast<int>(corners_m_.size());
        int best = 0;
        float best_along = -std::numeric_limits<float>::infinity();
        for (int i = 0; i < count; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const float along =
                columns_[0][k] * direction.x() + columns_[1][k] * direction.y() + columns_[2][k] * direction.z();
            if (along > best_along) {
                best_along = along;
                best = i;
            }
        }
        return best;
    }

  private:
    std::vector<Eigen::Vector3f> corners_m_;
    std::array<std::vector<float>, 3> columns_;
    std::vector<std::array<std::int32_t, 3>> facets_;
    Obb box_;
    Eigen::Vector3f middle_m_;
    double radius_m_ = 0.0;
};

}  // namespace glovebox::collision
