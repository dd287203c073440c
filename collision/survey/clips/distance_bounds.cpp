#include "collision/survey/clips/distance_bounds.h"

#include <algorithm>
#include <cmath>

#include "collision/query/triangle.h"

// The loop over columns is compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/survey/clips/distance_bounds.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::clips::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Fraction of all lengths involved, and of a metre: about thirty roundings to float.
constexpr float kMargin = 4e-6F;

void BoundsOfPairs(const ConeBallPairs& pairs, BoundsColumns& bounds) {
    const hn::CappedTag<float, 16> d;
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0F);
    for (std::size_t i = 0; i < pairs.count; i += hn::Lanes(d)) {
        const auto wx = hn::Load(d, &pairs.a_x[i]), wy = hn::Load(d, &pairs.a_y[i]), wz = hn::Load(d, &pairs.a_z[i]);
        const auto ux = hn::Load(d, &pairs.u_x[i]), uy = hn::Load(d, &pairs.u_y[i]), uz = hn::Load(d, &pairs.u_z[i]);
        const auto ra = hn::Load(d, &pairs.radius_a[i]);
        const auto k = hn::Sub(hn::Load(d, &pairs.radius_b[i]), ra);
        const auto dot = [](auto ax, auto ay, auto az, auto bx, auto by, auto bz) {
            return hn::MulAdd(ax, bx, hn::MulAdd(ay, by, hn::Mul(az, bz)));
        };
        const auto length2 = dot(ux, uy, uz, ux, uy, uz);
        const auto along = dot(ux, uy, uz, wx, wy, wz);
        const auto cx = hn::Sub(hn::Mul(uy, wz), hn::Mul(uz, wy)), cy = hn::Sub(hn::Mul(uz, wx), hn::Mul(ux, wz)),
                   cz = hn::Sub(hn::Mul(ux, wy), hn::Mul(uy, wx));
        const auto slope2 = hn::Sub(length2, hn::Mul(k, k));
        const auto tapers = hn::Gt(slope2, zero);  // otherwise one end's ball contains the other's
        const auto shift = hn::Mul(k, hn::Sqrt(hn::Div(dot(cx, cy, cz, cx, cy, cz), slope2)));
        const auto inner = hn::Min(hn::Max(hn::Div(hn::Sub(shift, along), length2), zero), one);
        const auto s = hn::IfThenElse(tapers, inner, hn::IfThenElse(hn::Gt(k, zero), one, zero));
        const auto px = hn::MulAdd(s, ux, wx), py = hn::MulAdd(s, uy, wy), pz = hn::MulAdd(s, uz, wz);
        const auto core = hn::Sqrt(dot(px, py, pz, px, py, pz));
        const auto distance = hn::Sub(core, hn::MulAdd(s, k, ra));
        const auto size = hn::Add(hn::Add(hn::Add(hn::Abs(wx), hn::Abs(wy)), hn::Add(hn::Abs(wz), hn::Abs(ux))),
                                  hn::Add(hn::Add(hn::Abs(uy), hn::Abs(uz)), ra));
        const auto margin = hn::Mul(hn::Set(d, kMargin), hn::Add(size, one));
        hn::Store(hn::Sub(distance, margin), d, &bounds.min_m[i]);
        hn::Store(hn::Add(distance, margin), d, &bounds.max_m[i]);
    }
}

}  // namespace
}  // namespace glovebox::collision::clips::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision::clips {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;
using HWY_NAMESPACE::kMargin;

HWY_EXPORT(BoundsOfPairs);

DistanceBounds about(float distance_m, float size_m) {
    const float margin_m = kMargin * (1.0F + size_m);
    return {distance_m - margin_m, distance_m + margin_m};
}

float larger_radius(const RoundCone& cone) {
    return std::max(cone.radius_a_m, cone.radius_b_m);
}

