// SIMD loops over point sets. Highway compiles this file once per instruction set and picks the best at run time.
//
// Products and sums stay separate (no fused multiply-add), and minima and maxima do not depend on their order. So every
// vector width gives the same bits as the scalar version.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/mesh/fit/point_set_simd.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target must come first.
#include <hwy/highway.h>

#include "collision/mesh/fit/descent_body.h"
#include "collision/mesh/fit/point_set_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Blocks are 8 floats: most nodes have few points, and reducing 16 lanes to one costs more than it saves.
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
    // The first pass finds the values, the second the first point that has them: two cheap loops instead of one that
    // carries indices through every comparison.
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
    // NaN never compares equal; meshes are checked, but a kernel must not return -1.
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

// Returns the index of the first point with the greatest value.
template <class Value>
HWY_INLINE std::int32_t FirstGreatest(const Points& points, const Value& value) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    Vec best = value(0);
    for (std::size_t i = lanes; i < points.count; i += lanes) best = hn::Max(best, value(i));
    const Vec best_all = hn::Set(d, greatest(best));
    for (std::size_t i = 0; i < points.count; i += lanes) {
        const auto at = hn::FindFirstTrue(d, hn::Eq(value(i), best_all));
        if (at >= 0) return static_cast<std::int32_t>(i) + static_cast<std::int32_t>(at);
    }
    return 0;  // NaN never compares equal
}

