// Convex hulls as bounding volumes: the tightest fit and the most expensive test.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "collision/box/convex_hull.h"
#include "collision/survey/volumes/volume.h"

namespace glovebox::collision {

/// A pose of a hull, which is shared and immutable. A moved volume is the same hull with another pose.
struct HullBound {
    std::shared_ptr<const ConvexHull> hull;
    Eigen::Isometry3f target_from_hull = Eigen::Isometry3f::Identity();
};

struct HullVolume {
    using Type = HullBound;
    static constexpr std::string_view kName = "hull",
                                      kSummary = "convex hull by GJK; nothing fits closer, nothing costs more";
    static constexpr bool kExactDistance = true;

    static Type fit(std::span<const Eigen::Vector3f> points);
    static Type merge(const Type& a, const Type& b);  ///< the hull of the corners of both
    static bool overlap(const Type& a, const Type& b) { return distance_m(a, b) <= 0.0F; }
    static float distance_m(const Type& a, const Type& b);
    static float volume_m3(const Type& a);

    class Motion {
      public:
        explicit Motion(const Eigen::Isometry3f& target_from_body) : target_from_body_(target_from_body) {}
        Type operator()(const Type& a) const { return {a.hull, target_from_body_ * a.target_from_hull}; }

      private:
        Eigen::Isometry3f target_from_body_;
    };
};

}  // namespace glovebox::collision