// Returns bounds of the least |a + s u| - radius(s) over [0, 1] [see nearest_on_cone() in query/bone.cpp].
DistanceBounds from_middle(const Vector3f& a, const Vector3f& u, float radius_a, float radius_b) {
    const float k = radius_b - radius_a, length2 = u.squaredNorm(), slope2 = length2 - k * k;
    float s = k > 0.0F ? 1.0F : 0.0F;
    if (slope2 > 0.0F)
        s = std::clamp((k * std::sqrt(u.cross(a).squaredNorm() / slope2) - u.dot(a)) / length2, 0.0F, 1.0F);
    return about((a + s * u).norm() - (radius_a + s * k), a.lpNorm<1>() + u.lpNorm<1>() + radius_a);
}

DistanceBounds of_ball(const RoundCone& cone, const RoundCone& ball) {
    const float ball_m = larger_radius(ball);
    return from_middle(cone.a_m - ball.a_m, cone.b_m - cone.a_m, cone.radius_a_m + ball_m, cone.radius_b_m + ball_m);
}

DistanceBounds of_ball(const RoundedBox& box, const RoundCone& ball) {
    const Vector3f from_center = ball.a_m - box.core.center_m;
    const Vector3f beyond = (box.core.axes.transpose() * from_center).cwiseAbs() - box.core.half_m;
    const float deepest_m = beyond.maxCoeff();  // negative inside: the distance to the nearest face
    const float core_m = deepest_m < 0.0F ? deepest_m : beyond.cwiseMax(0.0F).norm();
    const float radii_m = larger_radius(ball) + box.radius_m;
    return about(core_m - radii_m, from_center.lpNorm<1>() + box.core.half_m.sum() + radii_m);
}

}  // namespace

DistanceBounds distance_bounds(const RoundCone& a, const RoundCone& b) {
    if (is_ball(b)) return of_ball(a, b);
    if (is_ball(a)) return of_ball(b, a);
    const Vector3d a0 = a.a_m.cast<double>(), a1 = a.b_m.cast<double>();
    const Vector3d b0 = b.a_m.cast<double>(), b1 = b.b_m.cast<double>();
    const SegmentParameters at = closest_segment_parameters(a0, a1, b0, b1);
    const auto core_m = static_cast<float>((a0 + at.s * (a1 - a0) - b0 - at.t * (b1 - b0)).norm());
    const auto radius = [](const RoundCone& cone, double s) {
        return cone.radius_a_m + static_cast<float>(s) * (cone.radius_b_m - cone.radius_a_m);
    };
    // No two points are nearer than the axes, and no radius is larger than that of the larger end.
    const float thick_m = larger_radius(a) + larger_radius(b);
    const auto size_m = core_m + thick_m;
    return {about(core_m - thick_m, size_m).min_m, about(core_m - radius(a, at.s) - radius(b, at.t), size_m).max_m};
}

DistanceBounds distance_bounds(const Shape& a, const Shape& b) {
    const auto* cone_a = std::get_if<RoundCone>(&a);
    const auto* cone_b = std::get_if<RoundCone>(&b);
    if (cone_a != nullptr && cone_b != nullptr) return distance_bounds(*cone_a, *cone_b);
    const auto* box_a = std::get_if<RoundedBox>(&a);
    const auto* box_b = std::get_if<RoundedBox>(&b);
    if (box_a != nullptr && cone_b != nullptr && is_ball(*cone_b)) return of_ball(*box_a, *cone_b);
    if (box_b != nullptr && cone_a != nullptr && is_ball(*cone_a)) return of_ball(*box_b, *cone_a);
    return {};
}

void distance_bounds(const ConeBallPairs& pairs, BoundsColumns& bounds) {
    HWY_DYNAMIC_DISPATCH(BoundsOfPairs)(pairs, bounds);
}

void distance_bounds_scalar(const ConeBallPairs& pairs, BoundsColumns& bounds) {
    for (std::size_t i = 0; i < pairs.count; ++i) {
        const DistanceBounds pair =
            from_middle({pairs.a_x[i], pairs.a_y[i], pairs.a_z[i]}, {pairs.u_x[i], pairs.u_y[i], pairs.u_z[i]},
                        pairs.radius_a[i], pairs.radius_b[i]);
        bounds.min_m[i] = pair.min_m;
        bounds.max_m[i] = pair.max_m;
    }
}

}  // namespace glovebox::collision::clips
#endif
