// Points of four things at once, such as corners of four triangles: vectors of x, of y and of z. Compiled for each
// instruction set of the including file. Four floats, not eight: a traversal is over before wider vectors have powered
// up.
#if defined(GLOVEBOX_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLOVEBOX_LANES_INL_H
#undef GLOVEBOX_LANES_INL_H
#else
#define GLOVEBOX_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <Eigen/Core>
#include <cstdint>

#include "collision/box/xyz-inl.h"
#include "collision/mesh/vec4-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

using Lanes = hn::CappedTag<float, 4>;
using V = hn::Vec<Lanes>;
using Vec3 = Xyz<V>;

HWY_INLINE V All(float value) {
    return hn::Set(Lanes(), value);
}
HWY_INLINE Vec3 All(const Eigen::Vector3f& v) {
    return {All(v.x()), All(v.y()), All(v.z())};
}
HWY_INLINE Vec3 All(Vec4 v) {
    alignas(16) float lane[4];
    v.To(lane);
    return {All(lane[0]), All(lane[1]), All(lane[2])};
}
HWY_INLINE Vec3 Abs(const Vec3& a) {
    return {hn::Abs(a.x), hn::Abs(a.y), hn::Abs(a.z)};
}
HWY_INLINE Vec3 Min(const Vec3& a, const Vec3& b) {
    return {hn::Min(a.x, b.x), hn::Min(a.y, b.y), hn::Min(a.z, b.z)};
}
HWY_INLINE Vec3 Max(const Vec3& a, const Vec3& b) {
    return {hn::Max(a.x, b.x), hn::Max(a.y, b.y), hn::Max(a.z, b.z)};
}
HWY_INLINE Vec3 PlusScaled(const Vec3& a, const Vec3& b, V by) {
    return {hn::MulAdd(b.x, by, a.x), hn::MulAdd(b.y, by, a.y), hn::MulAdd(b.z, by, a.z)};
}
// Returns a unit vector, or a shorter one if the input is almost zero.
HWY_INLINE Vec3 Direction(const Vec3& v) {
    return v * hn::Div(All(1.0F), hn::Sqrt(hn::Max(Dot(v, v), All(1e-36F))));
}
HWY_INLINE V Largest(const Vec3& a) {
    return hn::Max(hn::Max(a.x, a.y), a.z);
}
HWY_INLINE unsigned BitsOf(hn::Mask<Lanes> mask) {
    alignas(8) std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Lanes(), mask, bytes);
    return bytes[0];
}
// Returns the squared distance of two boxes from their gaps along each axis.
HWY_INLINE V SquaredOf(const Vec3& gap) {
    const Vec3 out = Max(gap, All(Eigen::Vector3f::Zero()));
    return Dot(out, out);
}
HWY_INLINE V DistanceOf(const Vec3& gap) {
    return hn::Sqrt(SquaredOf(gap));
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
