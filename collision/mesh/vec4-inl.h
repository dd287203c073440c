// Three coordinates in one vector of four floats, whose last lane has no meaning. Compiled for each instruction set of
// the including file.
//
// For values that are written once and read lane by lane, as for a rotated box. They are stored as a whole: a vector
// read after four stores of single floats would wait until all of them have reached the cache.
#if defined(GLOVEBOX_VEC4_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLOVEBOX_VEC4_INL_H
#undef GLOVEBOX_VEC4_INL_H
#else
#define GLOVEBOX_VEC4_INL_H
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // has no vectors of four

struct Vec4 {
    float lane[4];

    HWY_INLINE static Vec4 All(float value) { return {{value, value, value, value}}; }
    HWY_INLINE static Vec4 From(const float* four) { return {{four[0], four[1], four[2], four[3]}}; }
    HWY_INLINE void To(float* four) const {
        for (int k = 0; k < 4; ++k) four[k] = lane[k];
    }
    template <int kX, int kY, int kZ>
    HWY_INLINE Vec4 Lanes() const {
        return {{lane[kX], lane[kY], lane[kZ], lane[3]}};
    }
};
HWY_INLINE Vec4 operator+(Vec4 a, Vec4 b) {
    return {{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1], a.lane[2] + b.lane[2], a.lane[3] + b.lane[3]}};
}
HWY_INLINE Vec4 operator-(Vec4 a, Vec4 b) {
    return {{a.lane[0] - b.lane[0], a.lane[1] - b.lane[1], a.lane[2] - b.lane[2], a.lane[3] - b.lane[3]}};
}
HWY_INLINE Vec4 operator*(Vec4 a, Vec4 b) {
    return {{a.lane[0] * b.lane[0], a.lane[1] * b.lane[1], a.lane[2] * b.lane[2], a.lane[3] * b.lane[3]}};
}
HWY_INLINE Vec4 Abs(Vec4 a) {
    return {{std::abs(a.lane[0]), std::abs(a.lane[1]), std::abs(a.lane[2]), std::abs(a.lane[3])}};
}
// Returns x of the first, y of the second and z of the third.
HWY_INLINE Vec4 Joined(Vec4 x, Vec4 y, Vec4 z) {
    return {{x.lane[0], y.lane[1], z.lane[2], z.lane[3]}};
}

#else

struct Vec4 {
    using Tag = hn::FixedTag<float, 4>;
    hn::Vec<Tag> lanes;

    HWY_INLINE static Vec4 All(float value) { return {hn::Set(Tag(), value)}; }
    HWY_INLINE static Vec4 From(const float* four) { return {hn::LoadU(Tag(), four)}; }
    HWY_INLINE void To(float* four) const { hn::StoreU(lanes, Tag(), four); }
    template <int kX, int kY, int kZ>
    HWY_INLINE Vec4 Lanes() const {
        alignas(16) static constexpr std::int32_t kFrom[4] = {kX, kY, kZ, 3};
        return {hn::TableLookupLanes(lanes, hn::SetTableIndices(Tag(), kFrom))};
    }
};
HWY_INLINE Vec4 operator+(Vec4 a, Vec4 b) {
    return {hn::Add(a.lanes, b.lanes)};
}
HWY_INLINE Vec4 operator-(Vec4 a, Vec4 b) {
    return {hn::Sub(a.lanes, b.lanes)};
}
HWY_INLINE Vec4 operator*(Vec4 a, Vec4 b) {
    return {hn::Mul(a.lanes, b.lanes)};
}
HWY_INLINE Vec4 Abs(Vec4 a) {
    return {hn::Abs(a.lanes)};
}
// Returns x of the first, y of the second and z of the third.
HWY_INLINE Vec4 Joined(Vec4 x, Vec4 y, Vec4 z) {
    return {hn::ConcatUpperLower(Vec4::Tag(), z.lanes, hn::OddEven(y.lanes, x.lanes))};
}

#endif
HWY_INLINE Vec4 operator*(Vec4 a, float by) {
    return a * Vec4::All(by);
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
