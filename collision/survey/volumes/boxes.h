// Axis-aligned and oriented boxes as bounding volumes for hierarchies.
#pragma once

#include <span>
#include <string_view>

#include "collision/survey/volumes/volume.h"

namespace glovebox::collision {

struct AabbVolume {
    using Type = Aabb;
    static constexpr std::string_view kName = "aabb", kSummary = "box along the axes; cheap to fit, grows when turned";
    static constexpr bool kExactDistance = true;

    static Type fit(std::span<const Eigen::Vector3f> points);
    static Type merge(const Type& a, const Type& b) { return {a.min_m.cwiseMin(b.min_m), a.max_m.cwiseMax(b.max_m)}; }
    static bool overlap(const Type& a, const Type& b) {
        return (a.min_m.array() <= b.max_m.array()).all() && (b.min_m.array() <= a.max_m.array()).all();
    }
    static float distance_m(const Type& a, const Type& b) {
        return (a.min_m - b.max_m).cwiseMax(b.min_m - a.max_m).cwiseMax(0.0F).norm();
    }
    static float volume_m3(const Type& a) { return (a.max_m - a.min_m).prod(); }

    /// Computes the AABB of the rotated box. Its half extents are |R| h, where R is the rotation and h are the half
    /// extents before. So AABBs of rotated bodies are tested as AABBs.
    class Motion {
      public:
        explicit Motion(const Eigen::Isometry3f& target_from_body)
            : target_from_body_(target_from_body), turned_(target_from_body.linear().cwiseAbs()) {}
        Type operator()(const Type& a) const {
            const Eigen::Vector3f middle_m = target_from_body_ * Eigen::Vector3f(0.5F * (a.min_m + a.max_m));
            const Eigen::Vector3f half_m = turned_ * (0.5F * (a.max_m - a.min_m));
            return {middle_m - half_m, middle_m + half_m};
        }

      private:
        Eigen::Isometry3f target_from_body_;
        Eigen::Matrix3f turned_;
    };
};

/// An AABB in body space that is tested as an OBB after rotation. It is fitted like AabbVolume and tested like
/// ObbVolume.
struct TurnedAabbVolume {
    using Type = Obb;
    static constexpr std::string_view kName = "aabb-turned",
                                      kSummary = "box along the axes that turns with the body; 15-axis test";
    static constexpr bool kExactDistance = false;

    static Type fit(std::span<const Eigen::Vector3f> points);
    static Type merge(const Type& a, const Type& b);
    static bool overlap(const Type& a, const Type& b) { return collision::overlap(a, b); }
    static float distance_m(const Type& a, const Type& b);
    static float volume_m3(const Type& a) { return a.volume_m3(); }

    class Motion {
      public:
        explicit Motion(const Eigen::Isometry3f& target_from_body) : target_from_body_(target_from_body) {}
        Type operator()(const Type& a) const { return transformed(target_from_body_, a); }

      private:
        Eigen::Isometry3f target_from_body_;
    };
};

struct ObbVolume {
    using Type = Obb;
    static constexpr std::string_view kName = "obb",
                                      kSummary = "box along the body; tight round long objects, 15-axis test";
    static constexpr bool kExactDistance = false;

    /// Fits by the covariance of the hull's surface [Gottschalk96].
    static Type fit(std::span<const Eigen::Vector3f> points);
    static Type merge(const Type& a, const Type& b);  ///< by the covariance of the corners
    static bool overlap(const Type& a, const Type& b) { return collision::overlap(a, b); }
    /// Returns the largest gap along the 15 axes. It is exact if the nearest features are faces or edges, and a lower
    /// bound if they are corners.
    static float distance_m(const Type& a, const Type& b);
    static float volume_m3(const Type& a) { return a.volume_m3(); }

    class Motion {
      public:
        explicit Motion(const Eigen::Isometry3f& target_from_body) : target_from_body_(target_from_body) {}
        Type operator()(const Type& a) const { return transformed(target_from_body_, a); }

      private:
        Eigen::Isometry3f target_from_body_;
    };
};

}  // namespace glovebox::collision
