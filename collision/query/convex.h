// Distance and depth of any two convex cores by their support points: GJK apart, EPA where they overlap.
//
// The closed forms of the other files are preferred where they exist; this is what hulls, and boxes against boxes and
// triangles, come down to. Double throughout. No allocation: EPA works in a fixed store, and what does not go into it
// is searched for by directions (minkowski.h). [Gilbert88], [VanDenBergen01]
#pragma once

#include <Eigen/Geometry>
#include <span>

#include "collision/box/shape.h"
#include "collision/query/hull_pair.h"
#include "collision/query/minkowski.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

/// A convex core, in the frame that both cores of a query share. What it points to must outlive it.
class ConvexCore {
  public:
    explicit ConvexCore(const RoundSegment& segment);  ///< with its radii: the hull of the two end balls
    explicit ConvexCore(const Obb& box);
    explicit ConvexCore(const Triangle& triangle);
    ConvexCore(const ConvexHull& hull, const Eigen::Isometry3d& target_from_hull);

    /// `corner` receives what corner() takes.
    Eigen::Vector3d support(const Eigen::Vector3d& direction, std::int32_t& corner) const;
    Eigen::Vector3d support(const Eigen::Vector3d& direction) const {
        std::int32_t ignored = 0;
        return support(direction, ignored);
    }
    /// A point of the core: corner or end ball number `corner`, and of a ball the point in a direction, not longer than
    /// one. Numbers that the core has not: false.
    bool corner(std::int32_t corner, const Eigen::Vector3d& along, Eigen::Vector3d& point) const;
    /// That direction, of a point that support() gave.
    Eigen::Vector3d along_of(std::int32_t corner, const Eigen::Vector3d& point) const;
    double radius(const Eigen::Vector3d& direction) const;  ///< of the end ball that support(direction) lies on, or 0
    const Eigen::Vector3d& middle() const { return middle_; }
    bool has_balls() const { return radii_[0] > 0.0 || radii_[1] > 0.0; }
    double size() const { return size_; }  ///< no point is further from the middle; not finite if the core is not

  private:
    std::size_t end_along(const Eigen::Vector3d& direction) const;

    enum class Kind : std::uint8_t { balls, box, triangle, hull };
    Kind kind_;
    std::array<Eigen::Vector3d, 3> points_;  // ends; corners
    std::array<double, 2> radii_{};
    Eigen::Matrix3d axes_;  // of the box, scaled by its half extents; of the hull's frame
    Eigen::Vector3d middle_, origin_;
    double size_ = 0.0;
    const ConvexHull* hull_ = nullptr;
};

/// What a pair of cores remembers: up to four corners of each, and where on a's balls. Empty, or of another pair or
/// pose: only slower.
struct ConvexMemory : HullPairMemory {
    std::array<Eigen::Vector3d, 4> along_a;
};

/// Distances and depths are right to 1e-6 of the size, and points of cores that overlap lie on them as nearly. Flat and
/// pointed cores are legal; a pair whose difference is flat and that overlaps has distance 0. Cores that are not finite
/// are infinitely_far().
ConvexPair closest(const ConvexCore& a, const ConvexCore& b);

/// The same from where the last answer was, and remembers this one: nothing where b has balls of some radius.
ConvexPair closest(const ConvexCore& a, const ConvexCore& b, ConvexMemory& memory);

}  // namespace glovebox::collision
