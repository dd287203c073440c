// Spheres as bounding volumes. They have the cheapest test and the loosest fit, and are the only kind unaffected by
// rotation.
#pragma once

#include <span>
#include <string_view>

#include "collision/survey/volumes/volume.h"

namespace glovebox::collision {

struct BoundingSphere {
    Eigen::Vector3f center_m = Eigen::Vector3f::Zero();
    float radius_m = 0.0F;
};

struct SphereVolume {
    using Type = BoundingSphere;
    static constexpr std::string_view kName = "sphere", kSummary = "center and radius; turning costs nothing";
    static constexpr bool kExactDistance = true;

    /// Fits Ritter's sphere, then shrinks and grows it in eight rounds [Ericson05, sec. 4.3.5]. The result is within a
    /// few per cent of the smallest sphere.
    static Type fit(std::span<const Eigen::Vector3f> points);
    /// Returns the smallest sphere around two spheres.
    static Type merge(const Type& a, const Type& b);
    static bool overlap(const Type& a, const Type& b) {
        const float reach_m = a.radius_m + b.radius_m;
        return (b.center_m - a.center_m).squaredNorm() <= reach_m * reach_m;
    }
    static float distance_m(const Type& a, const Type& b) {
        return std::max(0.0F, (b.center_m - a.center_m).norm() - a.radius_m - b.radius_m);
    }
    static float volume_m3(const Type& a) { return 4.18879020F * a.radius_m * a.radius_m * a.radius_m; }

    class Motion {
      public:
        explicit Motion(const Eigen::Isometry3f& target_from_body) : target_from_body_(target_from_body) {}
        Type operator()(const Type& a) const { return {target_from_body_ * a.center_m, a.radius_m}; }

      private:
        Eigen::Isometry3f target_from_body_;
    };
};

}  // namespace glovebox::collision
