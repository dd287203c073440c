// Seeded random boxes, poses and triangles for tests.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <random>

#include "collision/box/box.h"
#include "collision/box/shape.h"

namespace glovebox::collision {

class RandomShapes {
  public:
    explicit RandomShapes(unsigned seed) : engine_(seed) {}

    float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(engine_); }
    /// Returns a size that is log-uniformly distributed.
    float size(float low, float high) { return std::exp(between(std::log(low), std::log(high))); }
    Eigen::Vector3f vector(float reach) {
        return {between(-reach, reach), between(-reach, reach), between(-reach, reach)};
    }
    Eigen::Vector3f direction() {
        for (;;) {
            const Eigen::Vector3f v = vector(1.0F);
            if (v.norm() > 0.1F && v.norm() < 1.0F) return v.normalized();
        }
    }
    Eigen::Matrix3f rotation() {
        std::normal_distribution<float> normal;
        Eigen::Quaternionf q(normal(engine_), normal(engine_), normal(engine_), normal(engine_));
        return q.normalized().toRotationMatrix();
    }
    Eigen::Isometry3f pose(float reach) {
        Eigen::Isometry3f result = Eigen::Isometry3f::Identity();
        result.linear() = rotation();
        result.translation() = vector(reach);
        return result;
    }
    Obb box(float smallest, float largest, float reach) {
        return {vector(reach), rotation(), {size(smallest, largest), size(smallest, largest), size(smallest, largest)}};
    }
    RoundCone cone(float length, float radius, float reach) {
        const Eigen::Vector3f a = vector(reach);
        return {a, a + between(0.2F, 1.0F) * length * direction(), between(0.3F, 1.0F) * radius,
                between(0.3F, 1.0F) * radius};
    }

  private:
    std::mt19937 engine_;
};

inline std::array<Eigen::Vector3d, 8> corners(const Obb& box) {
    std::array<Eigen::Vector3d, 8> result;
    for (int i = 0; i < 8; ++i) {
        const Eigen::Vector3d signs((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
        result[static_cast<std::size_t>(i)] =
            box.center_m.cast<double>() + box.axes.cast<double>() * signs.cwiseProduct(box.half_m.cast<double>());
    }
    return result;
}

/// Returns how far the worst corner of `inner` is outside the slabs of `outer`, in double. <= 0: enclosed.
inline double excess(const Obb& outer, const Obb& inner) {
    double worst = -1e300;
    for (const Eigen::Vector3d& corner : corners(inner)) {
        const Eigen::Vector3d along =
            (outer.axes.cast<double>().transpose() * (corner - outer.center_m.cast<double>())).cwiseAbs();
        worst = std::max(worst, (along - outer.half_m.cast<double>()).maxCoeff());
    }
    return worst;
}

}  // namespace glovebox::collision