void Triangle(const Points& points, std::int32_t corners[3]) {
    const Floats d;
    const auto furthest_from = [&](std::size_t from) HWY_ATTR {
        const Vec x0 = hn::Set(d, points.x[from]), y0 = hn::Set(d, points.y[from]), z0 = hn::Set(d, points.z[from]);
        return FirstGreatest(points, [&](std::size_t i) HWY_ATTR {
            const Vec x = hn::Sub(hn::LoadU(d, points.x + i), x0), y = hn::Sub(hn::LoadU(d, points.y + i), y0),
                      z = hn::Sub(hn::LoadU(d, points.z + i), z0);
            return hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
        });
    };
    corners[0] = furthest_from(0);
    corners[1] = furthest_from(static_cast<std::size_t>(corners[0]));
    const auto a = static_cast<std::size_t>(corners[0]), b = static_cast<std::size_t>(corners[1]);
    const Vec x0 = hn::Set(d, points.x[a]), y0 = hn::Set(d, points.y[a]), z0 = hn::Set(d, points.z[a]);
    const Vec ex = hn::Sub(hn::Set(d, points.x[b]), x0), ey = hn::Sub(hn::Set(d, points.y[b]), y0),
              ez = hn::Sub(hn::Set(d, points.z[b]), z0);
    corners[2] = FirstGreatest(points, [&](std::size_t i) HWY_ATTR {
        const Vec x = hn::Sub(hn::LoadU(d, points.x + i), x0), y = hn::Sub(hn::LoadU(d, points.y + i), y0),
                  z = hn::Sub(hn::LoadU(d, points.z + i), z0);
        const Vec nx = hn::Sub(hn::Mul(ey, z), hn::Mul(ez, y)), ny = hn::Sub(hn::Mul(ez, x), hn::Mul(ex, z)),
                  nz = hn::Sub(hn::Mul(ex, y), hn::Mul(ey, x));
        return hn::Add(hn::Add(hn::Mul(nx, nx), hn::Mul(ny, ny)), hn::Mul(nz, nz));
    });
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

    // Many points: one point per lane, and every rotation's minima and maxima are reduced at the end. Few points: one
    // rotation per lane, without a reduction.
    constexpr std::size_t kFew = 16;
    const auto measure_many = [&](int step, TurnSizes& sizes) HWY_ATTR {
        const Vec vc = hn::Set(d, cosines[step]), vs = hn::Set(d, sines[step]);
        for (std::size_t k = 0; k < 3; ++k) {
            const float *u = p[(k + 1) % 3], *v = p[(k + 2) % 3];
            Vec low[4], high[4];
            for (int m = 0; m < 4; ++m) {
                low[m] = hn::Set(d, 3.4e38F);
                high[m] = hn::Set(d, -3.4e38F);
            }
            for (std::size_t i = 0; i < count; i += lanes) {
                const Vec a = hn::LoadU(d, u + i), b = hn::LoadU(d, v + i);
                const Vec ca = hn::Mul(vc, a), sb = hn::Mul(vs, b), cb = hn::Mul(vc, b), sa = hn::Mul(vs, a);
                const Vec turned[4] = {hn::Add(ca, sb), hn::Sub(cb, sa), hn::Sub(ca, sb), hn::Add(cb, sa)};
                for (int m = 0; m < 4; ++m) {
                    low[m] = hn::Min(low[m], turned[m]);
                    high[m] = hn::Max(high[m], turned[m]);
                }
            }
            for (std::size_t back = 0; back < 2; ++back) {
                sizes.u[2 * k + back] = greatest(high[2 * back]) - least(low[2 * back]);
                sizes.v[2 * k + back] = greatest(high[2 * back + 1]) - least(low[2 * back + 1]);
            }
        }
    };
    const auto measure_few = [&](int step, TurnSizes& sizes) HWY_ATTR {
        const Vec vc = hn::Set(d, cosines[step]), vs = hn::Set(d, sines[step]);
        for (std::size_t at = 0; at < TurnSizes::kLanes; at += lanes) {
            Vec along_u[3], along_v[3];
            for (int k = 0; k < 3; ++k) {
                along_u[k] = hn::Add(hn::Mul(vc, hn::LoadU(d, kTurnLanes.u_cos[k] + at)),
                                     hn::Mul(vs, hn::LoadU(d, kTurnLanes.u_sin[k] + at)));
                along_v[k] = hn::Add(hn::Mul(vc, hn::LoadU(d, kTurnLanes.v_cos[k] + at)),
                                     hn::Mul(vs, hn::LoadU(d, kTurnLanes.v_sin[k] + at)));
            }
            Vec low_u = hn::Set(d, 3.4e38F), low_v = low_u, high_u = hn::Set(d, -3.4e38F), high_v = high_u;
            for (std::size_t i = 0; i < points.distinct; ++i) {
                const Vec a = hn::Set(d, p[0][i]), b = hn::Set(d, p[1][i]), c = hn::Set(d, p[2][i]);
                // One of the three products is zero, so the sum is rounded once, like a sum of two.
                const Vec u = hn::Add(hn::Add(hn::Mul(along_u[0], a), hn::Mul(along_u[1], b)), hn::Mul(along_u[2], c));
                const Vec v = hn::Add(hn::Add(hn::Mul(along_v[0], a), hn::Mul(along_v[1], b)), hn::Mul(along_v[2], c));
                low_u = hn::Min(low_u, u);
                high_u = hn::Max(high_u, u);
                low_v = hn::Min(low_v, v);
                high_v = hn::Max(high_v, v);
            }
            hn::StoreU(hn::Sub(high_u, low_u), d, sizes.u + at);
            hn::StoreU(hn::Sub(high_v, low_v), d, sizes.v + at);
        }
    };
    const auto turn = [&](float* u, float* v, float c, float s) HWY_ATTR {
        const Vec vc = hn::Set(d, c), vs = hn::Set(d, s);
        for (std::size_t i = 0; i < count; i += lanes) {
            const Vec a = hn::LoadU(d, u + i), b = hn::LoadU(d, v + i);
            hn::StoreU(hn::Add(hn::Mul(vc, a), hn::Mul(vs, b)), d, u + i);
            hn::StoreU(hn::Sub(hn::Mul(vc, b), hn::Mul(vs, a)), d, v + i);
        }
    };
    if (points.distinct <= kFew)
        descend_on(p, axes, size, cosines, sines, steps, measure_few, turn);
    else
        descend_on(p, axes, size, cosines, sines, steps, measure_many, turn);
}

}  // namespace glovebox::collision::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision::kernels {

HWY_EXPORT(Ranges);
HWY_EXPORT(Extremes);
HWY_EXPORT(Descend);
HWY_EXPORT(Triangle);

void ranges_simd(const Points& points, const float* axes, float* low, float* high) {
    HWY_DYNAMIC_DISPATCH(Ranges)(points, axes, low, high);
}
void extremes_simd(const Points& points, int directions, std::int32_t* lowest, std::int32_t* highest) {
    HWY_DYNAMIC_DISPATCH(Extremes)(points, directions, lowest, highest);
}
void triangle_simd(const Points& points, std::int32_t corners[3]) {
    HWY_DYNAMIC_DISPATCH(Triangle)(points, corners);
}
void descend_simd(const Points& points, float* axes, const float* cosines, const float* sines, int steps,
                  float* scratch) {
    HWY_DYNAMIC_DISPATCH(Descend)(points, axes, cosines, sines, steps, scratch);
}

}  // namespace glovebox::collision::kernels
#endif
