// SIMD loops over point sets. Highway compiles this file once per instruction set and picks the best at run time.
//
// Products and sums stay apart (no fused multiply-add), and minima and maxima do not depend on their order: so every
// width gives the bits of the scalar twin.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/fit/point_set_simd.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target must come first.
#include <hwy/highway.h>

#include "collision/fit/descent_body.h"
#include "collision/fit/point_set_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Blocks are 8 floats: most nodes have few points, and folding 16 lanes into one costs more than it saves.
using Floats = hn::CappedTag<float, 8>;
using Vec = hn::Vec<Floats>;

HWY_INLINE float least(Vec v) {
    return hn::GetLane(hn::MinOfLanes(Floats(), v));
}
HWY_INLINE float greatest(Vec v) {
    return hn::GetLane(hn::MaxOfLanes(Floats(), v));
}

void Ranges(const Points& points, const float* axes, float* low, float* high) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    Vec lo[3], hi[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec ax = hn::Set(d, axes[3 * k]), ay = hn::Set(d, axes[3 * k + 1]), az = hn::Set(d, axes[3 * k + 2]);
        Vec low_k = hn::Set(d, 3.4e38F), high_k = hn::Set(d, -3.4e38F);
        for (std::size_t i = 0; i < points.count; i += lanes) {
            const Vec p =
                hn::Add(hn::Add(hn::Mul(ax, hn::LoadU(d, points.x + i)), hn::Mul(ay, hn::LoadU(d, points.y + i))),
                        hn::Mul(az, hn::LoadU(d, points.z + i)));
            low_k = hn::Min(low_k, p);
            high_k = hn::Max(high_k, p);
        }
        lo[k] = low_k;
        hi[k] = high_k;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        low[k] = least(lo[k]);
        high[k] = greatest(hi[k]);
    }
}

template <int kDirection>
HWY_INLINE Vec Along(Vec x, Vec y, Vec z) {
    if constexpr (kDirection == 0) return x;
    if constexpr (kDirection == 1) return y;
    if constexpr (kDirection == 2) return z;
    if constexpr (kDirection == 3) return hn::Add(hn::Add(x, y), z);
    if constexpr (kDirection == 4) return hn::Sub(hn::Add(x, y), z);
    if constexpr (kDirection == 5) return hn::Add(hn::Sub(x, y), z);
    if constexpr (kDirection == 6) return hn::Sub(hn::Sub(x, y), z);
    if constexpr (kDirection == 7) return hn::Add(x, y);
    if constexpr (kDirection == 8) return hn::Sub(x, y);
    if constexpr (kDirection == 9) return hn::Add(x, z);
    if constexpr (kDirection == 10) return hn::Sub(x, z);
    if constexpr (kDirection == 11) return hn::Add(y, z);
    if constexpr (kDirection == 12) return hn::Sub(y, z);
}

template <int kDirection>
void ExtremesAlong(const Points& points, std::int32_t* lowest, std::int32_t* highest) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    // The first pass finds the values, the second the first point that has them: two light loops instead of one that
    // carries numbers through every comparison.
    Vec low = hn::Set(d, 3.4e38F), high = hn::Set(d, -3.4e38F);
    for (std::size_t i = 0; i < points.count; i += lanes) {
        const Vec p =
            Along<kDirection>(hn::LoadU(d, points.x + i), hn::LoadU(d, points.y + i), hn::LoadU(d, points.z + i));
        low = hn::Min(low, p);
        high = hn::Max(high, p);
    }
    const Vec low_all = hn::Set(d, least(low)), high_all = hn::Set(d, greatest(high));
    std::intptr_t found_low = -1, found_high = -1;
    for (std::size_t i = 0; i < points.count && (found_low < 0 || found_high < 0); i += lanes) {
        const Vec p =
            Along<kDirection>(hn::LoadU(d, points.x + i), hn::LoadU(d, points.y + i), hn::LoadU(d, points.z + i));
        if (found_low < 0) {
            const auto at = hn::FindFirstTrue(d, hn::Eq(p, low_all));
            if (at >= 0) found_low = static_cast<std::intptr_t>(i) + at;
        }
        if (found_high < 0) {
            const auto at = hn::FindFirstTrue(d, hn::Eq(p, high_all));
            if (at >= 0) found_high = static_cast<std::intptr_t>(i) + at;
        }
    }
    // NaN never compares equal; meshes are checked, but a kernel must not hand out -1.
    *lowest = static_cast<std::int32_t>(found_low < 0 ? 0 : found_low);
    *highest = static_cast<std::int32_t>(found_high < 0 ? 0 : found_high);
}

