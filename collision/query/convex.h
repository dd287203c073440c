// Distance and depth of two convex cores from their support points: by GJK if they are disjoint, by EPA if they
// overlap.
//
// The closed forms of other files are preferred where they exist. This file handles every pair with a hull, and those
// pairs of a box with a box or a triangle that have no closed form. It computes in double precision. It does not
// allocate: EPA uses a fixed store, and if that is full, a search over directions takes over (minkowski.h).
// [Gilbert88], [VanDenBergen01]
#pragma once

#include <Eigen/Geometry>
#include <span>

#include "collision/box/shape.h"
#include "collision/query/hull_pair.h"
#include "collision/query/minkowski.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

/// A convex solid as closest() takes it: the hull of corners, or of two balls with their radii. Both solids of a query
/// must be given in the same frame. A ConvexHull must outlive the core that is made of it.
class ConvexCore {
  public:
    explicit ConvexCore(const RoundSegment& segment);  ///< the hull of the two end balls
    explicit ConvexCore(const Obb& box);
    explicit ConvexCore(const Triangle& triangle);
    ConvexCore(const ConvexHull& hull, const Eigen::Isometry3d& target_from_hull);

    /// Returns the core's point farthest along a direction. `corner` receives the index of the corner or end ball on
    /// which the point lies; pass it to corner().
    Eigen::Vector3d support(const Eigen::Vector3d& direction, std::int32_t& corner) const;
    Eigen::Vector3d support(const Eigen::Vector3d& direction) const {
        std::int32_t ignored = 0;
        return support(direction, ignored);
    }
    /// Computes the point of the corner or end ball with index `corner`. For a ball, the point is the centre plus the
    /// radius times `along`; an `along` shorter than 1 gives a point inside. Returns false if the core has no such
    /// index.
    bool corner(std::int32_t corner, const Eigen::Vector3d& along, Eigen::Vector3d& point) const;
    /// Inverse of corner(): takes a point and an index from support(), and returns the `along` that gives the point
    /// again; zero if the index is not of a ball.
    Eigen::Vector3d along_of(std::int32_t corner, const Eigen::Vector3d& point) const;
    double radius(const Eigen::Vector3d& direction) const;  ///< radius of the end ball at support(direction), or 0
    const Eigen::Vector3d& middle() const { return middle_; }
    bool has_balls() const { return radii_[0] > 0.0 || radii_[1] > 0.0; }
    double size() const { return size_; }  ///< bound of distances from middle(); not finite if the core is not

  private:
    std::size_t end_along(const Eigen::Vector3d& direction) const;

    enum class Kind : std::uint8_t { balls, box, triangle, hull };
    Kind kind_;
    std::array<Eigen::Vector3d, 3> points_;  // the ends of a segment, or the corners of a triangle
    std::array<double, 2> radii_{};
    Eigen::Matrix3d axes_;  // axes of the box, scaled by its half extents, or of the hull's frame
    Eigen::Vector3d middle_, origin_;
    double size_ = 0.0;
    const ConvexHull* hull_ = nullptr;
};

/// Warm start of a pair of cores: up to four corners of each, and the positions on a's balls. An empty memory, or one
/// from another pair or pose, only makes the query slower.
struct ConvexMemory : HullPairMemory {
    std::array<Eigen::Vector3d, 4> along_a;
};

/// Returns the nearest points of two cores. Distances and depths are accurate to 1e-6 of the larger size(). If the
/// cores overlap, each point lies on its core's surface to the same accuracy. Flat and pointed cores are allowed. An
/// overlapping pair with a flat Minkowski difference has distance 0. Returns infinitely_far() if a core is not finite.
ConvexPair closest(const ConvexCore& a, const ConvexCore& b);

/// Does the same, starting from the last result in `memory`, and stores the new one there; stores nothing if b has
/// balls.
ConvexPair closest(const ConvexCore& a, const ConvexCore& b, ConvexMemory& memory);

}  // namespace glovebox::collision
