#include "collision/query/hull_inside.h"

#include <algorithm>
#include <array>
#include <limits>

#include "collision/mesh/block_triangle.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kMaxFacets = 256, kMaxPoints = 1000;

struct Plane {
    Vector3d outward;
    double height_m;
};

// Planes of the facets, moved outwards by slack_m.
class FacetPlanes {
  public:
    FacetPlanes(const ConvexHull& hull, double slack_m) {
        const auto corner = [&](std::int32_t i) -> Vector3d {
            return hull.corners_m()[static_cast<std::size_t>(i)].cast<double>();
        };
        for (const auto& facet : hull.facets()) {
            const Vector3d a = corner(facet[0]), across = (corner(facet[1]) - a).cross(corner(facet[2]) - a);
            const double length = across.norm();
            if (!(length > 0.0)) continue;
            const Vector3d outward = across / length;
            planes_[count_++] = {outward, outward.dot(a) + slack_m};
        }
    }
    const Plane* begin() const { return planes_.data(); }
    const Plane* end() const { return planes_.data() + count_; }

  private:
    std::array<Plane, kMaxFacets> planes_;
    std::size_t count_ = 0;
};

// A convex polygon, part of a triangle.
class Polygon {
  public:
    explicit Polygon(const Triangle& triangle) : count_(3) {
        std::copy(triangle.begin(), triangle.end(), corners_.begin());
    }
    std::span<const Vector3d> corners() const { return {corners_.data(), count_}; }

    // Cuts off what is beyond a plane. A polygon of too many corners stays whole, which makes the box larger.
    void cut(const Plane& plane) {
        std::array<double, kMaxCorners> beyond_m;
        double low_m = std::numeric_limits<double>::infinity(), high_m = -low_m;
        for (std::size_t i = 0; i < count_; ++i) {
            beyond_m[i] = plane.outward.dot(corners_[i]) - plane.height_m;
            low_m = std::min(low_m, beyond_m[i]);
            high_m = std::max(high_m, beyond_m[i]);
        }
        if (high_m <= 0.0) return;
        if (low_m > 0.0) {
            count_ = 0;
            return;
        }
        if (count_ == kMaxCorners) return;
        const std::array<Vector3d, kMaxCorners> before = corners_;
        const std::size_t before_count = count_;
        count_ = 0;
        for (std::size_t i = 0; i < before_count; ++i) {
            const std::size_t next = i + 1 < before_count ? i + 1 : 0;
            const bool stays = beyond_m[i] <= 0.0;
            if (stays) corners_[count_++] = before[i];
            if (stays != (beyond_m[next] <= 0.0))
                corners_[count_++] =
                    before[i] + beyond_m[i] / (beyond_m[i] - beyond_m[next]) * (before[next] - before[i]);
        }
    }

  private:
    // A cut adds at most one corner.
    static constexpr std::size_t kMaxCorners = 32;
    std::array<Vector3d, kMaxCorners> corners_;
    std::size_t count_;
};

// The surface in the hull, in the hull's frame.
struct Cut {
    std::array<Vector3d, kMaxPoints> points_m;
    std::size_t count = 0;
    bool overflows = false;
    Vector3d facing_m2 = Vector3d::Zero();  // twice the sum of area times normal
    double area_m2 = 0.0;                   // twice the area

    void add(std::span<const Vector3d> corners) {
        overflows = overflows || count + corners.size() > kMaxPoints;
        if (overflows) return;
        for (std::size_t i = 2; i < corners.size(); ++i) {
            const Vector3d across = (corners[i - 1] - corners[0]).cross(corners[i] - corners[0]);
            facing_m2 += across;
            area_m2 += across.norm();
        }
        std::copy(corners.begin(), corners.end(), points_m.begin() + static_cast<std::ptrdiff_t>(count));
        count += corners.size();
    }
};

// Axes of the box: the third along the mean normal if most of the surface faces one way, else those of the hull's box.
Eigen::Matrix3d axes_for(const Cut& cut, const Eigen::Matrix3d& hull_axes) {
    const double facing_m2 = cut.facing_m2.norm();
    if (!(facing_m2 > 0.5 * cut.area_m2)) return hull_axes;
    const Vector3d out = cut.facing_m2 / facing_m2;
    Eigen::Index across = 0;
    (hull_axes.transpose() * out).cwiseAbs().minCoeff(&across);
    const Vector3d side = (hull_axes.col(across) - out.dot(hull_axes.col(across)) * out).normalized();
    Eigen::Matrix3d axes;
    axes << side, out.cross(side), out;
    return axes;
}

}  // namespace

Obb box_of_inside(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3d& mesh_from_hull,
                  MeshTreeCounts& counts) {
    const Obb& whole = hull.box();
    if (hull.facets().empty() || hull.facets().size() > kMaxFacets) return whole;
    // Above the rounding of floats in the hull's frame.
    const double slack_m = 1e-5 * hull.radius_m();
    const FacetPlanes planes(hull, slack_m);
    const Eigen::Isometry3d hull_from_mesh = mesh_from_hull.inverse(Eigen::Isometry);
    Cut cut;
    auto cut_by = [&](const ObbTree::Block& block, std::size_t lane, double&) {
        Triangle triangle = triangle_at(block, lane);
        for (Vector3d& corner : triangle) corner = hull_from_mesh * corner;
        Polygon polygon(triangle);
        for (const Plane& plane : planes) {
            polygon.cut(plane);
            if (polygon.corners().empty()) return;
        }
        cut.add(polygon.corners());
    };
    find_all_near(tree.tree(), kWholeTree, transformed(mesh_from_hull.cast<float>(), whole), slack_m, counts,
                  NearVisit::of(cut_by));
    if (cut.overflows) return whole;

    const Eigen::Matrix3d axes = axes_for(cut, whole.axes.cast<double>());
    Vector3d low_m = Vector3d::Constant(std::numeric_limits<double>::infinity()), high_m = -low_m;
    for (std::size_t i = 0; i < cut.count; ++i) {
        const Vector3d along_m = axes.transpose() * cut.points_m[i];
        low_m = low_m.cwiseMin(along_m);
        high_m = high_m.cwiseMax(along_m);
    }
    for (const Eigen::Vector3f& corner_m : hull.corners_m()) {
        const Vector3d along_m = axes.transpose() * corner_m.cast<double>();
        if ((along_m.array() >= low_m.array()).all() && (along_m.array() <= high_m.array()).all()) continue;
        if (!tree.contains((mesh_from_hull * corner_m.cast<double>()).cast<float>(), counts)) continue;
        low_m = low_m.cwiseMin(along_m);
        high_m = high_m.cwiseMax(along_m);
    }
    if (!(low_m.x() <= high_m.x())) return whole;
    const Obb part{(axes * (0.5 * (low_m + high_m))).cast<float>(), axes.cast<float>(),
                   ((0.5 * (high_m - low_m)).array() + slack_m).matrix().cast<float>()};
    return part.half_m.squaredNorm() < whole.half_m.squaredNorm() ? part : whole;
}

}  // namespace glovebox::collision