void Extremes(const Points& points, int directions, std::int32_t* lowest, std::int32_t* highest) {
    ExtremesAlong<0>(points, lowest + 0, highest + 0);
    ExtremesAlong<1>(points, lowest + 1, highest + 1);
    ExtremesAlong<2>(points, lowest + 2, highest + 2);
    ExtremesAlong<3>(points, lowest + 3, highest + 3);
    ExtremesAlong<4>(points, lowest + 4, highest + 4);
    ExtremesAlong<5>(points, lowest + 5, highest + 5);
    ExtremesAlong<6>(points, lowest + 6, highest + 6);
    if (directions <= 7) return;
    ExtremesAlong<7>(points, lowest + 7, highest + 7);
    ExtremesAlong<8>(points, lowest + 8, highest + 8);
    ExtremesAlong<9>(points, lowest + 9, highest + 9);
    ExtremesAlong<10>(points, lowest + 10, highest + 10);
    ExtremesAlong<11>(points, lowest + 11, highest + 11);
    ExtremesAlong<12>(points, lowest + 12, highest + 12);
}

void Descend(const Points& points, float* axes, const float* cosines, const float* sines, int steps, float* scratch) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d), count = points.count;
    float* const p[3] = {scratch, scratch + count, scratch + 2 * count};
    float size[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec ax = hn::Set(d, axes[3 * k]), ay = hn::Set(d, axes[3 * k + 1]), az = hn::Set(d, axes[3 * k + 2]);
        Vec low = hn::Set(d, 3.4e38F), high = hn::Set(d, -3.4e38F);
        for (std::size_t i = 0; i < count; i += lanes) {
            const Vec along =
                hn::Add(hn::Add(hn::Mul(ax, hn::LoadU(d, points.x + i)), hn::Mul(ay, hn::LoadU(d, points.y + i))),
                        hn::Mul(az, hn::LoadU(d, points.z + i)));
            hn::StoreU(along, d, p[k] + i);
            low = hn::Min(low, along);
            high = hn::Max(high, along);
        }
        size[k] = greatest(high) - least(low);
    }

    const auto both_turns = [&](const float* u, const float* v, float c, float s, float* sizes) HWY_ATTR {
        const Vec vc = hn::Set(d, c), vs = hn::Set(d, s);
        Vec low[4], high[4];
        for (int k = 0; k < 4; ++k) {
            low[k] = hn::Set(d, 3.4e38F);
            high[k] = hn::Set(d, -3.4e38F);
        }
        for (std::size_t i = 0; i < count; i += lanes) {
            const Vec a = hn::LoadU(d, u + i), b = hn::LoadU(d, v + i);
            const Vec ca = hn::Mul(vc, a), sb = hn::Mul(vs, b), cb = hn::Mul(vc, b), sa = hn::Mul(vs, a);
            const Vec turned[4] = {hn::Add(ca, sb), hn::Sub(cb, sa), hn::Sub(ca, sb), hn::Add(cb, sa)};
            for (int k = 0; k < 4; ++k) {
                low[k] = hn::Min(low[k], turned[k]);
                high[k] = hn::Max(high[k], turned[k]);
            }
        }
        for (int k = 0; k < 4; ++k) sizes[k] = greatest(high[k]) - least(low[k]);
    };
    const auto turn = [&](float* u, float* v, float c, float s) HWY_ATTR {
        const Vec vc = hn::Set(d, c), vs = hn::Set(d, s);
        for (std::size_t i = 0; i < count; i += lanes) {
            const Vec a = hn::LoadU(d, u + i), b = hn::LoadU(d, v + i);
            hn::StoreU(hn::Add(hn::Mul(vc, a), hn::Mul(vs, b)), d, u + i);
            hn::StoreU(hn::Sub(hn::Mul(vc, b), hn::Mul(vs, a)), d, v + i);
        }
    };
    descend_on(p, axes, size, cosines, sines, steps, both_turns, turn);
}

}  // namespace glovebox::collision::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision::kernels {

HWY_EXPORT(Ranges);
HWY_EXPORT(Extremes);
HWY_EXPORT(Descend);

void ranges_simd(const Points& points, const float* axes, float* low, float* high) {
    HWY_DYNAMIC_DISPATCH(Ranges)(points, axes, low, high);
}
void extremes_simd(const Points& points, int directions, std::int32_t* lowest, std::int32_t* highest) {
    HWY_DYNAMIC_DISPATCH(Extremes)(points, directions, lowest, highest);
}
void descend_simd(const Points& points, float* axes, const float* cosines, const float* sines, int steps,
                  float* scratch) {
    HWY_DYNAMIC_DISPATCH(Descend)(points, axes, cosines, sines, steps, scratch);
}

}  // namespace glovebox::collision::kernels
#endif
