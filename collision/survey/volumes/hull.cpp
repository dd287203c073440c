#include "collision/survey/volumes/hull.h"

#include <algorithm>
#include <vector>

#include "collision/query/convex.h"

namespace glovebox::collision {

HullBound HullVolume::fit(std::span<const Eigen::Vector3f> points) {
    return {ConvexHull::from_points(points), Eigen::Isometry3f::Identity()};
}

HullBound HullVolume::merge(const HullBound& a, const HullBound& b) {
    std::vector<Eigen::Vector3f> corners;
    for (const HullBound* bound : {&a, &b})
        for (const auto& corner : bound->hull->corners_m()) corners.push_back(bound->target_from_hull * corner);
    return fit(corners);
}

float HullVolume::distance_m(const HullBound& a, const HullBound& b) {
    const ConvexPair pair = closest(ConvexCore(*a.hull, a.target_from_hull.cast<double>()),
                                    ConvexCore(*b.hull, b.target_from_hull.cast<double>()));
    // Corners that Qhull treats as coplanar may protrude by rounding, and GJK stops within its tolerance.
    const auto reach =
        static_cast<float>(pair.on_a.cwiseAbs().maxCoeff()) + a.hull->box().half_m.sum() + b.hull->box().half_m.sum();
    return std::max(0.0F, static_cast<float>(pair.distance) - padding_m(reach));
}

float HullVolume::volume_m3(const HullBound& a) {
    double volume = 0.0;
    const Eigen::Vector3d middle = a.hull->middle_m().cast<double>();
    for (const auto& facet : a.hull->facets()) {
        const auto corner = [&](std::size_t i) {
            return Eigen::Vector3d(a.hull->corners_m()[static_cast<std::size_t>(facet[i])].cast<double>() - middle);
        };
        volume += corner(0).dot(corner(1).cross(corner(2))) / 6.0;
    }
    return static_cast<float>(volume);
}

}  // namespace glovebox::collision
