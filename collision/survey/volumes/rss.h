// Rectangle swept spheres (RSS): all points within a radius of a rectangle [Larsen99]. They give exact distances at
// moderate cost.
#pragma once

#include <span>
#include <string_view>

#include "collision/survey/volumes/volume.h"

namespace glovebox::collision {

struct Rss {
    Eigen::Vector3f center_m = Eigen::Vector3f::Zero();
    Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();  ///< columns: directions of both sides, and the normal
    Eigen::Vector2f half_m = Eigen::Vector2f::Zero();    ///< half sides of the rectangle; zero for a segment or a point
    float radius_m = 0.0F;
};

struct RssVolume {
    using Type = Rss;
    static constexpr std::string_view kName = "rss", kSummary = "rectangle and radius; tight, with exact distances";
    static constexpr bool kExactDistance = true;

    /// Fits the sides along the widest spread and the radius to the thickness, then enlarges the radius until all
    /// points are inside.
    static Type fit(std::span<const Eigen::Vector3f> points);
    static Type merge(const Type& a, const Type& b);
    /// True if the volumes overlap. Tests the six face axes first, which separate most pairs, and then the distance.
    static bool overlap(const Type& a, const Type& b);
    /// Returns the distance: the least of corners against faces and sides against sides, or 0 if the rectangles cross.
    static float distance_m(const Type& a, const Type& b);
    static float volume_m3(const Type& a) {
        const float r = a.radius_m, pi = 3.14159265F;
        return 8.0F * a.half_m.prod() * r + 2.0F * pi * r * r * a.half_m.sum() + 4.0F / 3.0F * pi * r * r * r;
    }

    class Motion {
      public:
        explicit Motion(const Eigen::Isometry3f& target_from_body) : target_from_body_(target_from_body) {}
        Type operator()(const Type& a) const {
            return {target_from_body_ * a.center_m, target_from_body_.linear() * a.axes, a.half_m, a.radius_m};
        }

      private:
        Eigen::Isometry3f target_from_body_;
    };
};

/// Returns the distance from a point to the volume's rectangle, without the radius.
float distance_to_rectangle_m(const Rss& rss, const Eigen::Vector3f& point_m);

}  // namespace glovebox::collision
