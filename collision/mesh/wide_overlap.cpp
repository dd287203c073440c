// One box against the children of a wide node: the separating-axis test of box.cpp, one child per lane.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/mesh/wide_overlap.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target must come first.
#include <hwy/highway.h>

#include "collision/mesh/wide_tree.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <std::size_t kMaxLanes>
std::uint32_t MaskOf(const Obb& box, const WideBoxes& children, std::size_t lanes) {
    const hn::CappedTag<float, kMaxLanes> d;
    using Vec = hn::Vec<decltype(d)>;
    const Vec eps = hn::Set(d, 1e-6F);
    std::uint32_t result = 0;
    for (std::size_t at = 0; at < lanes; at += hn::Lanes(d)) {
        // r_ij = a_i . b_j and t = centre of b, both in the box's frame.
        Vec r[3][3], abs_r[3][3], t[3], ha[3], hb[3];
        const Vec dx = hn::Sub(hn::LoadU(d, children.center[0] + at), hn::Set(d, box.center_m.x()));
        const Vec dy = hn::Sub(hn::LoadU(d, children.center[1] + at), hn::Set(d, box.center_m.y()));
        const Vec dz = hn::Sub(hn::LoadU(d, children.center[2] + at), hn::Set(d, box.center_m.z()));
        for (int i = 0; i < 3; ++i) {
            const Vec ax = hn::Set(d, box.axes(0, i)), ay = hn::Set(d, box.axes(1, i)), az = hn::Set(d, box.axes(2, i));
            t[i] = hn::Add(hn::Add(hn::Mul(ax, dx), hn::Mul(ay, dy)), hn::Mul(az, dz));
            for (int j = 0; j < 3; ++j) {
                const Vec bx = hn::LoadU(d, children.axes[3 * j] + at),
                          by = hn::LoadU(d, children.axes[3 * j + 1] + at),
                          bz = hn::LoadU(d, children.axes[3 * j + 2] + at);
                r[i][j] = hn::Add(hn::Add(hn::Mul(ax, bx), hn::Mul(ay, by)), hn::Mul(az, bz));
                abs_r[i][j] = hn::Add(hn::Abs(r[i][j]), eps);
            }
            ha[i] = hn::Set(d, box.half_m[i]);
            hb[i] = hn::LoadU(d, children.half[i] + at);
        }
        // Comparisons are "not apart", so that NaN counts as apart.
        auto together = hn::Le(hn::Abs(t[0]),
                               hn::Add(ha[0], hn::Add(hn::Add(hn::Mul(abs_r[0][0], hb[0]), hn::Mul(abs_r[0][1], hb[1])),
                                                      hn::Mul(abs_r[0][2], hb[2]))));
        for (int i = 1; i < 3; ++i)
            together =
                hn::And(together,
                        hn::Le(hn::Abs(t[i]),
                               hn::Add(ha[i], hn::Add(hn::Add(hn::Mul(abs_r[i][0], hb[0]), hn::Mul(abs_r[i][1], hb[1])),
                                                      hn::Mul(abs_r[i][2], hb[2])))));
        for (int j = 0; j < 3; ++j) {
            const Vec along = hn::Add(hn::Add(hn::Mul(t[0], r[0][j]), hn::Mul(t[1], r[1][j])), hn::Mul(t[2], r[2][j]));
            const Vec radius =
                hn::Add(hn::Add(hn::Mul(abs_r[0][j], ha[0]), hn::Mul(abs_r[1][j], ha[1])), hn::Mul(abs_r[2][j], ha[2]));
            together = hn::And(together, hn::Le(hn::Abs(along), hn::Add(hb[j], radius)));
        }
        if (hn::AllFalse(d, together)) continue;
        for (int i = 0; i < 3; ++i) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (int j = 0; j < 3; ++j) {
                const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                const Vec radius_a = hn::Add(hn::Mul(ha[i1], abs_r[i2][j]), hn::Mul(ha[i2], abs_r[i1][j]));
                const Vec radius_b = hn::Add(hn::Mul(hb[j1], abs_r[i][j2]), hn::Mul(hb[j2], abs_r[i][j1]));
                const Vec along = hn::Sub(hn::Mul(t[i2], r[i1][j]), hn::Mul(t[i1], r[i2][j]));
                together = hn::And(together, hn::Le(hn::Abs(along), hn::Add(radius_a, radius_b)));
            }
        }
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, together, bits);
        const std::uint32_t mask = bits[0] & ((1U << hn::Lanes(d)) - 1U);
        result |= mask << at;
    }
    return result & ((1U << lanes) - 1U);
}

std::uint32_t OverlapMask(const Obb& box, const WideBoxes& children, std::size_t lanes) {
    // Reading four lanes as eight would stall on the stores of the four lanes that were just decoded.
    return lanes <= 4 ? MaskOf<4>(box, children, lanes) : MaskOf<8>(box, children, lanes);
}

}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {

HWY_EXPORT(OverlapMask);
std::uint32_t overlap_mask(const Obb& box, const WideBoxes& children, std::size_t lanes) {
    return HWY_DYNAMIC_DISPATCH(OverlapMask)(box, children, lanes);
}

}  // namespace glovebox::collision
#endif
